import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { ClockMode } from "../../contract/control/clock-modes.ts";
import { defined } from "../../contract/core/defined.ts";
import { StateDamage } from "../../runtime/damage.ts";
import { readItem, storeItem } from "../format/checked-file.ts";
import type { Items, ReadItems } from "../port/items.ts";

/** Credentials and signing keys of a simulator, which survive restarts and resets. */
export interface Identity {
  clientId: string;
  clientSecret: string;
  /** P-256 private key of the webhooks, PEM (PKCS 8). */
  webhookKeyPem: string;
  /** Its earlier keys, newest first. */
  retiredWebhookKeyPems?: readonly string[];
  /** P-256 private key of the built-in token issuer, PEM (PKCS 8). */
  oidcKeyPem: string;
  seed: string;
  /**
   * First instant that the start named, for resets; absent if the world began at the system time.
   */
  startMs?: number;
  /** First instant, named or not; missing in state from before it was kept. */
  openedAtMs?: number;
  clockMode?: ClockMode;
  /** Speed of a real clock; absent where it is 1. */
  clockSpeed?: number | undefined;
}

/** Parts of the identity that a start may name; the others are kept, or drawn once. */
export type GivenIdentity = Partial<Identity>;

/** A new P-256 private key, PEM (PKCS 8). */
export const newKeyPem = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string;

/** Retired keys that are kept (spec/webhooks.md#keys); older ones are forgotten. */
const MAX_RETIRED = 20;

/** The identity with a new webhook key; the present one becomes a retired key. */
export const withWebhookKey = (identity: Identity, webhookKeyPem: string): Identity => {
  if (webhookKeyPem === identity.webhookKeyPem) return identity;
  const retired = [identity.webhookKeyPem, ...(identity.retiredWebhookKeyPems ?? [])];
  const others = retired.filter((pem) => pem !== webhookKeyPem);
  return { ...identity, webhookKeyPem, retiredWebhookKeyPems: others.slice(0, MAX_RETIRED) };
};

/** A new identity: the given parts, and the others drawn. */
export const drawIdentity = (parts: GivenIdentity): Identity => ({
  clientId: parts.clientId ?? "sandbox",
  clientSecret: parts.clientSecret ?? `sk_sim_${randomBytes(12).toString("base64url")}`,
  webhookKeyPem: parts.webhookKeyPem ?? newKeyPem(),
  oidcKeyPem: parts.oidcKeyPem ?? newKeyPem(),
  seed: parts.seed ?? randomBytes(4).toString("hex"),
  ...defined({ startMs: parts.startMs, openedAtMs: parts.openedAtMs }),
  ...defined({ clockMode: parts.clockMode, clockSpeed: parts.clockSpeed }),
});

/** The stored identity, or why it cannot be read; nothing when there is none. */
export const readIdentity = (items: ReadItems) => readItem<Identity>(items, "identity");

/**
 * Damage to keys and secrets: no other copy exists, so the state cannot be started without them
 * (decisions/no-new-identity.md).
 */
export const identityDamage = (items: ReadItems, found: string) =>
  new StateDamage(
    { part: "identity", expected: "the secret and keys of this state" },
    { file: items.placeOf("identity"), found, why: "its clients and receivers know no others" },
  );

/**
 * The stored identity of a state with records.
 * @throws StateDamage
 */
export const keptIdentity = async (items: ReadItems): Promise<Identity> => {
  const image = await readIdentity(items);
  if (!image || "found" in image) throw identityDamage(items, image?.found ?? "no file");
  return image.body;
};

/**
 * The identity of a state: given parts first, then stored ones, then drawn ones. It is stored
 * before it is used, so that a restart has the same one.
 * @param state.isNew true while the state has no record: a missing identity can then be drawn
 * @throws StateDamage when a state with records has lost it
 */
export const keepIdentity = async (
  items: Items,
  parts: GivenIdentity,
  { isNew }: { isNew: boolean },
): Promise<Identity> => {
  const image = await readIdentity(items);
  const kept = image && "body" in image ? image : undefined;
  if (!kept && !isNew)
    throw identityDamage(items, image && "found" in image ? image.found : "no file");
  const identity = kept ? continued(kept.body, parts) : drawIdentity(parts);
  if (!kept || Object.keys(parts).length > 0) await storeIdentity(items, identity);
  return identity;
};

const continued = (kept: Identity, parts: GivenIdentity): Identity => ({
  ...withWebhookKey(kept, parts.webhookKeyPem ?? kept.webhookKeyPem),
  oidcKeyPem: kept.oidcKeyPem ?? newKeyPem(),
  ...parts,
});

/** Stores an identity for later starts. */
export const storeIdentity = (items: Items, identity: Identity): Promise<void> =>
  storeItem(items, "identity", identity);

/** The identity of a running simulator, which changes when a key is rotated. */
export class KeptIdentity {
  now: Identity;
  private readonly items: Items;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(items: Items, identity: Identity) {
    this.items = items;
    this.now = identity;
  }

  /**
   * Signs with a new key from now on, stored before its first use (spec/webhooks.md#keys).
   * Concurrent rotations run one after the other.
   */
  rotateWebhookKey(newPem: () => string = newKeyPem): Promise<void> {
    const rotated = this.changing.then(async () => {
      const identity = withWebhookKey(this.now, newPem());
      await this.store(identity);
      this.now = identity;
    });
    this.changing = rotated.catch(() => {});
    return rotated;
  }

  private async store(identity: Identity) {
    try {
      await storeIdentity(this.items, identity);
    } catch (error) {
      // The new file may be there already, and only its name not synced.
      await storeIdentity(this.items, this.now).catch(() => {});
      throw error;
    }
  }
}
