import { describe, expect, test, vi } from "vitest";
import { createPasskey } from "../../src/crypto/software-authenticator.ts";
import { type Attestation, verifyRegistration } from "../../src/crypto/webauthn.ts";
import {
  AT,
  coseKey,
  credentialOf,
  overwritten,
  type Rework,
  reworked,
  text,
  VECTORS,
} from "./setup/passkey-rework.ts";

const CHALLENGE = "cmVnaXN0cmF0aW9uLWNoYWxsZW5nZQ"; // "registration-challenge"
const ORIGIN = "https://app.shop.example";

const made = (differs: Partial<Parameters<typeof createPasskey>[0]> = {}) =>
  createPasskey({
    challenge: CHALLENGE,
    rpId: "shop.example",
    origin: ORIGIN,
    algorithm: "ES256",
    ...differs,
  });

const verdictOn = (attestation: Attestation, challenge = CHALLENGE) =>
  verifyRegistration({ attestation, challenge });

// spec/passkeys.md#algorithms
describe("what the software authenticator makes is verified", () => {
  test.each([
    { algorithm: "ES256", attestation: "none", number: -7, key: /^pQECAyYgASFYI/ },
    { algorithm: "ES256", attestation: "packed", number: -7, key: /^pQECAyYgASFYI/ },
    { algorithm: "EdDSA", attestation: "none", number: -8, key: /^pAEBAycgBiFYI/ },
    { algorithm: "EdDSA", attestation: "packed", number: -8, key: /^pAEBAycgBiFYI/ },
    { algorithm: "RS256", attestation: "none", number: -257, key: /^pAEDAzkBACBZAQ.*IUMBAAE$/ },
    { algorithm: "RS256", attestation: "packed", number: -257, key: /^pAEDAzkBACBZAQ/ },
  ] as const)("$algorithm, $attestation", async ({ algorithm, attestation, number, key }) => {
    const { passkey, attestation: sent } = await made({ algorithm, attestation });
    expect(await verdictOn(sent)).toEqual({
      kind: "verified",
      credentialId: passkey.credentialId,
      publicKeyCose: expect.stringMatching(key),
      algorithm: number,
      counter: 0,
      rpIdHash: "D1lGPGBsWw5dPagfNuP3wXWsIwxg51whRM47dSJHYHw",
    });
  });
});

test.each(VECTORS)("$name is verified as another implementation made it", async (vector) => {
  const { challenge, attestation } = vector.registration;
  expect(await verdictOn(attestation, challenge)).toMatchObject({
    kind: "verified",
    credentialId: attestation.credentialId,
    algorithm: vector.algorithm,
  });
});

const WORDS = "words that are no base64url";

describe("the challenge", () => {
  test.each([
    { what: "the issued text", issued: CHALLENGE, signed: CHALLENGE },
    { what: "the bytes of the text", issued: "00ff", signed: text("00ff") },
    { what: "the bytes of words", issued: WORDS, signed: "d29yZHMgdGhhdCBhcmUgbm8gYmFzZTY0dXJs" },
  ])("may be signed as $what", async ({ issued, signed }) => {
    const { attestation } = await made();
    const sent = reworked(attestation, {
      clientData: (json) => ({ ...json, challenge: signed }),
    });
    expect(await verdictOn(sent, issued)).toMatchObject({ kind: "verified" });
  });

  test.each([
    { what: "another one", issued: "YW5vdGhlcg" },
    { what: "one letter in the other case", issued: "cmVnaXN0cmF0aW9uLWNoYWxsZW5nZq" },
    { what: "padded", issued: `${CHALLENGE}==` },
    { what: "its first half", issued: CHALLENGE.slice(0, 20) },
    { what: "nothing", issued: "" },
  ])("is refused when it is not the issued one: $what", async ({ issued }) => {
    const { attestation } = await made();
    expect(await verdictOn(attestation, issued)).toEqual({
      kind: "refused",
      check: "clientDataJson.challenge is not the issued challenge",
    });
  });
});

