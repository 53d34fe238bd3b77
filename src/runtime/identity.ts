import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Storage } from "unstorage";

/** What a simulator keeps across restarts and resets: who may call it, and what signs for it. */
export interface Identity {
  clientId: string;
  clientSecret: string;
  /** P-256 private key of the webhooks, PEM (PKCS 8). */
  webhookKeyPem: string;
  /** P-256 private key of the built-in token issuer, PEM (PKCS 8). */
  oidcKeyPem: string;
  seed: string;
  /** How the world began, so that a reset begins it the same way; none: at the wall's time. */
  startMs?: number;
  clockMode?: "real" | "manual";
}

const KEY = "identity";

/** What a start may say of the identity; the rest is kept, or drawn once. */
export type GivenIdentity = Partial<Identity>;

const newKeyPem = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;

const draw = (given: GivenIdentity): Identity => ({
  clientId: given.clientId ?? "sandbox",
  clientSecret: given.clientSecret ?? `sk_sim_${randomBytes(12).toString("base64url")}`,
  webhookKeyPem: given.webhookKeyPem ?? newKeyPem(),
  oidcKeyPem: newKeyPem(),
  seed: given.seed ?? randomBytes(4).toString("hex"),
  ...(given.startMs !== undefined && { startMs: given.startMs }),
  ...(given.clockMode && { clockMode: given.clockMode }),
});

/**
 * The identity of a state: what is given now, else what is in storage, else drawn. It is stored
 * before it is used, so that a restart goes on with it.
 */
export const keepIdentity = async (storage: Storage, given: GivenIdentity): Promise<Identity> => {
  const kept = await storage.getItem<Identity>(KEY);
  // A state from before there was an issuer gets its key now.
  const identity = kept
    ? { ...kept, oidcKeyPem: kept.oidcKeyPem ?? newKeyPem(), ...given }
    : draw(given);
  if (!kept?.oidcKeyPem || Object.keys(given).length > 0)
    await storage.setItem(KEY, identity as never);
  return identity;
};
