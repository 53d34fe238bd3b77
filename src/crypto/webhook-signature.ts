import { type SigningKey, signBytes } from "./ecdsa.ts";

/**
 * How the header of a webhook carries its signature (decisions.md, "Headers and signatures"): the base64
 * alone, or `{"v":"1","s":"<base64>"}`.
 */
export const SIGNATURE_FORMS = ["base64", "json"] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

/** The keys of a world's webhooks: the one that signs, and those that did, newest first. */
export interface WebhookKeys {
  current: SigningKey;
  retired: readonly SigningKey[];
  form: SignatureForm;
}

const WRITTEN: Readonly<Record<SignatureForm, (signature: string) => string>> = {
  base64: (signature) => signature,
  json: (signature) => JSON.stringify({ v: "1", s: signature }),
};

/** The header of a base64 signature. */
export const inForm = (form: SignatureForm, signature: string) => WRITTEN[form](signature);

/** The header of a delivery: the signature of its bytes with a key. */
export const signatureHeader = (form: SignatureForm, key: SigningKey, bytes: Buffer) =>
  WRITTEN[form](signBytes(key, bytes));

/** The base64 in a header of the form `json`; nothing for any other text. */
export const unwrappedSignature = (header: string): string | undefined => {
  try {
    const { s } = JSON.parse(header) as { s?: unknown };
    return typeof s === "string" ? s : undefined;
  } catch {
    return undefined;
  }
};

/** The base64 in a header of either form. */
export const bareSignature = (header: string) => unwrappedSignature(header) ?? header;
