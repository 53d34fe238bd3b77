import { createECDH, createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../src/crypto/wallet-signatures.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { PasskeyClient } from "../api/wallets/setup/passkey-client.ts";
import { clientKeys, openedSession, WalletClient } from "../api/wallets/setup/wallet-client.ts";

/** Keys whose public half is compressed, as a client that holds its session's key sends it. */
const heldKeys = () => {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return {
    publicKey: keys.getPublicKey("hex", "compressed"),
    privateKeyHex: keys.getPrivateKey("hex").padStart(64, "0"),
  };
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const NO_POINT = `02${"f".repeat(64)}`;
const EMAIL = "ada@example.com";

const FIRST = "2025-10";
const LATER = "2026-08";
const NAMES_LATER = /revision 2026-08 takes it \(--revision 2026-08\)/;
const NAMES_FIRST = /revision 2025-10 takes it \(--revision 2025-10\)/i;

// spec/revisions.md#client-held-keys
describe("a compressed clientPublicKey", () => {
  const refusedKey = { status: 400, code: "INVALID_INPUT", field: "clientPublicKey" };

  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER, walletCredential: "none" });

    test("is the key of the session, which its owner signs with", async () => {
      const wallet = await WalletClient.create(world());
      const passkey = await PasskeyClient.register(wallet);
      const keys = heldKeys();
      const asked = await passkey.challenge(keys);
      const proved = await passkey.verify(passkey.assertion(asked.challenge), asked.requestId);
      expect(proved.status).toBe(200);
      expect(proved.body).not.toHaveProperty("encryptedSessionSigningKey");
      const path = `/auth/sessions/${proved.body.id}`;
      const next = heldKeys();
      const body = { clientPublicKey: next.publicKey.toUpperCase().toLowerCase() };
      const first = await wallet.signed("POST", `${path}/refresh`, { body });
      const signature = stampOver(first.body.payloadToSign, keys.privateKeyHex);
      const { requestId } = first.body;
      const refreshed = await wallet.signed("POST", `${path}/refresh`, {
        body,
        signature,
        requestId,
      });
      expect(refreshed.status).toBe(201);
      expect(refreshed.body).not.toHaveProperty("encryptedSessionSigningKey");
      const session = { id: refreshed.body.id, ...next, publicKeyHex: next.publicKey };
      const revoked = await wallet.retried("DELETE", path, { session });
      expect(revoked.status).toBe(204);
    });

    test("in capitals is the same key", async () => {
      const wallet = await WalletClient.create(world());
      const passkey = await PasskeyClient.register(wallet);
      const keys = heldKeys();
      const asked = await passkey.challenge({ ...keys, publicKey: keys.publicKey.toUpperCase() });
      const { body } = await passkey.verify(passkey.assertion(asked.challenge), asked.requestId);
      const session = { id: body.id, ...keys, publicKeyHex: keys.publicKey };
      const path = `/internal-accounts/${wallet.accountId}`;
      const patch = { body: { privateEnabled: true }, session };
      expect((await wallet.retried("PATCH", path, patch)).status).toBe(200);
    });

    test("uncompressed, it still gets a sealed key", async () => {
      const wallet = await WalletClient.create(world());
      const passkey = await PasskeyClient.register(wallet);
      const keys = clientKeys();
      const asked = await passkey.challenge(keys);
      const { body } = await passkey.verify(passkey.assertion(asked.challenge), asked.requestId);
      const session = await openedSession(body, keys);
      expect(
        (await wallet.retried("DELETE", `/auth/sessions/${body.id}`, { session })).status,
      ).toBe(204);
    });

    test("that is no point is refused", async () => {
      const wallet = await WalletClient.create(world());
      const { id } = await PasskeyClient.register(wallet);
      const path = `/auth/credentials/${id}/challenge`;
      const refused = await world().call("POST", path, { clientPublicKey: NO_POINT });
      expectRefused(refused, refusedKey);
      expect(refused.body.message).toContain("not a point on the curve P-256");
    });

    test("gets no export, which is sealed to the client", async () => {
      const wallet = await WalletClient.create(world());
      const path = `/internal-accounts/${wallet.accountId}/export`;
      const refused = await world().call("POST", path, { clientPublicKey: heldKeys().publicKey });
      expectRefused(refused, refusedKey);
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest({ revision: FIRST });

    test.each(["verify", "refresh", "challenge"])(
      "is refused by %s, which names 2026-08",
      async (call) => {
        const wallet = await WalletClient.create(world(), { email: EMAIL });
        const email = await wallet.addEmail();
        const session = await wallet.signIn(email);
        const clientPublicKey = heldKeys().publicKey;
        const passkey = call === "challenge" ? await wallet.addPasskey() : undefined;
        const calls: Record<string, [path: string, body: object]> = {
          verify: [
            `/auth/credentials/${email}/verify`,
            { type: "EMAIL_OTP", otp: "000000", clientPublicKey },
          ],
          refresh: [`/auth/sessions/${session.id}/refresh`, { clientPublicKey }],
          challenge: [`/auth/credentials/${passkey}/challenge`, { clientPublicKey }],
        };
        const [path = "", body] = calls[call] ?? [];
        const refused = await world().call("POST", path, body);
        expectRefused(refused, refusedKey);
        expect(refused.body.message).toMatch(NAMES_LATER);
      },
    );
  });
});

