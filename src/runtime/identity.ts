import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Storage } from "unstorage";

/** What a simulator keeps across restarts and resets: who may call it, and what signs for it. */
export interface Identity {
  clientId: string;
  clientSecret: string;
  /** P-256 private key of the webhooks, PEM (PKCS 8). */
  webhookKeyPem: string;
  seed: string;
}

const KEY = "identity";

const drawIdentity = (seed: string | undefined): Identity => ({
  clientId: "sandbox",
  clientSecret: `sk_sim_${randomBytes(12).toString("base64url")}`,
  webhookKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }) as string,
  seed: seed ?? randomBytes(4).toString("hex"),
});

/** The identity in storage, or a new one that is stored before it is used. */
export const keepIdentity = async (storage: Storage, seed: string | undefined) => {
  const kept = await storage.getItem<Identity>(KEY);
  if (kept) return { identity: kept, isNew: false };
  const identity = drawIdentity(seed);
  await storage.setItem(KEY, identity as never);
  return { identity, isNew: true };
};
