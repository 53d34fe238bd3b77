import { hash, timingSafeEqual } from "node:crypto";
import { tokenOf } from "../domain/platform/api-tokens.ts";
import { keyOfUser } from "../domain/platform/caller-keys.ts";
import type { ApiTokenRecord } from "../domain/records/platform-records.ts";
import type { Engine } from "../runtime/engine.ts";

/**
 * User and secret as HTTP Basic joins them (RFC 7617, section 2); a token's id contains a colon.
 */
const CREDENTIALS = /^(Token:[0-9a-f-]{36}(?:\+[^:]*)?|[^:]*):(.*)$/s;

/** User name and secret of a request. */
export interface Credentials {
  user: string;
  secret: string;
}

/** User name and secret of an Authorization header; nothing when it is not HTTP Basic. */
export const credentialsOf = (header: string): Credentials | undefined => {
  const [scheme = "", encoded = ""] = header.split(" ");
  if (scheme.toLowerCase() !== "basic") return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const [, user, secret] = CREDENTIALS.exec(text) ?? [];
  return user === undefined || secret === undefined ? undefined : { user, secret };
};

/** The two halves of a user name that names a world: `sandbox+checkout-7`. */
export const worldInUser = (user: string): { base: string; world: string } | undefined => {
  const at = user.lastIndexOf("+");
  return at < 0 ? undefined : { base: user.slice(0, at), world: user.slice(at + 1) };
};

/** Key of credentials, which tells whether a world that is not in memory takes them. */
export const keyOfCredentials = ({ user, secret }: Credentials) =>
  keyOfUser(user, hash("sha256", secret, "hex"));

const UNKNOWN_HASH = hash("sha256", "", "hex");

/** The token of a world that a user name and secret prove; compared in constant time. */
export const provenToken = (
  { state }: Pick<Engine, "state">,
  { user, secret }: Credentials,
): ApiTokenRecord | undefined => {
  const token = tokenOf(state, user);
  const secretHash = Buffer.from(hash("sha256", secret, "hex"));
  const kept = Buffer.from(token?.secretHash ?? UNKNOWN_HASH);
  // A token without a secret, as in an exported state, is proved by nothing.
  const isWhole = kept.length === secretHash.length;
  const isSame = timingSafeEqual(secretHash, isWhole ? kept : Buffer.from(UNKNOWN_HASH));
  return token && isWhole && isSame ? token : undefined;
};