// spec/revisions.md#several-passkeys
describe("a second passkey", () => {
  const ALREADY = { status: 400, code: "PASSKEY_CREDENTIAL_ALREADY_EXISTS", field: "type" };

  const again = async (wallet: WalletClient, credentialId: string) => {
    const challenge = "YW5vdGhlci1jaGFsbGVuZ2U";
    const attestation = { credentialId, clientDataJson: "e30", attestationObject: "oA" };
    const { accountId } = wallet;
    const body = { type: "PASSKEY", accountId, nickname: "Phone", challenge, attestation };
    return wallet.sim.call("POST", "/auth/credentials", body);
  };

  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER, walletCredential: "none" });

    test("is a credential of its own, and each signs in", async () => {
      const wallet = await WalletClient.create(world());
      const passkeys = [await PasskeyClient.register(wallet), await PasskeyClient.register(wallet)];
      for (const passkey of passkeys) {
        const { status, body } = await passkey.signIn();
        expect([status, body.credentialId]).toEqual([200, passkey.passkey.credentialId]);
      }
      const path = `/auth/credentials?accountId=${wallet.accountId}`;
      const { data } = (await world().call("GET", path)).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual(passkeys.map(({ id }) => id));
    });

    test("with a credentialId that the wallet has is refused", async () => {
      const wallet = await WalletClient.create(world());
      await PasskeyClient.register(wallet);
      const second = await PasskeyClient.register(wallet);
      const refused = await again(wallet, second.passkey.credentialId);
      expectRefused(refused, ALREADY);
      expect(refused.body.message).not.toMatch(/revision/);
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is refused, and the error names 2026-08", async () => {
      const wallet = await WalletClient.create(world());
      const { passkey } = await PasskeyClient.register(wallet);
      const refused = await again(wallet, "AAAAAAAAAAAAAAAAAAAAAA");
      expectRefused(refused, ALREADY);
      expect(refused.body.message).toMatch(NAMES_LATER);
      const same = await again(wallet, passkey.credentialId);
      expectRefused(same, ALREADY);
      expect(same.body.message).not.toMatch(/revision/);
    });
  });
});

// spec/revisions.md#hex-challenges
describe("the challenge of a passkey", () => {
  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER, walletCredential: "none" });

    test("is 64 hex characters, of which a browser signs the UTF-8 bytes", async () => {
      const passkey = await PasskeyClient.register(await WalletClient.create(world()));
      const keys = heldKeys();
      const asked = await passkey.challenge(keys);
      expect(asked.challenge).toMatch(/^[0-9a-f]{64}$/);
      const bytes = Buffer.from(asked.challenge, "utf8").toString("base64url");
      const { status, body } = await passkey.verify(passkey.assertion(bytes), asked.requestId);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty("encryptedSessionSigningKey");
    });

    test("is another one for each request", async () => {
      const passkey = await PasskeyClient.register(await WalletClient.create(world()));
      const keys = clientKeys();
      const [one, two] = [await passkey.challenge(keys), await passkey.challenge(keys)];
      expect(one.challenge).not.toBe(two.challenge);
      const swapped = await passkey.verify(passkey.assertion(one.challenge), two.requestId);
      expectRefused(swapped, {
        status: 401,
        code: "UNAUTHORIZED",
        reason: "Invalid passkey signature",
      });
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is 32 bytes in base64url", async () => {
      const passkey = await PasskeyClient.register(await WalletClient.create(world()));
      const { challenge } = await passkey.challenge();
      expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
    });
  });
});

