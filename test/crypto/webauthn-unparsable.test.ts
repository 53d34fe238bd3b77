import { beforeAll, describe, expect, test } from "vitest";
import { createPasskey } from "../../src/crypto/software-authenticator.ts";
import { type Attestation, verifyRegistration } from "../../src/crypto/webauthn.ts";
import { bytes, coseKey, overwritten, reworked, text } from "./setup/passkey-rework.ts";

const CHALLENGE = "cmVnaXN0cmF0aW9uLWNoYWxsZW5nZQ"; // "registration-challenge"

const verdictOn = (attestation: Attestation, challenge = CHALLENGE) =>
  verifyRegistration({ attestation, challenge });

describe("unreadable input has a verdict of its own", () => {
  let good: Attestation;

  beforeAll(async () => {
    const wish = {
      rpId: "shop.example",
      origin: "https://shop.example",
      algorithm: "ES256",
    } as const;
    good = (await createPasskey({ challenge: CHALLENGE, ...wish })).attestation;
  });

  const object = (members: [string, unknown][]) =>
    text(coseKey(members as unknown as [number, number][]));

  const authData = (data: Uint8Array) => reworked(good, { authData: () => data }).attestationObject;

  test.each([
    { member: "credentialId", value: () => "not base64url", says: "credentialId is not base64url" },
    { member: "clientDataJson", value: () => "", says: "clientDataJson is not base64url" },
    { member: "clientDataJson", value: () => text("{"), says: "is not JSON in UTF-8" },
    { member: "clientDataJson", value: () => text(Buffer.of(0x22, 0xff, 0x22)), says: "UTF-8" },
    {
      member: "clientDataJson",
      value: () => text("[]"),
      says: "clientDataJson is not a JSON object",
    },
    { member: "clientDataJson", value: () => text("null"), says: "is not a JSON object" },
    { member: "clientDataJson", value: () => text("{}"), says: "clientDataJson.challenge is" },
    {
      member: "clientDataJson",
      value: () => text('{"challenge":"YQ","type":"webauthn.create"}'),
      says: "clientDataJson.origin is missing or not a string",
    },
    {
      member: "clientDataJson",
      value: () => text('{"challenge":"YQ","type":7,"origin":"https://shop.example"}'),
      says: "clientDataJson.type is missing or not a string",
    },
    { member: "attestationObject", value: () => "!", says: "attestationObject is not base64url" },
    { member: "attestationObject", value: () => "/w", says: "attestationObject is not base64url" },
    {
      member: "attestationObject",
      value: () => text(Buffer.of(0x61, 0x41)),
      says: "attestationObject is not a CBOR map",
    },
    { member: "attestationObject", value: () => text(Buffer.of(0xa1)), says: "cannot be read: " },
    {
      member: "attestationObject",
      value: () => object([]),
      says: "attestationObject.fmt is missing",
    },
    {
      member: "attestationObject",
      value: () => object([["fmt", "none"]]),
      says: "attestationObject.attStmt is missing",
    },
    {
      member: "attestationObject",
      value: () =>
        object([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", "text"],
        ]),
      says: "attestationObject.authData is missing or not bytes",
    },
    {
      member: "attestationObject",
      value: () => authData(new Uint8Array(36)),
      says: "attestationObject.authData cannot be read: Authenticator data was 36 bytes",
    },
    {
      member: "attestationObject",
      value: () => authData(new Uint8Array(38)),
      says: "attestationObject.authData cannot be read: Leftover bytes",
    },
    {
      member: "attestationObject",
      value: () => text(Buffer.concat([bytes(good.attestationObject), Buffer.alloc(1)])),
      says: "attestationObject cannot be read: it is cut short, or continues past its end",
    },
    {
      // The last length byte of the COSE key, for y, is one too high.
      member: "attestationObject",
      value: () =>
        reworked(good, { authData: (data) => overwritten(data.length - 33, 33)(data) })
          .attestationObject,
      says: "attestationObject.authData cannot be read: it is cut short",
    },
  ])("$member: $says", async ({ member, value, says }) => {
    const { kind, ...rest } = await verdictOn({ ...good, [member]: value() });
    expect(kind).toBe("unparsable");
    expect(rest).toEqual({ check: expect.stringContaining(says) });
  });

  test("the description's own example cannot be read", async () => {
    const attestation = {
      credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
      clientDataJson: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYzBGdC4uLiJ9",
      attestationObject: "o2NmbXRkbm9uZQ",
      transports: ["internal"],
    };
    const verdict = await verdictOn(attestation, "c0FtcGxlLXJlZy1jaGFsbGVuZ2UtMDEyMzQ1Njc4OQ");
    expect(verdict).toEqual({
      kind: "unparsable",
      check: "clientDataJson.challenge is not base64url",
    });
  });

  test("a challenge of 45 characters, as in the published sample, encodes no bytes", async () => {
    const sent = reworked(good, {
      clientData: (json) => ({ ...json, challenge: "Q".repeat(45) }),
    });
    expect(await verdictOn(sent, `${"Q".repeat(44)}q`)).toEqual({
      kind: "unparsable",
      check: "clientDataJson.challenge is not base64url",
    });
  });

  test("what cannot be read is not judged: that it is wrong too does not matter", async () => {
    const sent = reworked(good, { clientData: (json) => ({ ...json, type: "webauthn.get" }) });
    const verdict = await verdictOn({ ...sent, attestationObject: "oA" }, "YW5vdGhlcg");
    expect(verdict).toMatchObject({ kind: "unparsable" });
  });
});
