import { createHash } from "node:crypto";
import { isLoopbackName } from "../contract/core/loopback.ts";
import { failCheck } from "./webauthn-check.ts";

// Relying parties of passkeys (WebAuthn Level 3, sections 5.1.2, 7.1 and 7.2): the party that a
// passkey is made for, and the pages and apps that may use it.

/** The party that a passkey belongs to. */
export interface RelyingParty {
  /** SHA-256 of the RP ID, unpadded base64url. */
  rpIdHash: string;
  /** The app that registered the passkey; absent when a page did. */
  appOrigin?: string;
}

/** Apps are named by the hash of their signing certificate, or by their bundle. */
const APP_ORIGIN = /^(android:apk-key-hash:[A-Za-z0-9_-]+|ios:bundle-id:[A-Za-z0-9.-]+)$/;

const originOf = (origin: string): URL => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url && url.hostname !== "" ? url : failCheck("clientDataJson.origin has no host");
};

/** The host of a page that may use passkeys: browsers require TLS, except on loopback. */
const hostOf = (origin: string): string => {
  const { protocol, hostname, origin: asOrigin } = originOf(origin);
  const isTaken = protocol === "https:" || (protocol === "http:" && isLoopbackName(hostname));
  if (!isTaken)
    failCheck(`clientDataJson.origin is ${origin}, which is neither https nor http on loopback`);
  return asOrigin === origin
    ? hostname
    : failCheck(`clientDataJson.origin is not an origin: ${origin}`);
};

/** The host and its parent domains, except for top-level domains; none for an address. */
const domainsOf = (host: string) => {
  if (/^[0-9.]+$/.test(host)) return [host];
  if (host.startsWith("[")) return [host, host.slice(1, -1)];
  const labels = host.split(".");
  const parents = labels.map((_, at) => labels.slice(at).join(".")).slice(1);
  return [host, ...parents.filter((domain) => domain.includes(".") || domain === "localhost")];
};

/**
 * Finds the relying party of an origin and a hash. A page may name its host or a parent domain, so
 * the RP ID is searched among those. An app's origin has no host: any hash is accepted.
 * @param name the hash's name in error messages
 * @returns the party, with its RP ID if a page is behind it
 */
export const relyingPartyOf = (
  origin: string,
  hash: Uint8Array,
  name: string,
): RelyingParty & { rpId?: string } => {
  const rpIdHash = Buffer.from(hash).toString("base64url");
  if (APP_ORIGIN.test(origin)) return { rpIdHash, appOrigin: origin };
  const host = hostOf(origin);
  const rpId = domainsOf(host).find((domain) =>
    createHash("sha256").update(domain).digest().equals(hash),
  );
  return rpId === undefined
    ? failCheck(`${name} is not the SHA-256 of ${host} or of a parent domain of it`)
    : { rpIdHash, rpId };
};

/**
 * Explains why an assertion's party may not use a passkey; nothing when it may.
 * @param registered the party of the passkey; old records lack `rpIdHash`, then any page may be
 * first
 */
export const partyProblem = (
  party: RelyingParty,
  registered: Partial<RelyingParty>,
): string | undefined => {
  const { rpIdHash, appOrigin } = registered;
  if (rpIdHash !== undefined && party.rpIdHash !== rpIdHash)
    return "authenticatorData.rpIdHash is not the one the passkey was registered with";
  if (party.appOrigin === appOrigin) return undefined;
  return `clientDataJson.origin is not ${appOrigin ?? "a page's"}, as it was at registration`;
};

/**
 * Recognizes a copied key by its counter (WebAuthn Level 3, section 6.1.1), which did not rise.
 * Authenticators without a counter always send 0.
 */
export const counterProblem = (signCount: number, stored: number): string | undefined =>
  (signCount > 0 || stored > 0) && signCount <= stored
    ? `authenticatorData.signCount is ${signCount}, not above the last one, ${stored}`
    : undefined;