describe("the relying party is the origin's host or a parent domain", () => {
  test.each([
    { origin: "https://shop.example", rpId: "shop.example" },
    { origin: "https://shop.example:8443", rpId: "shop.example" },
    { origin: "https://app.shop.example", rpId: "app.shop.example" },
    { origin: "https://a.b.shop.example", rpId: "shop.example" },
    { origin: "http://localhost:3000", rpId: "localhost" },
    { origin: "http://app.shop.localhost", rpId: "shop.localhost" },
    { origin: "http://shop.localhost", rpId: "localhost" },
    { origin: "http://127.0.0.1:3000", rpId: "127.0.0.1" },
    { origin: "http://127.8.9.10", rpId: "127.8.9.10" },
    { origin: "http://[::1]:3000", rpId: "[::1]" },
    { origin: "http://[::1]", rpId: "::1" },
    { origin: "https://10.0.0.1", rpId: "10.0.0.1" },
  ])("$rpId on a page of $origin", async ({ origin, rpId }) => {
    const { attestation } = await made({ origin, rpId });
    expect(await verdictOn(attestation)).toMatchObject({ kind: "verified" });
  });

  test.each([
    { origin: "https://shop.example", rpId: "bank.example", host: "shop.example" },
    { origin: "https://shop.example", rpId: "app.shop.example", host: "shop.example" },
    { origin: "https://badshop.example", rpId: "shop.example", host: "badshop.example" },
    { origin: "https://shop.example", rpId: "example", host: "shop.example" },
    { origin: "https://10.0.0.1", rpId: "0.0.1", host: "10.0.0.1" },
  ])("but not $rpId on one of $origin", async ({ origin, rpId, host }) => {
    const { attestation } = await made({ origin, rpId });
    expect(await verdictOn(attestation)).toEqual({
      kind: "refused",
      check:
        "attestationObject.authData.rpIdHash is not the SHA-256 of " +
        `${host} or of a parent domain of it`,
    });
  });

  test.each(["https://shop.example/path", "https://user@shop.example", "https://shop.example?a=1"])(
    "and no more than an origin: %s",
    async (origin) => {
      const { attestation } = await made({ origin, rpId: "shop.example" });
      expect(await verdictOn(attestation)).toEqual({
        kind: "refused",
        check: `clientDataJson.origin is not an origin: ${origin}`,
      });
    },
  );

  test.each(["nonsense", "", "https:", "android:apk-key-hash:", "ios:bundle-id:a b"])(
    "and no host: %j",
    async (origin) => {
      const { attestation } = await made({ origin });
      expect(await verdictOn(attestation)).toEqual({
        kind: "refused",
        check: "clientDataJson.origin has no host",
      });
    },
  );
});

test.each([
  { origin: "http://shop.example", rpId: "shop.example" },
  { origin: "http://localhost.shop.example", rpId: "shop.example" },
  { origin: "http://notlocalhost", rpId: "notlocalhost" },
  { origin: "http://128.0.0.1", rpId: "128.0.0.1" },
  { origin: "http://[::2]", rpId: "[::2]" },
  { origin: "ftp://shop.example", rpId: "shop.example" },
  { origin: "chrome-extension://shop", rpId: "shop" },
])("a page of $origin is refused: browsers give it no passkey", async ({ origin, rpId }) => {
  const { attestation } = await made({ origin, rpId });
  expect(await verdictOn(attestation)).toEqual({
    kind: "refused",
    check: `clientDataJson.origin is ${origin}, which is neither https nor http on loopback`,
  });
});

test.each(["android:apk-key-hash:cGtn-_8", "ios:bundle-id:com.shop-example.app"])(
  "an app has no host, so its relying party is taken as it says: %s",
  async (origin) => {
    for (const attestation of ["none", "packed"] as const) {
      const sent = (await made({ origin, attestation })).attestation;
      expect(await verdictOn(sent)).toMatchObject({
        kind: "verified",
        rpIdHash: "D1lGPGBsWw5dPagfNuP3wXWsIwxg51whRM47dSJHYHw",
        appOrigin: origin,
      });
    }
  },
);

const POINT = { x: new Uint8Array(32).fill(1), y: new Uint8Array(32).fill(2) };
const NO_KEY =
  "attestationObject.authData.credentialPublicKey is not a valid key for its algorithm";

