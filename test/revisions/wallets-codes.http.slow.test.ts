import { describe, expect, test } from "vitest";
import { targetKeyIn } from "../../src/crypto/code-bundles.ts";
import { pointAs } from "../../src/crypto/p256.ts";
import { stampOver } from "../../src/crypto/wallet-signatures.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  sealed,
  WalletClient,
} from "../api/wallets/setup/wallet-client.ts";

const LATER = "2026-08";
const EMAIL = "ada@example.com";
const NAMES_FIRST = /revision 2025-10 takes it \(--revision 2025-10\)/i;
const NAMES_LATER = /revision 2026-08 takes it \(--revision 2026-08\)/i;

const WRONG_CODE = { status: 401, code: "UNAUTHORIZED", reason: "Invalid OTP code" };
const WRONG_SIGNATURE = {
  ...{ status: 401, code: "UNAUTHORIZED", reason: "Invalid Service-Wallet-Signature" },
};

/** The credential that a wallet was born with. */
const bornCredential = async ({ sim, accountId }: WalletClient): Promise<string> => {
  const { body } = await sim.call("GET", `/auth/credentials?accountId=${accountId}`);
  return body.data[0].id;
};

const withEmail = async (sim: Parameters<typeof WalletClient.create>[0]) => {
  const wallet = await WalletClient.create(sim, { email: EMAIL });
  const id = await bornCredential(wallet);
  return { wallet, id, path: `/auth/credentials/${id}/verify` };
};

const compressed = (publicKey: string) => pointAs("compressed", publicKey);

const newestCode = async ({ sim, accountId }: WalletClient): Promise<string> => {
  const { body } = await sim.control("GET", `/inbox?account=${accountId}`);
  return body.data[0].code;
};

const privacy = ({ accountId }: WalletClient) => `/internal-accounts/${accountId}`;

