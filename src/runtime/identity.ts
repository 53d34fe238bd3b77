import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Storage } from "unstorage";

/** What a simulator keeps across restarts and resets: who may call it, and what signs for it. */
export interface Identity {
  clientId: string;
  clientSecret: string;
  /** P-256 private key of the webhooks, PEM (PKCS 8). */
  webhookKeyPem: string;
  /** Those that signed before it, newest first. */
  retiredWebhookKeyPems?: readonly string[];
  /** P-256 private key of the built-in token issuer, PEM (PKCS 8). */
  oidcKeyPem: string;
  seed: string;
  /** How the world began, so that a reset begins it the same way; none: at the wall's time. */
  startMs?: number;
  /** Its first instant, said or not; missing in state from before it was kept. */
  openedAtMs?: number;
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

/** Retired keys that are kept; older ones are forgotten. */
const MAX_RETIRED = 20;

/** The identity with another key for its webhooks; the one it had is kept as retired. */
export const withWebhookKey = (identity: Identity, webhookKeyPem: string): Identity => {
  if (webhookKeyPem === identity.webhookKeyPem) return identity;
  const retired = [identity.webhookKeyPem, ...(identity.retiredWebhookKeyPems ?? [])];
  const others = retired.filter((pem) => pem !== webhookKeyPem);
  return { ...identity, webhookKeyPem, retiredWebhookKeyPems: others.slice(0, MAX_RETIRED) };
};

const draw = (given: GivenIdentity): Identity => ({
  clientId: given.clientId ?? "sandbox",
  clientSecret: given.clientSecret ?? `sk_sim_${randomBytes(12).toString("base64url")}`,
  webhookKeyPem: given.webhookKeyPem ?? newKeyPem(),
  oidcKeyPem: newKeyPem(),
  seed: given.seed ?? randomBytes(4).toString("hex"),
  ...(given.startMs !== undefined && { startMs: given.startMs }),
  ...(given.openedAtMs !== undefined && { openedAtMs: given.openedAtMs }),
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
    ? {
        ...withWebhookKey(kept, given.webhookKeyPem ?? kept.webhookKeyPem),
        oidcKeyPem: kept.oidcKeyPem ?? newKeyPem(),
        ...given,
      }
    : draw(given);
  if (!kept?.oidcKeyPem || Object.keys(given).length > 0) await storeIdentity(storage, identity);
  return identity;
};

/** Stores an identity for every later start. */
export const storeIdentity = (storage: Storage, identity: Identity): Promise<void> =>
  storage.setItem(KEY, identity as never);

/** Who a simulator is: what it was opened with, and what it becomes while it runs. */
export class KeptIdentity {
  now: Identity;
  private readonly storage: Storage;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, identity: Identity) {
    this.storage = storage;
    this.now = identity;
  }

  /** Signs with a new key from now on; it is stored before it is used. One after the other. */
  rotateWebhookKey(): Promise<void> {
    const rotated = this.changing.then(async () => {
      const identity = withWebhookKey(this.now, newKeyPem());
      await storeIdentity(this.storage, identity);
      this.now = identity;
    });
    this.changing = rotated.catch(() => {});
    return rotated;
  }
}
