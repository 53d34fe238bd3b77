import { createPublicKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { digestHex } from "../../src/crypto/digest.ts";
import { publicJwk } from "../../src/crypto/p256.ts";
import { openWalletExport } from "../../src/crypto/sealing.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  unsignedToken,
  WalletClient,
} from "../api/wallets/setup/wallet-client.ts";

const NUMBER = "+14155550123";
const OTHER = "+14155550199";
const NOW = 1_767_603_600;

const smsCredential = async (wallet: WalletClient) => {
  const body = { type: "SMS_OTP", accountId: wallet.accountId };
  const made = await wallet.sim.call("POST", "/auth/credentials", body);
  expect(made.status).toBe(201);
  return made.body;
};

const patchNumber = (wallet: WalletClient, members: object, requestId?: string) =>
  wallet.signed("PATCH", `/customers/${wallet.customerId}`, {
    body: { customerType: "INDIVIDUAL", ...members },
    ...(requestId !== undefined && { signature: MAGIC_SIGNATURE, requestId }),
  });

describe("in 2026-08", () => {
  const world = worldPerTest({ revision: "2026-08" });

  // spec/later-wallets.md#codes-by-text-message
  describe("a credential SMS_OTP", () => {
    test("is the customer's number, has a code in the inbox, and signs in", async () => {
      const wallet = await WalletClient.create(world(), { phoneNumber: NUMBER });
      const made = await smsCredential(wallet);
      expect([made.type, made.nickname]).toEqual(["SMS_OTP", NUMBER]);
      expect(made.otpEncryptionTargetBundle).toContain('"version":"v1.0.0"');
      const [message] = (await world().control("GET", "/inbox")).body.data;
      expect([message.channel, message.to, message.credentialId]).toEqual([
        ...["sms", NUMBER, made.id],
      ]);
      const keys = clientKeys();
      const body = await wallet.sealedCode(made.id, { type: "SMS_OTP", keys });
      const path = `/auth/credentials/${made.id}/verify`;
      const first = await world().call("POST", path, body);
      expect([first.status, first.body.type]).toEqual([202, "SMS_OTP"]);
      const claims = JSON.parse(
        Buffer.from(first.body.payloadToSign.split(".")[1], "base64url").toString(),
      );
      expect([claims.verification_type, claims.contact]).toEqual(["OTP_TYPE_SMS", NUMBER]);
      const session = { id: "", ...keys, publicKeyHex: "" };
      expect((await wallet.retried("POST", path, { body, session })).status).toBe(200);
    });

    test("exists once, beside one for the e-mail, and is added by a signed retry", async () => {
      const email = "ada@example.com";
      const wallet = await WalletClient.create(world(), { email, phoneNumber: NUMBER });
      const body = { type: "SMS_OTP", accountId: wallet.accountId };
      const first = await wallet.signed("POST", "/auth/credentials", { body });
      expect(first.status).toBe(202);
      expect(first.body.type).toBe("SMS_OTP");
      const { type, parameters } = JSON.parse(first.body.payloadToSign);
      expect([type, parameters]).toEqual([
        "ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER",
        { userId: wallet.customerId, userPhoneNumber: NUMBER },
      ]);
      expect((await wallet.retried("POST", "/auth/credentials", { body })).status).toBe(201);
      expectRefused(await world().call("POST", "/auth/credentials", body), {
        ...{ status: 400, code: "SMS_OTP_CREDENTIAL_ALREADY_EXISTS", field: "type" },
      });
    });

    test("needs a number of the customer", async () => {
      const { accountId } = await WalletClient.create(world());
      const refused = await world().call("POST", "/auth/credentials", {
        ...{ type: "SMS_OTP", accountId },
      });
      expectRefused(refused, {
        ...{ status: 400, code: "INVALID_INPUT", reason: "PHONE_NUMBER_MISSING", field: "type" },
      });
    });

    test("is revoked by an activity with an empty number", async () => {
      const email = "ada@example.com";
      const wallet = await WalletClient.create(world(), { email, phoneNumber: NUMBER });
      const body = { type: "SMS_OTP", accountId: wallet.accountId };
      const { id } = (await wallet.retried("POST", "/auth/credentials", { body })).body;
      const asked = await wallet.signed("DELETE", `/auth/credentials/${id}`, {});
      expect(JSON.parse(asked.body.payloadToSign)).toMatchObject({
        parameters: { userId: wallet.customerId, userPhoneNumber: "" },
        type: "ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER",
      });
    });
  });

  // spec/later-wallets.md#phone-numbers
  describe("a new phoneNumber", () => {
    test("needs no signature where it signs in to no wallet", async () => {
      const wallet = await WalletClient.create(world(), { phoneNumber: NUMBER });
      const { status, body } = await patchNumber(wallet, { phoneNumber: OTHER });
      expect([status, body.phoneNumber]).toEqual([200, OTHER]);
    });

    test("is a signed retry otherwise, and its credential follows", async () => {
      const wallet = await WalletClient.create(world(), { phoneNumber: NUMBER });
      const { id } = await smsCredential(wallet);
      const change = { phoneNumber: OTHER };
      const first = await patchNumber(wallet, change);
      expect(first.status).toBe(202);
      expect(JSON.parse(first.body.payloadToSign)).toMatchObject({
        parameters: { userId: wallet.customerId, userPhoneNumber: OTHER },
        type: "ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER",
      });
      const second = await patchNumber(wallet, change, first.body.requestId);
      expect([second.status, second.body.phoneNumber]).toEqual([200, OTHER]);
      const path = `/auth/credentials?accountId=${wallet.accountId}`;
      const [method] = (await world().call("GET", path)).body.data;
      expect([method.id, method.nickname]).toEqual([id, OTHER]);
      expect((await patchNumber(wallet, change)).status).toBe(200);
    });

    test("is refused where another credential has it", async () => {
      await smsCredential(await WalletClient.create(world(), { phoneNumber: OTHER }));
      const wallet = await WalletClient.create(world(), { phoneNumber: NUMBER });
      await smsCredential(wallet);
      expectRefused(await patchNumber(wallet, { phoneNumber: OTHER }), {
        ...{ status: 409, code: "CONFLICT", field: "phoneNumber" },
        reason: "SMS_OTP_PHONE_NUMBER_ALREADY_EXISTS",
      });
    });
  });

  // spec/later-wallets.md#signed-exports
  test("an export is signed by the key that status names", async () => {
    const wallet = await WalletClient.create(world());
    await wallet.addPasskey();
    const keys = clientKeys();
    const body = { clientPublicKey: keys.publicKey };
    const path = `/internal-accounts/${wallet.accountId}/export`;
    const { encryptedWalletCredentials } = (await wallet.retried("POST", path, { body })).body;
    const { settings } = (await world().control("GET", "/status")).body;
    const envelope = JSON.parse(encryptedWalletCredentials);
    expect(envelope.enclaveQuorumPublic).toBe(settings.otpSignerPublicKey);
    expect(settings.otpSignerPublicKey).toMatch(/^04[0-9a-f]{128}$/);
    const key = createPublicKey({ key: publicJwk(envelope.enclaveQuorumPublic), format: "jwk" });
    const data = Buffer.from(envelope.data, "hex");
    const signature = Buffer.from(envelope.dataSignature, "hex");
    expect(verify("sha256", data, key, signature)).toBe(true);
    const { mnemonic } = await openWalletExport(encryptedWalletCredentials, keys);
    expect(mnemonic.split(" ")).toHaveLength(12);
  });
});

