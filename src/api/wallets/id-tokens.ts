import { readIdToken, verifyIdToken } from "../../crypto/id-tokens.ts";
import { CLAIM_LEEWAY } from "../../domain/core/durations.ts";
import { cryptoMode } from "../../domain/wallets/crypto-mode.ts";
import { type IdToken, isSignatureVerified, isTimely } from "../../domain/wallets/id-tokens.ts";
import type { Call } from "../../http/door/call.ts";

/**
 * Reads a token and checks whether a known key signed it. Fetches no key for a token that is too
 * old (spec/id-tokens.md#token-age), and none where the signature may be a dummy
 * (spec/later-wallets.md#id-tokens).
 */
export const findIdToken = async (text: string, call: Call): Promise<IdToken> => {
  return { text, ...(await call.find("ID token", () => factsOf(text, call))) };
};

const factsOf = async (text: string, call: Call): Promise<Omit<IdToken, "text">> => {
  const claims = readIdToken(text);
  const { iss = "" } = claims ?? {};
  const isOwn = iss === call.tokenKeys.issuer();
  const facts = { claims, isOwn, isConfigured: call.tokenKeys.isConfigured(iss) };
  if (!call.read(isSignatureVerified, undefined)) return { ...facts, problem: undefined };
  const isStrict = call.read(cryptoMode, undefined) === "strict";
  const { atMs = call.engine.clock.now() } = call;
  if (!claims || !isTimely(claims, atMs)) return { ...facts, problem: "ignored" };
  const { keys, problem: unread } = await call.tokenKeys.keysFor(iss, isStrict);
  const problem = await verifyIdToken(text, {
    keys,
    atMs,
    leeway: CLAIM_LEEWAY,
    needsExpiry: isStrict,
  });
  return { ...facts, problem: problem === undefined ? undefined : (unread ?? problem) };
};
