import { KEY_FORM } from "../../contract/wallets/credentials.ts";
import { sealSessionKey } from "../../crypto/sealing.ts";
import {
  isClientPublicKey,
  isCompressedKey,
  isHeldKey,
  sessionKeyFrom,
} from "../../crypto/session-keys.ts";
import { HEX } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { isChanged, takenElsewhere } from "../../domain/core/revision.ts";
import type { IssuedKey } from "../../domain/wallets/sessions.ts";
import type { Call } from "../../http/door/call.ts";

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

const refusedKey = (says: string): never =>
  refuse("INVALID_INPUT", { field: "clientPublicKey" }, `clientPublicKey${says}`);

/** Refuses a client key that is not an uncompressed point of P-256 (spec/wallets.md#client-public-key). */
export const requireSealable = (clientPublicKey: string) => {
  if (isCompressedKey(clientPublicKey)) refusedKey(`: ${KEY_FORM}`);
  if (!isClientPublicKey(clientPublicKey)) refusedKey(" is not a point on the curve P-256");
};

/** The same for the key of a session, which a client may hold itself (spec/revisions.md#client-held-keys). */
export const requireSessionKey = (call: Call, clientPublicKey: string) => {
  const { state } = call.engine;
  if (!isCompressedKey(clientPublicKey)) return requireSealable(clientPublicKey);
  if (!isChanged(state, "clientHeldSessionKeys"))
    refusedKey(`: ${KEY_FORM}; ${takenElsewhere(state, "clientHeldSessionKeys")}`);
  if (!isHeldKey(clientPublicKey)) refusedKey(" is not a point on the curve P-256");
};

/**
 * Makes a session key, whose private half is sealed to the client and not stored
 * (spec/wallets.md#session-key-bundle), or takes the key that the client holds. Sealing is
 * asynchronous, so it happens before the rule runs.
 */
export const issuedKeyFor = async (call: Call, clientPublicKey: string): Promise<IssuedKey> => {
  if (isCompressedKey(clientPublicKey)) return { publicKeyHex: clientPublicKey.toLowerCase() };
  const { privateKeyHex, publicKeyHex } = sessionKeyFrom(entropyFor(call, "session-key"));
  const encryptedSessionSigningKey = await sealSessionKey({
    clientPublicKey,
    privateKeyHex,
    entropyHex: entropyFor(call, "session-seal"),
  });
  return { publicKeyHex, encryptedSessionSigningKey };
};
