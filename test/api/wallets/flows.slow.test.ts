import { ApiKeyStamper } from "@turnkey/api-key-stamper";
import { decryptCredentialBundle, getPublicKey } from "@turnkey/crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWalletExport } from "../../../src/crypto/sealing.ts";
import { createPasskey, signWithPasskey } from "../../../src/crypto/software-authenticator.ts";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  openedSession,
  randomText,
  WalletClient,
} from "./setup/wallet-client.ts";

let sim: TestSimulator;
let wallet: WalletClient;

beforeEach(async () => {
  sim = await startTestSimulator();
  wallet = await WalletClient.create(sim, { email: "ada@example.com" });
});

afterEach(async () => {
  await sim.sim.close();
  expect(sim.alarms).toEqual([]);
});

const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  body.reason,
];

describe("a wallet's life with a mailed code", () => {
  test.each(["magic", "real"])(
    "a first credential, session, refresh and logout, %s",
    async (way) => {
      const isReal = way === "real";
      const created = await sim.call("POST", "/auth/credentials", {
        type: "EMAIL_OTP",
        accountId: wallet.accountId,
      });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: expect.stringMatching(/^AuthMethod:/),
        accountId: wallet.accountId,
        type: "EMAIL_OTP",
        nickname: "ada@example.com",
        createdAt: "2026-01-05T09:00:00.000Z",
        updatedAt: "2026-01-05T09:00:00.000Z",
      });

      const k1 = clientKeys();
      const inbox = await sim.control("GET", "/inbox?to=ada@example.com");
      const otp = isReal ? inbox.body.data[0].code : "000000";
      const verified = await sim.call("POST", `/auth/credentials/${created.body.id}/verify`, {
        type: "EMAIL_OTP",
        otp,
        clientPublicKey: k1.publicKey,
      });
      expect(verified.status).toBe(200);
      expect(verified.body.expiresAt).toBe("2026-01-05T09:15:00.000Z");
      const s1 = verified.body;
      const key1 = decryptCredentialBundle(s1.encryptedSessionSigningKey, k1.privateKeyHex);
      const stamper = new ApiKeyStamper({
        apiPublicKey: Buffer.from(getPublicKey(Buffer.from(key1, "hex"), true)).toString("hex"),
        apiPrivateKey: key1,
      });
      const sign = async (payload: string) =>
        isReal ? (await stamper.stamp(payload)).stampHeaderValue : MAGIC_SIGNATURE;

      const k2 = clientKeys();
      const body = { clientPublicKey: k2.publicKey };
      const path = `/auth/sessions/${s1.id}/refresh`;
      const challenged = await wallet.signed("POST", path, { body });
      expect(challenged.status).toBe(202);
      expect(challenged.body).toEqual({
        payloadToSign: expect.stringContaining(`"targetPublicKey":"${k2.publicKey}"`),
        requestId: expect.stringMatching(/^Request:/),
        expiresAt: "2026-01-05T09:05:00.000Z",
      });
      const retry = {
        body,
        requestId: challenged.body.requestId,
        signature: await sign(challenged.body.payloadToSign),
      };
      const refreshed = await wallet.signed("POST", path, retry);
      expect(refreshed.status).toBe(201);
      const s2 = await openedSession(refreshed.body, k2);
      expect(s2.id).not.toBe(s1.id);
      expect(refusal(await wallet.signed("POST", path, retry))).toEqual([
        401,
        "UNAUTHORIZED",
        "Request-Id already used",
      ]);

      const { body: listed } = await sim.call(
        "GET",
        `/auth/sessions?accountId=${wallet.accountId}`,
      );
      expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([s2.id, s1.id]);
      expect(JSON.stringify(listed)).not.toContain("encryptedSessionSigningKey");

      const logout = await wallet.signed("DELETE", `/auth/sessions/${s2.id}`, {});
      expect(logout.body.type).toBe("EMAIL_OTP");
      const bare = isReal
        ? bareSignatureOver(logout.body.payloadToSign, s2.privateKeyHex)
        : MAGIC_SIGNATURE;
      const answer = { requestId: logout.body.requestId, signature: bare };
      expect((await wallet.signed("DELETE", `/auth/sessions/${s2.id}`, answer)).status).toBe(204);
      expect((await wallet.signed("DELETE", `/auth/sessions/${s2.id}`, {})).status).toBe(404);
    },
  );
});

