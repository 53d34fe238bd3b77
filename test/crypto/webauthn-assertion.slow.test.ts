import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createPasskey,
  type SoftwarePasskey,
  signWithPasskey,
} from "../../src/crypto/software-authenticator.ts";
import { type Assertion, verifyAssertion, verifyRegistration } from "../../src/crypto/webauthn.ts";
import { AT, overwritten, type Rework, resigned, text, VECTORS } from "./setup/passkey-rework.ts";

const CHALLENGE = "c2lnbi1pbi1jaGFsbGVuZ2U"; // "sign-in-challenge"
const ORIGIN = "https://app.shop.example";

/** Facts of a good sign-in at `shop.example`. */
const verified = (counter: number) => ({
  kind: "verified",
  counter,
  rpIdHash: "D1lGPGBsWw5dPagfNuP3wXWsIwxg51whRM47dSJHYHw",
});

/** A passkey and the facts that a service keeps of it. */
const registered = async (algorithm: "ES256" | "EdDSA" | "RS256") => {
  const challenge = "cmVnaXN0cmF0aW9u";
  const { passkey, attestation } = await createPasskey({
    challenge,
    rpId: "shop.example",
    origin: ORIGIN,
    algorithm,
  });
  const facts = await verifyRegistration({ attestation, challenge });
  if (facts.kind !== "verified") throw new Error(`Expected a passkey but found ${facts.check}`);
  return { passkey, stored: facts };
};

test.each(["ES256", "EdDSA", "RS256"] as const)(
  "%s signs in, again and again",
  async (algorithm) => {
    const { passkey, stored } = await registered(algorithm);
    const first = signWithPasskey(passkey, { challenge: CHALLENGE });
    expect(await verifyAssertion({ ...first, challenge: CHALLENGE, passkey: stored })).toEqual(
      verified(1),
    );
    const second = signWithPasskey(first.passkey, { challenge: CHALLENGE });
    expect(
      await verifyAssertion({
        ...second,
        challenge: CHALLENGE,
        passkey: { ...stored, counter: 1 },
      }),
    ).toEqual(verified(2));
  },
);

test.each(VECTORS)("$name signs in as another implementation does", async (vector) => {
  const { registration, signIn } = vector;
  const facts = await verifyRegistration(registration);
  if (facts.kind !== "verified") throw new Error(facts.check);
  expect(await verifyAssertion({ ...signIn, passkey: facts })).toEqual({
    kind: "verified",
    counter: signIn.counter,
    rpIdHash: facts.rpIdHash,
  });
});

