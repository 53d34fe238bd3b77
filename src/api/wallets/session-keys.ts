import { sealSessionKey } from "../../crypto/sealing.ts";
import { isClientPublicKey, sessionKeyFrom } from "../../crypto/session-keys.ts";
import { HEX } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { SealedKey } from "../../domain/wallets/sessions.ts";
import type { Call } from "../../http/call.ts";

/** Hex characters of one key's entropy. */
const ENTROPY_HEX = 96;

/** Entropy for what one request seals: the same seed and the same requests give the same. */
export const entropyFor = (call: Call, purpose: string): string =>
  call.read(
    (_view, _input, moment) => moment.derive(`${purpose} ${call.requestId}`, ENTROPY_HEX, HEX),
    undefined,
  );

/** Refuses a client key that is no point of P-256 (wallets digest 11.1, O26). */
export const requireOnCurve = (clientPublicKey: string) => {
  if (!isClientPublicKey(clientPublicKey))
    refuse(
      "INVALID_INPUT",
      { field: "clientPublicKey" },
      "clientPublicKey is no point of the curve P-256",
    );
};

/**
 * A fresh session key, its private half sealed to the client and kept nowhere (wallets digest
 * 11.2). Made before the rule runs, since sealing takes a turn.
 */
export const sealedKeyFor = async (call: Call, clientPublicKey: string): Promise<SealedKey> => {
  const { privateKeyHex, publicKeyHex } = sessionKeyFrom(entropyFor(call, "session-key"));
  const encryptedSessionSigningKey = await sealSessionKey({
    clientPublicKey,
    privateKeyHex,
    entropyHex: entropyFor(call, "session-seal"),
  });
  return { publicKeyHex, encryptedSessionSigningKey };
};
