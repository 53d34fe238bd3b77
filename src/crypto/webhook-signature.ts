import type { SignatureForm } from "../contract/core/world-settings.ts";
import { type SigningKey, signBytes } from "./ecdsa.ts";

/**
 * Webhook keys of a world: the present one, and retired ones, newest first (spec/webhooks.md#keys).
 */
export interface WebhookKeys {
  current: SigningKey;
  retired: readonly SigningKey[];
  form: SignatureForm;
}

const WRITTEN: Readonly<Record<SignatureForm, (signature: string) => string>> = {
  base64: (signature) => signature,
  json: (signature) => JSON.stringify({ v: "1", s: signature }),
};

/** Writes a base64 signature in the header's form. */
export const inForm = (form: SignatureForm, signature: string) => WRITTEN[form](signature);

/** Signs a delivery's bytes and writes the header. */
export const signatureHeader = (form: SignatureForm, key: SigningKey, bytes: Buffer) =>
  WRITTEN[form](signBytes(key, bytes));

/** Reads the base64 from a header of the form `json`; nothing for any other text. */
export const unwrappedSignature = (header: string): string | undefined => {
  try {
    const { s } = JSON.parse(header) as { s?: unknown };
    return typeof s === "string" ? s : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the base64 from a header of either form. */
export const bareSignature = (header: string) => unwrappedSignature(header) ?? header;