describe("with one passkey", () => {
  let passkey: SoftwarePasskey;
  let stored: Parameters<typeof verifyAssertion>[0]["passkey"];
  let good: Assertion;

  beforeAll(async () => {
    ({ passkey, stored } = await registered("ES256"));
    good = signWithPasskey(passkey, { challenge: CHALLENGE }).assertion;
  });

  const verdictOn = (assertion: Assertion, differs: Partial<typeof stored> = {}) =>
    verifyAssertion({ assertion, challenge: CHALLENGE, passkey: { ...stored, ...differs } });

  test.each([
    { found: 0, last: 0, isRisen: true },
    { found: 1, last: 0, isRisen: true },
    { found: 4_294_967_295, last: 4_294_967_294, isRisen: true },
    { found: 0, last: 1, isRisen: false },
    { found: 1, last: 1, isRisen: false },
    { found: 7, last: 8, isRisen: false },
  ])("a counter of $found after $last: risen, or both nothing? $isRisen", async (row) => {
    const { assertion } = signWithPasskey(
      { ...passkey, counter: row.found - 1 },
      { challenge: CHALLENGE },
    );
    const sent =
      row.found === 0
        ? resigned(passkey, good, { authData: overwritten(AT.counter, 0, 0, 0, 0) })
        : assertion;
    expect(await verdictOn(sent, { counter: row.last })).toEqual(
      row.isRisen
        ? verified(row.found)
        : {
            kind: "refused",
            check:
              `authenticatorData.signCount is ${row.found}, ` +
              `not above the last one, ${row.last}`,
          },
    );
  });

  test.each([
    { what: "the issued text", issued: CHALLENGE, signed: CHALLENGE },
    { what: "the bytes of the text", issued: "d1".repeat(32), signed: text("d1".repeat(32)) },
  ])("the challenge may be signed as $what", async ({ issued, signed }) => {
    const assertion = resigned(passkey, good, {
      clientData: (json) => ({ ...json, challenge: signed }),
    });
    expect(await verifyAssertion({ assertion, challenge: issued, passkey: stored })).toEqual(
      verified(1),
    );
  });

  test("the software authenticator answers whatever text is issued", async () => {
    const issued = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.base64String({ minLength: 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }).map((value) => text(value)),
    );
    await fc.assert(
      fc.asyncProperty(issued, async (challenge) => {
        const { assertion } = signWithPasskey(passkey, { challenge });
        const verdict = await verifyAssertion({ assertion, challenge, passkey: stored });
        expect(verdict).toEqual(verified(1));
      }),
    );
  });

  test.each([
    { what: "in a frame of another origin", more: { crossOrigin: true } },
    {
      what: "in a frame that names its page",
      more: { crossOrigin: true, topOrigin: "https://bank.example" },
    },
  ])("a call $what counts, since the page's owner is unknown here", async ({ more }) => {
    const sent = resigned(passkey, good, { clientData: (json) => ({ ...json, ...more }) });
    expect(await verdictOn(sent)).toEqual(verified(1));
  });

  test.each([{ userHandle: null }, { userHandle: "YWRh" }, {}])(
    "the user handle may be there or not: %j",
    async (given) => {
      expect(await verdictOn({ ...good, ...given })).toEqual(verified(1));
    },
  );

  const REFUSED: { what: string; rework: Rework; check: string }[] = [
    {
      what: "another credential",
      rework: { credentialId: "YW5vdGhlcg" },
      check: "assertion.credentialId is not the registered one",
    },
    {
      what: "a registration's client data",
      rework: { clientData: (json) => ({ ...json, type: "webauthn.create" }) },
      check: "clientDataJson.type is not webauthn.get",
    },
    {
      what: "another challenge",
      rework: { clientData: (json) => ({ ...json, challenge: "YW5vdGhlcg" }) },
      check: "clientDataJson.challenge is not the issued challenge",
    },
    {
      what: "a page without a host",
      rework: { clientData: (json) => ({ ...json, origin: "shop.example" }) },
      check: "clientDataJson.origin has no host",
    },
    {
      what: "another page",
      rework: { clientData: (json) => ({ ...json, origin: "https://bank.example" }) },
      check:
        "authenticatorData.rpIdHash is not the SHA-256 of bank.example or of a parent domain of it",
    },
    {
      what: "another relying party",
      rework: {
        authData: overwritten(0, ...createHash("sha256").update("bank.example").digest()),
      },
      check:
        "authenticatorData.rpIdHash is not the SHA-256 of app.shop.example " +
        "or of a parent domain of it",
    },
    {
      what: "without user presence",
      rework: { authData: overwritten(AT.flags, 0x04) },
      check: "authenticatorData.flags say that no user was present (UP is 0)",
    },
    {
      what: "authenticator data cut short",
      rework: { authData: (data) => data.subarray(0, 36) },
      check:
        "authenticatorData cannot be read: " +
        "Authenticator data was 36 bytes, expected at least 37 bytes",
    },
    {
      what: "a page above it without a frame",
      rework: { clientData: (json) => ({ ...json, topOrigin: "https://bank.example" }) },
      check: expect.stringContaining("signature: Unexpected top origin"),
    },
  ];

  test.each(REFUSED)("refused, although the right key signed it: $what", async (row) => {
    expect(await verdictOn(resigned(passkey, good, row.rework))).toEqual({
      kind: "refused",
      check: row.check,
    });
  });

  test("refused when another key signed it", async () => {
    const other = await registered("ES256");
    const sent = resigned(other.passkey, good, {});
    expect(await verdictOn(sent)).toEqual({
      kind: "refused",
      check: "signature does not verify with the registered public key",
    });
    expect(await verdictOn(good, { publicKeyCose: other.stored.publicKeyCose })).toMatchObject({
      kind: "refused",
    });
  });

  test("refused with the sandbox's magic value, which is not a signature", async () => {
    const sent = { ...good, signature: "sandbox-valid-passkey-signature" };
    expect(await verdictOn(sent)).toMatchObject({
      kind: "refused",
      check: expect.stringMatching(/^signature/),
    });
  });

  test("refused for the challenge of another moment: an assertion is good once", async () => {
    const sent = signWithPasskey(passkey, { challenge: "ZWFybGllcg" }).assertion;
    expect(await verdictOn(sent)).toEqual({
      kind: "refused",
      check: "clientDataJson.challenge is not the issued challenge",
    });
  });

  const padded = (value: string) => value.padEnd(Math.ceil(value.length / 4) * 4, "=");

  const MEMBERS = [
    "credentialId",
    "clientDataJson",
    "authenticatorData",
    "signature",
  ] as const satisfies (keyof Assertion)[];

  test.each(MEMBERS)("%s may be padded", async (member) => {
    const sent = { ...good, [member]: padded(good[member]) };
    expect(await verdictOn(sent)).toEqual(verified(1));
  });

  test("a padded credential id that was stored is the same one", async () => {
    const credentialId = padded(stored.credentialId);
    expect(credentialId).not.toBe(stored.credentialId);
    expect(await verdictOn(good, { credentialId })).toMatchObject({ kind: "verified" });
  });

  test.each([
    { what: "with a line end", write: (value: string) => `${value}\n` },
    {
      what: "with a space in it",
      write: (value: string) => `${value.slice(0, 4)} ${value.slice(4)}`,
    },
    { what: "with too much padding", write: (value: string) => `${padded(value)}=` },
    { what: "in the other alphabet", write: (value: string) => `+/${value.slice(2)}` },
    { what: "with a percent sign", write: (value: string) => value.replace(/.$/, "%3D") },
    { what: "empty", write: () => "" },
  ])("base64 $what is refused in every member", async ({ write }) => {
    for (const member of MEMBERS) {
      const name = member === "credentialId" ? "assertion.credentialId" : member;
      expect(await verdictOn({ ...good, [member]: write(good[member]) })).toEqual({
        kind: "refused",
        check: `${name} is not base64url`,
      });
    }
  });

  test("bits left over behind the last byte are refused", async () => {
    // 37 bytes end in a character with four significant bits: "Q" and "R" decode to the same byte.
    const { authenticatorData } = good;
    expect(authenticatorData.endsWith("Q")).toBe(true);
    const sent = { ...good, authenticatorData: authenticatorData.replace(/Q$/, "R") };
    expect(await verdictOn(sent)).toEqual({
      kind: "refused",
      check: "authenticatorData is not base64url",
    });
  });
});