// spec/later-wallets.md#encrypted-codes
describe("a sealed code", () => {
  const world = worldPerTest({ revision: LATER });

  test("signs in with two calls, and its key signs from then on", async () => {
    const { wallet, id, path } = await withEmail(world());
    const keys = clientKeys();
    const body = await wallet.sealedCode(id, { keys });
    const first = await world().call("POST", path, body);
    expect(first.status).toBe(202);
    expect(Object.keys(first.body)).toEqual(["payloadToSign", "requestId", "expiresAt", "type"]);
    expect([first.body.type, first.body.expiresAt]).toEqual([
      "EMAIL_OTP",
      "2026-01-05T09:05:00.000Z",
    ]);
    const { payloadToSign, requestId } = first.body;
    const signature = stampOver(payloadToSign, keys.privateKeyHex);
    const second = await wallet.signed("POST", path, { body, signature, requestId });
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ type: "EMAIL_OTP", nickname: EMAIL });
    expect(second.body).not.toHaveProperty("encryptedSessionSigningKey");
    const publicKeyHex = compressed(keys.publicKey);
    const session = { id: second.body.id, privateKeyHex: keys.privateKeyHex, publicKeyHex };
    const signed = await wallet.retried("PATCH", privacy(wallet), {
      ...{ body: { privateEnabled: true }, session },
    });
    expect(signed.status).toBe(200);
    const again = await wallet.signed("POST", path, { body, signature, requestId });
    expectRefused(again, { status: 401, code: "UNAUTHORIZED", reason: "Request-Id already used" });
  });

  test.each(["compressed", "in capitals"])("takes a key that is %s", async (form) => {
    const { wallet, id, path } = await withEmail(world());
    const keys = clientKeys();
    const publicKey =
      form === "compressed" ? compressed(keys.publicKey) : keys.publicKey.toUpperCase();
    const body = await wallet.sealedCode(id, { publicKey });
    const session = { id: "", ...keys, publicKeyHex: compressed(keys.publicKey) };
    const { status, body: made } = await wallet.retried("POST", path, { body, session });
    expect(status).toBe(200);
    expect(made).not.toHaveProperty("encryptedSessionSigningKey");
  });

  test("is the mailed one or 000000; another is counted, and the sixth is 429", async () => {
    const { wallet, id, path } = await withEmail(world());
    const { body: asked } = await world().call("POST", `/auth/credentials/${id}/challenge`);
    const targetPublic = targetKeyIn(asked.otpEncryptionTargetBundle);
    const { publicKey } = clientKeys();
    const send = async (code: string) =>
      world().call("POST", path, {
        type: "EMAIL_OTP",
        encryptedOtpBundle: await sealed({ code, publicKey }, targetPublic),
      });
    expect((await send(await newestCode(wallet))).status).toBe(202);
    expect((await send("000000")).status).toBe(202);
    for (const code of ["1", "2", "3", "4", ""]) expectRefused(await send(code), WRONG_CODE);
    expect((await send("000000")).status).toBe(429);
  });

  test("may be proved several times, and signs in once", async () => {
    const { wallet, id, path } = await withEmail(world());
    const body = await wallet.sealedCode(id);
    const [one, two] = [
      await world().call("POST", path, body),
      await world().call("POST", path, body),
    ];
    const answer = ({ body: { requestId } }: typeof one) =>
      wallet.signed("POST", path, { body, signature: MAGIC_SIGNATURE, requestId });
    expect((await answer(one)).status).toBe(200);
    expectRefused(await answer(two), WRONG_CODE);
  });

  test("is over with the next challenge, in both calls", async () => {
    const { wallet, id, path } = await withEmail(world());
    const body = await wallet.sealedCode(id);
    const { requestId } = (await world().call("POST", path, body)).body;
    await world().call("POST", `/auth/credentials/${id}/challenge`);
    const refused = await world().call("POST", path, body);
    expectRefused(refused, WRONG_CODE);
    expect(refused.body.details.check).toBe("bundle");
    const signed = { body, signature: MAGIC_SIGNATURE, requestId };
    expectRefused(await wallet.signed("POST", path, signed), WRONG_CODE);
  });

  test("is over with the code's lifetime; what was proved before still signs in", async () => {
    const { wallet, id, path } = await withEmail(world());
    const body = await wallet.sealedCode(id);
    await goTo(world(), "09:04:59.000");
    const { requestId } = (await world().call("POST", path, body)).body;
    await goTo(world(), "09:05:00.000");
    const refused = await world().call("POST", path, body);
    expectRefused(refused, WRONG_CODE);
    expect(refused.body.details.check).toBe("bundle");
    const signed = { body, signature: MAGIC_SIGNATURE, requestId };
    expect((await wallet.signed("POST", path, signed)).status).toBe(200);
  });

  test("of another credential's challenge does not open", async () => {
    const { path } = await withEmail(world());
    const other = await WalletClient.create(world(), { email: "bea@example.com" });
    const body = await other.sealedCode(await bornCredential(other));
    const refused = await world().call("POST", path, body);
    expectRefused(refused, WRONG_CODE);
    expect(refused.body.details.check).toBe("bundle");
  });

  test.each([
    { is: "no JSON", encryptedOtpBundle: "000000" },
    { is: "without a ciphertext", encryptedOtpBundle: '{"encappedPublic":"04"}' },
    {
      is: "with no point",
      encryptedOtpBundle: `{"encappedPublic":"04","ciphertext":"${"0".repeat(40)}"}`,
    },
  ])("in a bundle $is is 400", async ({ encryptedOtpBundle }) => {
    const { path } = await withEmail(world());
    const refused = await world().call("POST", path, { type: "EMAIL_OTP", encryptedOtpBundle });
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "encryptedOtpBundle" });
  });

  test("with a key that is no point is 400", async () => {
    const { wallet, id, path } = await withEmail(world());
    const body = await wallet.sealedCode(id, { publicKey: `02${"f".repeat(64)}` });
    const refused = await world().call("POST", path, body);
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "encryptedOtpBundle" });
  });

  test("is refused in the clear, and the error names 2025-10", async () => {
    const { path } = await withEmail(world());
    const body = { type: "EMAIL_OTP", otp: "000000", clientPublicKey: clientKeys().publicKey };
    const refused = await world().call("POST", path, body);
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "encryptedOtpBundle" });
    expect(refused.body.message).toMatch(NAMES_FIRST);
  });

  test("needs both headers, the same body and the sealed key's own stamp", async () => {
    const { wallet, id, path } = await withEmail(world());
    const keys = clientKeys();
    const body = await wallet.sealedCode(id, { keys });
    const { payloadToSign, requestId } = (await world().call("POST", path, body)).body;
    const signature = stampOver(payloadToSign, keys.privateKeyHex);
    const send = (headers: object, sent: object = body) =>
      wallet.signed("POST", path, { body: sent, ...headers });
    expectRefused(await send({ requestId }), { status: 401, code: "WALLET_SIGNATURE_MISSING" });
    expectRefused(await send({ signature }), { status: 401, code: "REQUEST_ID_MISSING" });
    const otherBody = { ...body, encryptedOtpBundle: `${body.encryptedOtpBundle} ` };
    expectRefused(await send({ signature, requestId }, otherBody), {
      ...{
        status: 401,
        code: "UNAUTHORIZED",
        reason: "Request body does not match the pending request",
      },
    });
    const foreign = stampOver(payloadToSign, clientKeys().privateKeyHex);
    const refused = await send({ signature: foreign, requestId });
    expectRefused(refused, WRONG_SIGNATURE);
    expect(refused.body.details.check).toBe("key");
    const overAnother = stampOver(`${payloadToSign} `, keys.privateKeyHex);
    expectRefused(await send({ signature: overAnother, requestId }), WRONG_SIGNATURE);
    expectRefused(await send({ signature: "AAAA", requestId }), WRONG_SIGNATURE);
    expectRefused(await send({ signature, requestId: "Request:unknown" }), {
      ...{ status: 401, code: "UNAUTHORIZED", reason: "Unknown Request-Id" },
    });
    await goTo(world(), "09:05:00.000");
    expectRefused(await send({ signature, requestId }), {
      ...{ status: 401, code: "UNAUTHORIZED", reason: "Request-Id expired" },
    });
  });

  // spec/later-wallets.md#verification-token
  test("is answered with a token of the world's own key", async () => {
    const { wallet, id, path } = await withEmail(world());
    const keys = clientKeys();
    const body = await wallet.sealedCode(id, { keys });
    const { payloadToSign, requestId } = (await world().call("POST", path, body)).body;
    const [header, claims, signature] = payloadToSign
      .split(".")
      .map((part: string) => Buffer.from(part, "base64url"));
    expect(header.toString()).toBe('{"alg":"ES256","kid":"service-sim","typ":"JWT"}');
    expect(JSON.parse(claims.toString())).toEqual({
      id: requestId,
      verification_type: "OTP_TYPE_EMAIL",
      contact: EMAIL,
      organization_id: wallet.accountId.split(":")[1],
      public_key: compressed(keys.publicKey),
      iat: 1_767_603_600,
      exp: "1767607200000",
    });
    expect(signature).toHaveLength(64);
  });
});

