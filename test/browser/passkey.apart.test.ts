import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { verifyAssertion, verifyRegistration } from "../../src/crypto/webauthn.ts";
import { overHttp, type RelyingParty } from "./setup/over-http.ts";
import { hasChromium, PasskeyBrowser, sayIfSkipped } from "./setup/passkey-browser.ts";

sayIfSkipped();

/** Verifies in this process, and remembers one passkey. */
const inProcess = (): RelyingParty => {
  let passkey = { credentialId: "", publicKeyCose: "", counter: 0 };
  let issued = "";
  return {
    register: async (sent) => {
      const facts = await verifyRegistration(sent);
      if (facts.kind !== "verified") return facts.check;
      passkey = facts;
      return "accepted";
    },
    challenge: async () => {
      issued = randomBytes(32).toString("base64url");
      return issued;
    },
    signIn: async (assertion) => {
      const facts = await verifyAssertion({ assertion, challenge: issued, passkey });
      if (facts.kind !== "verified") return facts.check;
      passkey = { ...passkey, counter: facts.counter };
      return "accepted";
    },
  };
};

const PARTIES: { name: string; open: () => RelyingParty | Promise<RelyingParty> }[] = [
  { name: "in this process", open: inProcess },
  { name: "over HTTP", open: overHttp },
];

const AUTHENTICATORS = [
  { name: "a security key", protocol: "ctap2", isUserVerified: false },
  { name: "a device that knows its user", protocol: "ctap2", isUserVerified: true },
] as const;

const CREDENTIALS = [
  { algorithm: -7, attestation: "none" },
  { algorithm: -7, attestation: "direct" },
  { algorithm: -8, attestation: "none" },
  { algorithm: -8, attestation: "direct" },
  { algorithm: -257, attestation: "none" },
  { algorithm: -257, attestation: "direct" },
] as const;

let browser: PasskeyBrowser | undefined;

const page = () => browser as PasskeyBrowser;

beforeAll(async () => {
  if (hasChromium()) browser = await PasskeyBrowser.open();
});

afterAll(() => browser?.close());

describe.skipIf(!hasChromium()).each(PARTIES)("a page in Chromium, $name", ({ open }) => {
  let party: RelyingParty;

  afterEach(() => party?.close?.());

  const register = async (
    credential: { algorithm: number; attestation: "none" | "direct" },
    rpId?: string,
  ) => {
    const challenge = randomBytes(32).toString("base64url");
    const attestation = await page().register({
      challenge,
      ...credential,
      ...(rpId !== undefined && { rpId }),
    });
    expect(await party.register({ challenge, attestation })).toBe("accepted");
    return attestation.credentialId;
  };

  const signIn = async (credentialId: string, rpId?: string) =>
    page().signIn({
      challenge: await party.challenge(),
      credentialId,
      ...(rpId !== undefined && { rpId }),
    });

  describe.each(AUTHENTICATORS)("with $name", (authenticator) => {
    test.each(CREDENTIALS)(
      "registers and signs in twice: $algorithm, $attestation",
      async (credential) => {
        party = await open();
        await page().visit();
        await page().plugIn(authenticator);
        const credentialId = await register(credential);
        expect(await party.signIn(await signIn(credentialId))).toBe("accepted");
        expect(await party.signIn(await signIn(credentialId))).toBe("accepted");
      },
    );
  });

  test("registers and signs in with a key of the time before passkeys (U2F)", async () => {
    party = await open();
    await page().visit();
    await page().plugIn({ protocol: "u2f", isUserVerified: false });
    const credentialId = await register({ algorithm: -7, attestation: "direct" });
    expect(await party.signIn(await signIn(credentialId))).toBe("accepted");
  });

  test("registers for a parent domain of the page's host", async () => {
    party = await open();
    await page().visit("app.shop.localhost");
    await page().plugIn({ protocol: "ctap2", isUserVerified: true });
    const credential = { algorithm: -7, attestation: "none" } as const;
    const credentialId = await register(credential, "shop.localhost");
    const assertion = await signIn(credentialId, "shop.localhost");
    expect(await party.signIn(assertion)).toBe("accepted");
  });

  test("an assertion is good for its own challenge, once", async () => {
    party = await open();
    await page().visit();
    await page().plugIn({ protocol: "ctap2", isUserVerified: true });
    const credentialId = await register({ algorithm: -7, attestation: "none" });
    const late = await signIn(credentialId);
    const assertion = await signIn(credentialId);
    const check = "clientDataJson.challenge is not the issued challenge";
    expect(await party.signIn(late)).toBe(check);
    expect(await party.signIn(assertion)).toBe("accepted");
    expect(await party.signIn(assertion)).not.toBe("accepted");
  });

  test("one byte changed on the way is refused", async () => {
    party = await open();
    await page().visit();
    await page().plugIn({ protocol: "ctap2", isUserVerified: true });
    const credentialId = await register({ algorithm: -257, attestation: "none" });
    const assertion = await signIn(credentialId);
    const signature = Buffer.from(assertion.signature, "base64url");
    signature[7] = (signature[7] as number) ^ 1;
    const changed = { ...assertion, signature: signature.toString("base64url") };
    expect(await party.signIn(changed)).toBe(
      "signature does not verify with the registered public key",
    );
    expect(await party.signIn(assertion)).toBe("accepted");
  });
});