// spec/later-wallets.md#id-tokens
describe("an ID token in 2026-08", () => {
  const world = worldPerTest({ revision: "2026-08" });
  const INVALID = { status: 401, code: "UNAUTHORIZED", reason: "Invalid OIDC token" };
  const CLAIMS = { aud: "app", iat: NOW, exp: NOW + 3_600 };

  const created = (wallet: WalletClient, claims: object) =>
    world().call("POST", "/auth/credentials", {
      ...{ type: "OAUTH", accountId: wallet.accountId, oidcToken: unsignedToken(claims) },
    });

  test("may have a dummy signature, at creation and to sign in", async () => {
    const wallet = await WalletClient.create(world());
    const made = await created(wallet, CLAIMS);
    expect(made.status).toBe(201);
    const { publicKey: clientPublicKey } = clientKeys();
    const nonce = digestHex(clientPublicKey);
    const proved = await world().call("POST", `/auth/credentials/${made.body.id}/verify`, {
      ...{ type: "OAUTH", oidcToken: unsignedToken({ ...CLAIMS, nonce }), clientPublicKey },
    });
    expect(proved.status).toBe(200);
  });

  test.each([
    { is: "without iat", claims: { iat: undefined } },
    { is: "with iat as text", claims: { iat: `${NOW}` } },
    { is: "of 61 s ago", claims: { iat: NOW - 61 } },
    { is: "6 s ahead", claims: { iat: NOW + 6 } },
    { is: "without exp", claims: { exp: undefined } },
    { is: "that expires now", claims: { exp: NOW } },
    { is: "with an empty sub", claims: { sub: "" } },
    { is: "without aud", claims: { aud: undefined } },
    { is: "with an empty aud", claims: { aud: "" } },
    { is: "with two aud", claims: { aud: ["app", "other"] } },
  ])("$is is 401 at creation and to sign in", async ({ claims }) => {
    const wallet = await WalletClient.create(world());
    expectRefused(await created(wallet, { ...CLAIMS, ...claims }), INVALID);
    const { id } = (await created(wallet, CLAIMS)).body;
    const { publicKey: clientPublicKey } = clientKeys();
    const nonce = digestHex(clientPublicKey);
    const oidcToken = unsignedToken({ ...CLAIMS, ...claims, nonce });
    const path = `/auth/credentials/${id}/verify`;
    const body = { type: "OAUTH", oidcToken, clientPublicKey };
    expectRefused(await world().call("POST", path, body), INVALID);
  });

  test.each([
    { is: "60 s old", claims: { iat: NOW - 60 } },
    { is: "5 s ahead", claims: { iat: NOW + 5 } },
    { is: "with one aud in a list", claims: { aud: ["app"] } },
  ])("$is is taken", async ({ claims }) => {
    const wallet = await WalletClient.create(world());
    expect((await created(wallet, { ...CLAIMS, ...claims })).status).toBe(201);
  });

  test("of an unknown issuer, or no JWT, is 400, also to sign in", async () => {
    const wallet = await WalletClient.create(world());
    const refused = { status: 400, code: "INVALID_INPUT", field: "oidcToken" };
    const iss = "https://idp.example";
    expectRefused(await created(wallet, { ...CLAIMS, iss }), refused);
    const { id } = (await created(wallet, CLAIMS)).body;
    const path = `/auth/credentials/${id}/verify`;
    const { publicKey: clientPublicKey } = clientKeys();
    for (const oidcToken of ["sandbox-valid-oidc-token", unsignedToken({ ...CLAIMS, iss })]) {
      const body = { type: "OAUTH", oidcToken, clientPublicKey };
      expectRefused(await world().call("POST", path, body), refused);
    }
  });

  test("of another identity makes a second credential; of the same one it is refused", async () => {
    const wallet = await WalletClient.create(world());
    expect((await created(wallet, CLAIMS)).status).toBe(201);
    const body = { type: "OAUTH", accountId: wallet.accountId };
    const same = { ...body, oidcToken: unsignedToken(CLAIMS) };
    expectRefused(await world().call("POST", "/auth/credentials", same), {
      ...{ status: 400, code: "INVALID_INPUT", field: "oidcToken" },
      reason: "OAUTH_CREDENTIAL_ALREADY_EXISTS",
    });
    for (const claims of [{ sub: "1043" }, { aud: "app2" }, { iss: "accounts.google.com" }]) {
      const other = { ...body, oidcToken: unsignedToken({ ...CLAIMS, ...claims }) };
      const made = await wallet.retried("POST", "/auth/credentials", { body: other });
      expect(made.status).toBe(201);
    }
  });
});