// spec/revisions.md#full-stamps
describe("a bare signature", () => {
  const signedBare = async (wallet: WalletClient) => {
    const session = await wallet.signIn(await wallet.addEmail(EMAIL));
    const path = `/internal-accounts/${wallet.accountId}`;
    const body = { privateEnabled: true };
    const { payloadToSign, requestId } = (await wallet.signed("PATCH", path, { body })).body;
    const signature = bareSignatureOver(payloadToSign, session.privateKeyHex);
    return wallet.signed("PATCH", path, { body, signature, requestId });
  };

  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER, walletCredential: "none" });

    test("is refused, and the error names 2025-10", async () => {
      const refused = await signedBare(await WalletClient.create(world(), { email: EMAIL }));
      expectRefused(refused, {
        ...{ status: 401, code: "UNAUTHORIZED", reason: "Invalid Service-Wallet-Signature" },
      });
      expect(refused.body.message).toMatch(NAMES_FIRST);
    });

    test("a stamp and the magic value are taken", async () => {
      const wallet = await WalletClient.create(world(), { email: EMAIL });
      const session = await wallet.signIn(await wallet.addEmail(EMAIL));
      const path = `/internal-accounts/${wallet.accountId}`;
      const stamped = await wallet.retried("PATCH", path, {
        body: { privateEnabled: true },
        session,
      });
      const magic = await wallet.retried("PATCH", path, { body: { privateEnabled: false } });
      expect([stamped.status, magic.status]).toEqual([200, 200]);
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is taken", async () => {
      const wallet = await WalletClient.create(world(), { email: EMAIL });
      expect((await signedBare(wallet)).status).toBe(200);
    });
  });
});

// spec/revisions.md#id-token-nonces
describe("the nonce of an ID token", () => {
  const INVALID = { status: 401, code: "UNAUTHORIZED", reason: "Invalid OIDC token" };

  const tokenWith = async (wallet: WalletClient, nonce?: string): Promise<string> => {
    const { body } = await wallet.sim.control("POST", "/oidc/token", { ...(nonce && { nonce }) });
    return body.token;
  };

  const provedWith = async (wallet: WalletClient, oidcToken: string, key: string) => {
    const { accountId, sim } = wallet;
    const token = await tokenWith(wallet);
    const made = await sim.call("POST", "/auth/credentials", {
      ...{ type: "OAUTH", accountId, oidcToken: token },
    });
    return sim.call("POST", `/auth/credentials/${made.body.id}/verify`, {
      ...{ type: "OAUTH", oidcToken, clientPublicKey: key },
    });
  };

  describe("in 2026-08", () => {
    const world = worldPerTest({ revision: LATER, walletCredential: "none" });

    test.each(["held", "sealed"])("binds the token to a %s key", async (kind) => {
      const wallet = await WalletClient.create(world());
      const { publicKey } = kind === "held" ? heldKeys() : clientKeys();
      const token = await tokenWith(wallet, sha256(publicKey));
      expect((await provedWith(wallet, token, publicKey)).status).toBe(200);
    });

    test.each(["missing", "of another key"])("is refused where it is %s", async (kind) => {
      const wallet = await WalletClient.create(world());
      const nonce = kind === "missing" ? undefined : sha256(clientKeys().publicKey);
      const refused = await provedWith(
        wallet,
        await tokenWith(wallet, nonce),
        clientKeys().publicKey,
      );
      expectRefused(refused, INVALID);
      expect(refused.body.message).toContain("nonce is not the SHA-256");
    });

    test("the magic token is refused, and the error names 2025-10", async () => {
      const wallet = await WalletClient.create(world());
      const refused = await provedWith(wallet, "sandbox-valid-oidc-token", clientKeys().publicKey);
      expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "oidcToken" });
      expect(refused.body.message).toMatch(NAMES_FIRST);
    });
  });

  describe("in 2026-08 with --crypto magic-only", () => {
    const world = worldPerTest({ revision: LATER, crypto: "magic-only", walletCredential: "none" });

    test("the magic token signs in", async () => {
      const wallet = await WalletClient.create(world());
      const { status } = await provedWith(
        wallet,
        "sandbox-valid-oidc-token",
        clientKeys().publicKey,
      );
      expect(status).toBe(200);
    });
  });

  describe("in 2025-10", () => {
    const world = worldPerTest();

    test("is not looked at, and the magic token signs in", async () => {
      const { publicKey } = clientKeys();
      const own = await WalletClient.create(world());
      const token = await tokenWith(own, "any");
      expect((await provedWith(own, token, publicKey)).status).toBe(200);
      const magic = await WalletClient.create(world());
      const proved = await provedWith(magic, "sandbox-valid-oidc-token", publicKey);
      expect(proved.status).toBe(200);
    });
  });
});