describe("a wallet's life with a passkey", () => {
  test.each(["magic", "real"])(
    "a passkey is added, signs in, and the address is revoked, %s",
    async (way) => {
      const isReal = way === "real";
      const otpId = await wallet.addEmail();
      const session = await wallet.signIn(otpId);
      const sign = (payload: string, { privateKeyHex }: OpenSession) =>
        isReal ? stampOver(payload, privateKeyHex) : MAGIC_SIGNATURE;

      const challenge = randomText();
      const { passkey, attestation } = await createPasskey({
        challenge,
        rpId: "wallet.example",
        origin: "https://wallet.example",
        algorithm: "ES256",
      });
      const { accountId } = wallet;
      const body = {
        type: "PASSKEY",
        accountId,
        nickname: " Work laptop ",
        challenge,
        attestation,
      };
      const asked = await wallet.signed("POST", "/auth/credentials", { body });
      expect([asked.status, asked.body.type]).toEqual([202, "PASSKEY"]);
      const { payloadToSign, requestId } = asked.body;
      const signature = sign(payloadToSign, session);
      const added = await wallet.signed("POST", "/auth/credentials", {
        body,
        signature,
        requestId,
      });
      expect([added.status, added.body.type, added.body.nickname]).toEqual([
        201,
        "PASSKEY",
        "Work laptop",
      ]);

      const keys = clientKeys();
      const path = `/auth/credentials/${added.body.id}`;
      const { status, body: issued } = await sim.call("POST", `${path}/challenge`, {
        clientPublicKey: keys.publicKey,
      });
      expect(status).toBe(200);
      const { assertion } = signWithPasskey(passkey, { challenge: issued.challenge });
      const sent = isReal
        ? assertion
        : { ...assertion, signature: "sandbox-valid-passkey-signature" };
      const verified = await wallet.signed("POST", `${path}/verify`, {
        body: { type: "PASSKEY", assertion: sent },
        requestId: issued.requestId,
      });
      expect(verified.status).toBe(200);
      const s3 = await openedSession(verified.body, keys);

      const revoking = await wallet.signed("DELETE", `/auth/credentials/${otpId}`, {});
      expect([revoking.status, revoking.body.type]).toEqual([202, "EMAIL_OTP"]);
      const answer = {
        signature: sign(revoking.body.payloadToSign, s3),
        requestId: revoking.body.requestId,
      };
      const revoked = await wallet.signed("DELETE", `/auth/credentials/${otpId}`, answer);
      expect(revoked.status).toBe(204);
      const { body: active } = await sim.call("GET", `/auth/sessions?accountId=${accountId}`);
      expect(active.data.map(({ id }: { id: string }) => id)).toEqual([s3.id]);
      expect((await wallet.signed("DELETE", path, {})).status).toBe(400);
    },
  );
});

describe("the export of a wallet", () => {
  // spec/wallets.md#mnemonic
  test("opens to the same twelve words each time", async () => {
    const session = await wallet.signIn(await wallet.addEmail());
    const exported = async () => {
      const keys = clientKeys();
      const { status, body } = await wallet.retried(
        "POST",
        `/internal-accounts/${wallet.accountId}/export`,
        { body: { clientPublicKey: keys.publicKey }, session },
      );
      expect(status).toBe(200);
      expect(body.id).toBe(wallet.accountId);
      return openWalletExport(body.encryptedWalletCredentials, keys);
    };
    const first = await exported();
    expect(first.mnemonic.split(" ")).toHaveLength(12);
    expect(await exported()).toEqual(first);
  });
});

test("a signed retry switches wallet privacy", async () => {
  const session = await wallet.signIn(await wallet.addEmail());
  const { status, body } = await wallet.retried("PATCH", `/internal-accounts/${wallet.accountId}`, {
    body: { privateEnabled: true },
    session,
  });
  expect([status, body.privateEnabled, body.type]).toEqual([200, true, "EMBEDDED_WALLET"]);
});

describe("a quote that a wallet pays", () => {
  const quoted = async () => {
    await sim.call("POST", `/sandbox/internal-accounts/${wallet.accountId}/fund`, {
      amount: 100_000_000,
    });
    const { body: payee } = await sim.call("POST", "/customers/external-accounts", {
      customerId: wallet.customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "123456789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" },
      },
    });
    const { body: quote } = await sim.call("POST", "/quotes", {
      source: { sourceType: "ACCOUNT", accountId: wallet.accountId },
      destination: { destinationType: "ACCOUNT", accountId: payee.id },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 50_000_000,
    });
    return quote;
  };

  test("has one instruction with the owner's payload to sign", async () => {
    const quote = await quoted();
    expect(quote.paymentInstructions).toEqual([
      {
        accountOrWalletInfo: {
          accountType: "EMBEDDED_WALLET",
          payloadToSign: expect.stringContaining("ACTIVITY_TYPE_SIGN_TRANSACTION_V2"),
        },
      },
    ]);
  });

  test.each(["retry", "alone", "magic"])("is executed by its signature, %s", async (way) => {
    const session = await wallet.signIn(await wallet.addEmail());
    const quote = await quoted();
    const path = `/quotes/${quote.id}/execute`;
    const first = await wallet.signed("POST", path, {});
    expect(first.status).toBe(202);
    const standing = quote.paymentInstructions[0].accountOrWalletInfo;
    const { payloadToSign } = way === "retry" ? first.body : standing;
    const signature =
      way === "magic" ? MAGIC_SIGNATURE : bareSignatureOver(payloadToSign, session.privateKeyHex);
    const { requestId } = first.body;
    const { status, body } = await wallet.signed("POST", path, {
      signature,
      ...(way === "retry" && { requestId }),
    });
    expect([status, body.status]).toEqual([200, "PROCESSING"]);
  });
});