describe("an ID token in 2026-08 with --crypto strict", () => {
  const world = worldPerTest({ revision: "2026-08", crypto: "strict" });

  test("must be signed by a known key", async () => {
    const { accountId } = await WalletClient.create(world());
    const oidcToken = unsignedToken({ aud: "app", iat: NOW, exp: NOW + 3_600 });
    const body = { type: "OAUTH", accountId, oidcToken };
    expect((await world().call("POST", "/auth/credentials", body)).status).toBe(401);
    const { token } = (await world().control("POST", "/oidc/token", {})).body;
    const signed = { type: "OAUTH", accountId, oidcToken: token };
    expect((await world().call("POST", "/auth/credentials", signed)).status).toBe(201);
  });
});

describe("in 2025-10", () => {
  const world = worldPerTest();

  test("an export has no signature, and status names no key", async () => {
    const wallet = await WalletClient.create(world());
    await wallet.addPasskey();
    const body = { clientPublicKey: clientKeys().publicKey };
    const path = `/internal-accounts/${wallet.accountId}/export`;
    const { encryptedWalletCredentials } = (await wallet.retried("POST", path, { body })).body;
    const { dataSignature, enclaveQuorumPublic } = JSON.parse(encryptedWalletCredentials);
    expect([dataSignature, enclaveQuorumPublic]).toEqual(["", ""]);
    const { settings } = (await world().control("GET", "/status")).body;
    expect(settings).not.toHaveProperty("otpSignerPublicKey");
  });
});