describe.each([
  { crypto: "strict", magic: 401, mailed: 202 },
  { crypto: "magic-only", magic: 202, mailed: 401 },
] as const)("a sealed code with --crypto $crypto", ({ crypto, magic, mailed }) => {
  const world = worldPerTest({ revision: LATER, crypto });

  test("is really opened", async () => {
    const { wallet, id, path } = await withEmail(world());
    const body = await wallet.sealedCode(id);
    expect((await world().call("POST", path, body)).status).toBe(magic);
    const { body: asked } = await world().call("POST", `/auth/credentials/${id}/challenge`);
    const code = await newestCode(wallet);
    const target = targetKeyIn(asked.otpEncryptionTargetBundle);
    const encryptedOtpBundle = await sealed({ code, ...clientKeys() }, target);
    const sent = { type: "EMAIL_OTP", encryptedOtpBundle };
    expect((await world().call("POST", path, sent)).status).toBe(mailed);
  });
});

describe("in 2025-10", () => {
  const world = worldPerTest();

  test("a sealed code is refused, and the error names 2026-08", async () => {
    const wallet = await WalletClient.create(world(), { email: EMAIL });
    const id = await wallet.addEmail();
    const { body: asked } = await world().call("POST", `/auth/credentials/${id}/challenge`);
    expect(asked).not.toHaveProperty("otpEncryptionTargetBundle");
    const body = { type: "EMAIL_OTP", encryptedOtpBundle: "{}" };
    const refused = await world().call("POST", `/auth/credentials/${id}/verify`, body);
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "otp" });
    expect(refused.body.message).toMatch(NAMES_LATER);
  });

  test("there is no SMS_OTP", async () => {
    const wallet = await WalletClient.create(world(), { phoneNumber: "+14155550123" });
    const { accountId } = wallet;
    const refused = await world().call("POST", "/auth/credentials", { type: "SMS_OTP", accountId });
    expectRefused(refused, { status: 400, code: "INVALID_INPUT", field: "type" });
    expect(refused.body.message).toMatch(NAMES_LATER);
  });

  // spec/later-wallets.md#wallets-born-with-e-mail
  test("a wallet begins without credentials", async () => {
    const wallet = await WalletClient.create(world(), { email: EMAIL });
    const path = `/auth/credentials?accountId=${wallet.accountId}`;
    expect((await world().call("GET", path)).body.data).toEqual([]);
  });
});

// spec/later-wallets.md#wallets-born-with-e-mail
describe("a wallet in 2026-08", () => {
  const world = worldPerTest({ revision: LATER });

  test("begins with a credential for its customer's e-mail, which a list shows plainly", async () => {
    const { wallet, id } = await withEmail(world());
    const path = `/auth/credentials?accountId=${wallet.accountId}`;
    const { data } = (await world().call("GET", path)).body;
    expect(data).toEqual([
      {
        ...{ id, accountId: wallet.accountId, type: "EMAIL_OTP", nickname: EMAIL },
        createdAt: "2026-01-05T09:00:00.000Z",
        updatedAt: "2026-01-05T09:00:00.000Z",
      },
    ]);
  });

  test("begins without one where there is no e-mail", async () => {
    const wallet = await WalletClient.create(world());
    const path = `/auth/credentials?accountId=${wallet.accountId}`;
    expect((await world().call("GET", path)).body.data).toEqual([]);
  });

  test("says so in its settings", async () => {
    const { settings } = (await world().control("GET", "/status")).body;
    expect(settings.walletCredential).toBe("email");
  });
});

test.each(["none", "email"] as const)("a named --wallet-credential %s wins", async (named) => {
  const { startTestSimulator } = await import("../setup/test-simulator.ts");
  const sim = await startTestSimulator({ revision: LATER, walletCredential: named });
  const wallet = await WalletClient.create(sim, { email: EMAIL });
  const { data } = (await sim.call("GET", `/auth/credentials?accountId=${wallet.accountId}`)).body;
  expect(data).toHaveLength(named === "email" ? 1 : 0);
  await sim.sim.close();
});
