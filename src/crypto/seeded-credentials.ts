import { createHash, createPrivateKey } from "node:crypto";
import { isPrivateKey, privateJwk } from "./p256.ts";

/** Credentials that follow from the seed, so everyone who knows it can make them. */
export interface SeededCredentials {
  clientSecret: string;
  /** P-256 private key of the webhooks, PEM (PKCS 8). */
  webhookKeyPem: string;
  /** P-256 private key of the built-in token issuer, PEM (PKCS 8). */
  oidcKeyPem: string;
}

const SECRET_BYTES = 12;

const digestOf = (purpose: string, seed: string) =>
  createHash("sha256").update(`service-sim ${purpose} of seed ${seed}`).digest();

/** The first hash that is a valid private scalar: about 1 in 2^32 is zero or above the order. */
const scalarOf = (purpose: string, seed: string) => {
  for (let attempt = 0; ; attempt += 1) {
    const scalar = digestOf(`${purpose} ${attempt}`, seed).toString("hex");
    if (isPrivateKey(scalar)) return scalar;
  }
};

/** A P-256 private key, PEM, that a purpose and a text decide; anyone can make it. */
export const derivedKeyPem = (purpose: string, text: string) => pemOf(scalarOf(purpose, text));

const pemOf = (scalar: string) =>
  createPrivateKey({ key: privateJwk(scalar), format: "jwk" }).export({
    type: "pkcs8",
    format: "pem",
  }) as string;

/**
 * The client secret, the webhook key and the token issuer's key of a seed
 * (spec/clock.md#determinism): the same each time, on any machine.
 */
export const seededCredentials = (seed: string): SeededCredentials => ({
  clientSecret: `sk_sim_${digestOf("client secret", seed).subarray(0, SECRET_BYTES).toString("base64url")}`,
  webhookKeyPem: derivedKeyPem("webhook key", seed),
  oidcKeyPem: derivedKeyPem("token key", seed),
});

/** A credential derived from the seed. */
export type Guessable = "client secret" | "webhook key" | "token issuer's key";

/** The credentials of a simulator that everyone who knows its seed can make. */
export const guessableOf = (identity: SeededCredentials & { seed: string }): Guessable[] => {
  const { clientSecret, webhookKeyPem, oidcKeyPem } = seededCredentials(identity.seed);
  return [
    ...(identity.clientSecret === clientSecret ? ["client secret" as const] : []),
    ...(identity.webhookKeyPem === webhookKeyPem ? ["webhook key" as const] : []),
    ...(identity.oidcKeyPem === oidcKeyPem ? ["token issuer's key" as const] : []),
  ];
};
