import type { ControlClient } from "../../client/control-client.ts";
import type { ShownKeys } from "../../contract/control/webhook-keys.ts";
import type { WebhookRequest } from "../../contract/control/webhooks.ts";
import { defined } from "../../contract/core/defined.ts";
import type { SignatureForm } from "../../contract/core/world-settings.ts";
import { isPublicKey } from "../../crypto/ecdsa.ts";
import { diagnoseSignature, type SignatureVerdict } from "../../crypto/signature-diagnosis.ts";
import type { Circumstances } from "../../crypto/signature-mistakes.ts";
import { bareSignature } from "../../crypto/webhook-signature.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { readUserText } from "../../machine/user-text.ts";
import { usageError } from "../frame/command.ts";
import { bodyOf } from "../frame/reach.ts";
import { signatureIn } from "./signature-header.ts";

/** Keys that may have signed a delivery: the one to check with, and other known ones. */
export interface KnownKeys {
  publicPem: string;
  is: string;
  others: Circumstances["otherKeys"];
  /** The simulator's signature format; base64 alone when no simulator is reached. */
  form: SignatureForm;
}

/** Reads a public key from a PEM file, on P-256. */
export const keyFileOf = (file: string): string => {
  const wrongKey = (what: string) =>
    usageError(
      `Expected --key to name a public key on P-256 as PEM but found ${what}`,
      "service-sim webhooks key > webhook.pem    writes the simulator's key",
    );
  let pem: string;
  try {
    pem = readUserText(file);
  } catch (error) {
    throw wrongKey(`${fileFault(error)} at ${file}`);
  }
  if (!isPublicKey(pem)) throw wrongKey(`something else in ${file}`);
  return pem;
};

const normal = (pem: string) => pem.replaceAll("\r\n", "\n").trim();

/** The keys of a simulator, after a key that was given. */
export const knownKeysOf = (
  reply: ShownKeys | undefined,
  keyPem: string | undefined,
): KnownKeys | undefined => {
  const ours = reply
    ? [
        { publicPem: reply.current.publicKey, is: "the current signing key" },
        ...reply.retired.map(({ publicKey }) => ({
          publicPem: publicKey,
          is: "a retired key",
        })),
      ]
    : [];
  const form = reply?.form ?? "base64";
  if (keyPem === undefined) {
    const [current, ...others] = ours;
    return current && { publicPem: current.publicPem, is: "the current one", others, form };
  }
  const others = ours.filter(({ publicPem }) => normal(publicPem) !== normal(keyPem));
  return { publicPem: keyPem, is: "the one of --key", others, form };
};

/** The delivery a simulator sent under the id in a body, even if the body was changed. */
export const sentUnder = async (
  client: ControlClient,
  body: Buffer,
): Promise<(NonNullable<Circumstances["sent"]> & { id: string }) | undefined> => {
  const id = /Webhook:[0-9a-f-]{36}/.exec(body.toString("utf8"))?.[0];
  if (id === undefined) return undefined;
  const reply = await client.get<WebhookRequest>(`/webhooks/${encodeURIComponent(id)}/request`);
  if (reply.status !== 200) return undefined;
  const { base64, headers, signed } = bodyOf(reply);
  const header = signatureIn(headers)?.value;
  const sent = signed === undefined ? Buffer.from(base64, "base64") : Buffer.from(signed);
  return { id, body: sent, ...defined({ header }) };
};

/** The part of a header to check: in the form `json` its wrapper is not a mistake. */
const unwrap = (header: string, { form }: KnownKeys) =>
  form === "json" ? bareSignature(header) : header;

const HEADER_NAME = /^\s*x-[a-z0-9]+-signature\s*:\s*/i;

/** Takes the value out of a copied header with its name and spaces. */
export const headerValue = (text: string) => text.replace(HEADER_NAME, "").trim();

/** Verifies a delivery against the available evidence. */
export const judgeDelivery = (
  { header, body }: { header: string; body: Buffer },
  keys: KnownKeys,
  sent: Circumstances["sent"],
): SignatureVerdict =>
  diagnoseSignature(
    { header: unwrap(headerValue(header), keys), body, publicPem: keys.publicPem },
    {
      otherKeys: keys.others,
      ...(sent && {
        sent: {
          ...sent,
          ...(sent.header !== undefined && { header: unwrap(sent.header, keys) }),
        },
      }),
    },
    keys.is,
  );
