import { bytesOf, failCheck, failParse } from "./webauthn-check.ts";

/** A browser's description of its call (WebAuthn Level 3, section 5.8.1). */
export interface ClientData {
  type: string;
  challenge: string;
  origin: string;
  /** Set when the call came from a frame of another origin. */
  topOrigin?: string;
  /** The signed bytes, unpadded base64url. */
  bytes: string;
}

/** Recognizes a challenge as a browser writes it; no bytes encode to a length of 1 modulo 4. */
const isBase64url = (text: string) => /^[A-Za-z0-9_-]+$/.test(text) && text.length % 4 !== 1;

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return failParse("clientDataJson is not JSON in UTF-8");
  }
};

const textOf = (json: object, member: string): string => {
  const value = (json as Record<string, unknown>)[member];
  return typeof value === "string"
    ? value
    : failParse(`clientDataJson.${member} is missing or not a string`);
};

/** Reads `clientDataJson` as it is sent; fails when it is not client data. */
export const decodeClientData = (clientDataJson: unknown): ClientData => {
  const bytes = bytesOf(clientDataJson, "clientDataJson");
  const json = jsonOf(bytes);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return failParse("clientDataJson is not a JSON object");
  const challenge = textOf(json, "challenge");
  if (!isBase64url(challenge)) failParse("clientDataJson.challenge is not base64url");
  const { topOrigin } = json as Record<string, unknown>;
  return {
    type: textOf(json, "type"),
    challenge,
    origin: textOf(json, "origin"),
    ...(typeof topOrigin === "string" && { topOrigin }),
    bytes: bytes.toString("base64url"),
  };
};

/** Whether the client signed the issued text or the bytes that the text encodes. */
const answers = (challenge: string, issued: string) =>
  challenge === issued || challenge === Buffer.from(issued, "utf8").toString("base64url");

/** Checks the kind of the call and its challenge. */
export const checkClientData = (
  client: ClientData,
  expected: { type: "webauthn.create" | "webauthn.get"; challenge: string },
) => {
  if (client.type !== expected.type) failCheck(`clientDataJson.type is not ${expected.type}`);
  if (!answers(client.challenge, expected.challenge))
    failCheck("clientDataJson.challenge is not the issued challenge");
};