describe("a passkey belongs to the party it was registered with", () => {
  const OTHER_PARTY = "authenticatorData.rpIdHash is not the one the passkey was registered with";
  const ANDROID = "android:apk-key-hash:cGtn";
  const IOS = "ios:bundle-id:example.shop";

  const at = async (rpId: string, origin: string) => {
    const { passkey, attestation } = await createPasskey({
      challenge: CHALLENGE,
      rpId,
      origin,
      algorithm: "ES256",
    });
    const facts = await verifyRegistration({ attestation, challenge: CHALLENGE });
    if (facts.kind !== "verified") throw new Error(facts.check);
    return { passkey, stored: facts };
  };

  const verdictAt = async (
    { passkey, stored }: Awaited<ReturnType<typeof at>>,
    differs: { rpId?: string; origin: string },
  ) => {
    const used = { ...passkey, ...differs };
    const { assertion } = signWithPasskey(used, { challenge: CHALLENGE });
    return verifyAssertion({ assertion, challenge: CHALLENGE, passkey: stored });
  };

  test.each([
    { rpId: "evil.example", origin: "https://evil.example" },
    { rpId: "app.shop.example", origin: "https://app.shop.example" },
    { rpId: "localhost", origin: "http://localhost" },
    { rpId: "evil.example", origin: ANDROID },
  ])("which $origin with $rpId is not, though the key signs for it", async (differs) => {
    const passkey = await at("shop.example", ORIGIN);
    expect(await verdictAt(passkey, differs)).toEqual({ kind: "refused", check: OTHER_PARTY });
  });

  test.each(["https://shop.example", "https://other.shop.example:8443"])(
    "other pages of the party may ask for it: %s",
    async (origin) => {
      expect(await verdictAt(await at("shop.example", ORIGIN), { origin })).toEqual(verified(1));
    },
  );

  test("a page without TLS may not", async () => {
    const found = await verdictAt(await at("shop.example", ORIGIN), {
      origin: "http://shop.example",
    });
    expect(found).toEqual({
      kind: "refused",
      check:
        "clientDataJson.origin is http://shop.example, " +
        "which is neither https nor http on loopback",
    });
  });

  test("the app that registered it signs in with it", async () => {
    const passkey = await at("shop.example", ANDROID);
    expect(await verdictAt(passkey, { origin: ANDROID })).toEqual({
      ...verified(1),
      appOrigin: ANDROID,
    });
  });

  test.each([
    { made: ANDROID, used: "android:apk-key-hash:b3RoZXI", named: ANDROID },
    { made: ANDROID, used: IOS, named: ANDROID },
    { made: IOS, used: ORIGIN, named: IOS },
    { made: ORIGIN, used: IOS, named: "a page's" },
  ])("registered by $made it is refused to $used", async ({ made, used, named }) => {
    expect(await verdictAt(await at("shop.example", made), { origin: used })).toEqual({
      kind: "refused",
      check: `clientDataJson.origin is not ${named}, as it was at registration`,
    });
  });

  test("an app is refused with another party", async () => {
    const passkey = await at("shop.example", ANDROID);
    const found = await verdictAt(passkey, { origin: ANDROID, rpId: "evil.example" });
    expect(found).toEqual({ kind: "refused", check: OTHER_PARTY });
  });

  test("an app's assertion is refused when another key signed it", async () => {
    const { passkey, stored } = await at("shop.example", ANDROID);
    const { privateKey } = (await at("shop.example", ANDROID)).passkey;
    const found = await verdictAt(
      { passkey: { ...passkey, privateKey }, stored },
      {
        origin: ANDROID,
      },
    );
    expect(found).toEqual({
      kind: "refused",
      check: "signature does not verify with the registered public key",
    });
  });

  test("one kept without its party is accepted from any page, and its party is returned", async () => {
    const { passkey, stored } = await at("shop.example", ORIGIN);
    const { rpIdHash: _unknown, ...kept } = stored;
    const earlier = { passkey, stored: kept as typeof stored };
    expect(await verdictAt(earlier, { origin: ORIGIN })).toEqual(verified(1));
    expect(await verdictAt(earlier, { origin: ANDROID })).toEqual({
      kind: "refused",
      check: "clientDataJson.origin is not a page's, as it was at registration",
    });
  });
});
