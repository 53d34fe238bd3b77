import { createPrivateKey, generateKeyPairSync, randomBytes } from "node:crypto";
import type { Storage } from "unstorage";
import { readImage, StateDamage, storeImage } from "./image.ts";

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

const PLACE = { kind: "identity" } as const;

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

/** A new identity, with what is known of it. */
export const drawIdentity = (given: GivenIdentity): Identity => ({
  clientId: given.clientId ?? "sandbox",
  clientSecret: given.clientSecret ?? `sk_sim_${randomBytes(12).toString("base64url")}`,
  webhookKeyPem: given.webhookKeyPem ?? newKeyPem(),
  oidcKeyPem: newKeyPem(),
  seed: given.seed ?? randomBytes(4).toString("hex"),
  ...(given.startMs !== undefined && { startMs: given.startMs }),
  ...(given.openedAtMs !== undefined && { openedAtMs: given.openedAtMs }),
  ...(given.clockMode && { clockMode: given.clockMode }),
});

const isKeyPem = (pem: unknown) => {
  try {
    return createPrivateKey(String(pem)).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
};

/** An identity of before identities had a checksum; the first ones had no issuer. */
const isPlainIdentity = (body: unknown): body is Identity => {
  const one = body as Partial<Identity>;
  const texts = [one.clientId, one.clientSecret, one.seed];
  const retired: unknown[] = Array.isArray(one.retiredWebhookKeyPems)
    ? one.retiredWebhookKeyPems
    : [];
  const issuer = one.oidcKeyPem === undefined ? [] : [one.oidcKeyPem];
  return (
    texts.every((text) => typeof text === "string" && text !== "") &&
    [one.webhookKeyPem, ...retired, ...issuer].every(isKeyPem) &&
    (one.startMs === undefined || Number.isSafeInteger(one.startMs)) &&
    (one.clockMode === undefined || one.clockMode === "real" || one.clockMode === "manual")
  );
};

/** How an identity may be read. */
export interface IdentityMode {
  /** The journal says that files had no checksum yet. */
  takesPlain: boolean;
}

/** The identity as it is stored, or why it cannot be read; nothing when there is none. */
export const readIdentity = (storage: Storage, { takesPlain }: IdentityMode) =>
  readImage<Identity>(storage, PLACE, takesPlain ? isPlainIdentity : undefined);

/** The state an identity belongs to. */
export interface IdentityOwner extends IdentityMode {
  /** Path of the identity file. */
  file: string;
  /** It has no record yet: nobody knows its identity, so a missing one is drawn anew. */
  isNew: boolean;
}

/** Keys and secrets cannot be found anywhere else: without them a state does not go on. */
export const identityDamage = (file: string, found: string) =>
  new StateDamage(
    { part: "identity", expected: "the secret and keys of this state" },
    { file, found, why: "its clients and receivers know no others" },
  );

/**
 * The identity of a state with records, as it is stored.
 * @throws StateDamage
 */
export const keptIdentity = async (
  storage: Storage,
  { file, takesPlain }: Pick<IdentityOwner, "file" | "takesPlain">,
): Promise<Identity> => {
  const image = await readIdentity(storage, { takesPlain });
  if (!image || "found" in image) throw identityDamage(file, image?.found ?? "no file");
  return image.body;
};

/**
 * The identity of a state: what is given now, else what is in storage, else drawn. It is stored
 * before it is used, so that a restart goes on with it.
 * @throws StateDamage when a state with records has lost it
 */
export const keepIdentity = async (
  storage: Storage,
  given: GivenIdentity,
  { file, isNew, takesPlain }: IdentityOwner,
): Promise<Identity> => {
  const image = await readIdentity(storage, { takesPlain });
  const kept = image && "body" in image ? image : undefined;
  if (!kept && !isNew)
    throw identityDamage(file, image && "found" in image ? image.found : "no file");
  const identity = kept ? continued(kept.body, given) : drawIdentity(given);
  // A state from before there was an issuer, or a checksum, gets it now.
  const isAsStored = kept?.isSealed && kept.body.oidcKeyPem && Object.keys(given).length === 0;
  if (!isAsStored) await storeIdentity(storage, identity);
  return identity;
};

const continued = (kept: Identity, given: GivenIdentity): Identity => ({
  ...withWebhookKey(kept, given.webhookKeyPem ?? kept.webhookKeyPem),
  oidcKeyPem: kept.oidcKeyPem ?? newKeyPem(),
  ...given,
});

/** Stores an identity for every later start. */
export const storeIdentity = (storage: Storage, identity: Identity): Promise<void> =>
  storeImage(storage, PLACE, identity);

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
