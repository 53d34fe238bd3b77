import { readIdToken, verifyIdToken } from "../crypto/id-tokens.ts";
import { type IdToken, isTimely } from "../domain/id-tokens.ts";
import type { Call } from "../http/call.ts";

/**
 * A token, and whether a known key has signed it. No key is fetched for one whose time is wrong
 * (decisions, OAUTH create).
 */
export const findIdToken = async (text: string, call: Call): Promise<IdToken> => {
  const claims = readIdToken(text);
  const isOwn = claims?.iss !== undefined && claims.iss === call.tokenKeys.issuer();
  const atMs = call.engine.clock.now();
  if (!claims || !isTimely(claims, atMs)) return { text, claims, isOwn, problem: "not looked at" };
  const keys = await call.tokenKeys.keys();
  return { text, claims, isOwn, problem: await verifyIdToken(text, { keys, atMs }) };
};
