import { sealSessionKey } from "../../crypto/sealing.ts";
import { isClientPublicKey, sessionKeyFrom } from "../../crypto/session-keys.ts";
import { HEX } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { SealedKey } from "../../domain/wallets/sessions.ts";
import type { Call } from "../../http/call.ts";

/** Hex characters of one key's entropy. */
const ENTROPY_HEX = 96;

/**
 * Entropy for the keys of one request; the same seed and requests give the same
 * (spec/wallets.md#key-custody).
 */
export const entropyFor = (call: Call, purpose: string): string =>
  call.read(
    (_view, _input, moment) => moment.derive(`${purpose} ${call.requestId}`, ENTROPY_HEX, HEX),
    undefined,
  );

/** Refuses a client key that is not a point of P-256 (spec/wallets.md#client-public-key). */
export const requireOnCurve = (clientPublicKey: string) => {
  if (!isClientPublicKey(clientPublicKey))
    refuse(
      "INVALID_INPUT",
      { field: "clientPublicKey" },
      "clientPublicKey is no point of the curve P-256",
    );
};

/**
 * Makes a session key, whose private half is sealed to the client and not stored
 * (spec/wallets.md#session-key-bundle). Sealing is asynchronous, so it happens before the rule
 * runs.
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