const REFUSED: { what: string; rework: Rework; check: string }[] = [
  {
    what: "an assertion's client data",
    rework: { clientData: (json) => ({ ...json, type: "webauthn.get" }) },
    check: "clientDataJson.type is not webauthn.create",
  },
  {
    what: "without user presence",
    rework: { authData: overwritten(AT.flags, 0x44) },
    check: "attestationObject.authData.flags say that no user was present (UP is 0)",
  },
  {
    what: "no credential in it",
    rework: { authData: (data) => overwritten(AT.flags, 0x01)(data).subarray(0, AT.aaguid) },
    check: "attestationObject.authData holds no credential (AT is 0)",
  },
  {
    what: "another credential id beside it",
    rework: { credentialId: "YW5vdGhlcg" },
    check: "attestation.credentialId is not the one in attestationObject.authData",
  },
  {
    what: "a credential id of 1024 bytes",
    rework: {
      authData: credentialOf({ id: Buffer.alloc(1024) }),
      credentialId: text(Buffer.alloc(1024)),
    },
    check: "attestationObject.authData.credentialId is longer than 1023 bytes",
  },
  {
    what: "a key for ES384",
    rework: {
      authData: credentialOf({
        key: coseKey([
          [1, 2],
          [3, -35],
          [-1, 2],
          [-2, POINT.x],
        ]),
      }),
    },
    check: "attestationObject.authData.credentialPublicKey is for none of ES256, EdDSA, RS256",
  },
  {
    what: "a key that is a text",
    rework: { authData: credentialOf({ key: Uint8Array.of(0x61, 0x41) }) },
    check: "attestationObject.authData.credentialPublicKey is not a COSE key",
  },
  {
    what: "a point off the curve",
    rework: {
      authData: credentialOf({
        key: coseKey([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, POINT.x],
          [-3, POINT.y],
        ]),
      }),
    },
    check: NO_KEY,
  },
  {
    what: "half a point",
    rework: {
      authData: credentialOf({
        key: coseKey([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, POINT.x],
        ]),
      }),
    },
    check: NO_KEY,
  },
  {
    what: "Ed25519 on another curve",
    rework: {
      authData: credentialOf({
        key: coseKey([
          [1, 1],
          [3, -8],
          [-1, 7],
          [-2, POINT.x],
        ]),
      }),
    },
    check: NO_KEY,
  },
  {
    what: "RS256 with the key type of EdDSA",
    rework: {
      authData: credentialOf({
        key: coseKey([
          [1, 1],
          [3, -257],
          [-1, 6],
          [-2, POINT.x],
        ]),
      }),
    },
    check: NO_KEY,
  },
  {
    // Changes the key's type, kty, after an id of 32 bytes: from EC2 to OKP.
    what: "a good point under the key type of EdDSA",
    rework: { authData: overwritten(AT.id + 32 + 2, 0x01) },
    check: NO_KEY,
  },
  {
    what: "a statement where none is announced",
    rework: { attStmt: new Map([["alg", -7]]) },
    check: "attestationObject: None attestation had unexpected attestation statement",
  },
  {
    what: "packed without a signature",
    rework: { fmt: "packed" },
    check: "attestationObject.attStmt.alg is not the algorithm of the credential's key",
  },
  {
    what: "a format that does not exist",
    rework: { fmt: "made-up" },
    check: "attestationObject: Unsupported Attestation Format: made-up",
  },
  {
    what: "a backup of a key that cannot be backed up",
    rework: { authData: overwritten(AT.flags, 0x51) },
    check:
      "attestationObject: Single-device credential indicated that it was backed up, " +
      "which should be impossible.",
  },
];

test.each(REFUSED)("refused, since it can be read and is wrong: $what", async (row) => {
  const { attestation } = await made();
  expect(await verdictOn(reworked(attestation, row.rework))).toEqual({
    kind: "refused",
    check: row.check,
  });
});

test("a packed statement signed over something else is refused", async () => {
  const { attestation } = await made({ attestation: "packed" });
  const sent = reworked(attestation, { clientData: (json) => ({ ...json, crossOrigin: true }) });
  expect(await verdictOn(sent)).toEqual({
    kind: "refused",
    check: "attestationObject.attStmt.sig does not verify with the credential's key",
  });
});

test.each([
  { name: "ES256, packed", fmt: "packed" },
  { name: "RS256, packed", fmt: "packed" },
  { name: "ES256, fido-u2f", fmt: "fido-u2f" },
])("and so is one of a maker's certificate: $name", async ({ name, fmt }) => {
  const vector = VECTORS.find((one) => one.name === name);
  if (!vector) throw new Error(`Expected a vector named ${name}`);
  const { attestation, challenge } = vector.registration;
  const sent = reworked(attestation, { clientData: (json) => ({ ...json, crossOrigin: true }) });
  expect(await verdictOn(sent, challenge)).toEqual({
    kind: "refused",
    check: `attestationObject.attStmt of format ${fmt} does not verify`,
  });
});

// spec/passkeys.md#attestation-formats
describe("statements of makers are left aside", () => {
  test.each(["tpm", "android-key", "android-safetynet", "apple", "compound"])("%s", async (fmt) => {
    const { passkey, attestation } = await made();
    const attStmt = new Map([["x5c", [new Uint8Array([1])]]]);
    expect(await verdictOn(reworked(attestation, { fmt, attStmt }))).toMatchObject({
      kind: "verified",
      credentialId: passkey.credentialId,
    });
  });
});

// spec/passkeys.md#user-presence
test.each([
  { flags: 0x41, what: "need not be verified" },
  { flags: 0x45, what: "may be verified" },
])("a user $what", async ({ flags }) => {
  const { attestation } = await made();
  const sent = reworked(attestation, { authData: overwritten(AT.flags, flags) });
  expect(await verdictOn(sent)).toMatchObject({ kind: "verified" });
});

test("nothing is fetched, whatever the attestation says", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("no network"));
  try {
    for (const { registration } of VECTORS)
      await verdictOn(registration.attestation, registration.challenge);
    expect(fetched).not.toHaveBeenCalled();
  } finally {
    fetched.mockRestore();
  }
});
