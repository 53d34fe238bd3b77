import {
  isSignatureOver,
  type ParsedSignature,
  parseWalletSignature,
} from "../../../src/crypto/wallet-signatures.ts";
import { KNOWN } from "./known-answer.ts";

export const PAYLOAD =
  '{"organizationId":"org_sim_42","parameters":{"apiKeyIds":["apikey_sim_9"],' +
  '"userId":"user_sim_7"},"timestampMs":"1780388431000","type":"ACTIVITY_TYPE_DELETE_API_KEYS"}';

type Stamp = Extract<ParsedSignature, { form: "stamp" }>;
type Bare = Extract<ParsedSignature, { form: "bare" }>;

export const stampIn = (header: string): Stamp => {
  const parsed = parseWalletSignature(header);
  if (parsed.form !== "stamp") throw new Error(`Expected a stamp but found ${parsed.form}`);
  return parsed;
};

export const bareIn = (header: string): Bare => {
  const parsed = parseWalletSignature(header);
  if (parsed.form !== "bare") throw new Error(`Expected a bare signature, found ${parsed.form}`);
  return parsed;
};

/** The verdict on a header for a payload, as a verifier would reach it. */
export const verdict = (
  header: string,
  payload = PAYLOAD,
  publicKeyHex: string = KNOWN.sessionPublic,
) => {
  const parsed = parseWalletSignature(header);
  if (parsed.form === "malformed") return "malformed";
  if (parsed.form === "stamp" && parsed.publicKeyHex !== publicKeyHex) return "another key";
  return isSignatureOver(payload, { der: parsed.der, publicKeyHex }) ? "good" : "bad";
};

export const base64Url = (text: string) => Buffer.from(text).toString("base64url");

export const stampOf = (members: object) => base64Url(JSON.stringify(members));
