import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWalletExport } from "../../../src/crypto/sealing.ts";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { withS } from "../../crypto/setup/der.ts";
import { type Answer, startTestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  SIGNED_OPERATIONS,
  type SignedCall,
  type SignedWorld,
  signedWorld,
} from "./setup/signed-operations.ts";
import {
  EXPIRED_REQUEST,
  expectUnauthorized,
  INVALID_SIGNATURE,
  USED_REQUEST,
} from "./setup/unauthorized.ts";
import { clientKeys, MAGIC_SIGNATURE, type Signing, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

const send = ({ wallet }: SignedWorld, call: SignedCall, signing: Signing = {}): Promise<Answer> =>
  wallet.signed(call.method, call.path, { ...signing, ...(call.body && { body: call.body }) });

describe.each(SIGNED_OPERATIONS)("$operation", ({ call: callOf, done, signer, takesAlone }) => {
  // spec/signed-retry.md#stamp,
  // spec/signed-retry.md#bare-signature,
  // spec/signed-retry.md#magic-signature
  test.each(["stamp", "bare", "magic"] as const)("is done by a %s", async (form) => {
    const own = await signedWorld(world(), "ada@example.com");
    const call = await callOf(own);
    const { payloadToSign, requestId } = (await send(own, call)).body;
    const { privateKeyHex } = own[signer ?? "emailSession"];
    const signature = {
      stamp: () => stampOver(payloadToSign, privateKeyHex),
      bare: () => bareSignatureOver(payloadToSign, privateKeyHex),
      magic: () => MAGIC_SIGNATURE,
    }[form]();
    const answer = await send(own, call, { signature, requestId });
    expect(answer.status).toBe(done);
  });

  test("its challenge is valid until the millisecond before it expires", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const call = await callOf(own);
    const { requestId, expiresAt } = (await send(own, call)).body;
    expect(expiresAt).toBe("2026-01-05T09:05:00.000Z");
    await goTo(world(), "09:04:59.999");
    const answer = await send(own, call, { signature: MAGIC_SIGNATURE, requestId });
    expect(answer.status).toBe(done);
  });

  // A quote expires with its challenge, and its own refusal comes first.
  test.skipIf(takesAlone)("at the instant it expires it is refused", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const call = await callOf(own);
    const { requestId } = (await send(own, call)).body;
    await goTo(world(), "09:05:00.000");
    const answer = await send(own, call, { signature: MAGIC_SIGNATURE, requestId });
    expectUnauthorized(answer, {
      reason: EXPIRED_REQUEST,
      check: /^it expired at 2026-01-05T09:05:00.000Z$/,
    });
    const again = (await send(own, call)).body;
    const retry = { signature: MAGIC_SIGNATURE, requestId: again.requestId };
    expect((await send(own, call, retry)).status).toBe(done);
  });
});

describe("equivalent forms", () => {
  let own: SignedWorld;
  let path: string;

  beforeEach(async () => {
    own = await signedWorld(world(), "ada@example.com");
    path = `/internal-accounts/${own.wallet.accountId}`;
  });

  const challenge = async (body: object, at = path, method = "PATCH") =>
    (await own.wallet.signed(method, at, { body })).body;

  test.each(["high", "low"] as const)("a signature with %s S, in both forms", async (which) => {
    const body = { privateEnabled: true };
    for (const form of ["stamp", "bare"]) {
      const { payloadToSign, requestId } = await challenge(body);
      const { privateKeyHex, publicKeyHex } = own.emailSession;
      const der = withS(
        Buffer.from(bareSignatureOver(payloadToSign, privateKeyHex), "base64"),
        which,
      );
      const stamp = {
        signature: der.toString("hex"),
        scheme: "SIGNATURE_SCHEME_TK_API_P256",
        publicKey: publicKeyHex,
      };
      const signature =
        form === "bare"
          ? der.toString("base64")
          : Buffer.from(JSON.stringify(stamp)).toString("base64url");
      const answer = await own.wallet.signed("PATCH", path, { body, signature, requestId });
      expect(answer.status).toBe(200);
    }
  });

  test.each(["SIGNATURE_SCHEME_TK_API_P256", "P256_ECDSA_SHA256"])(
    "a stamp that names %s, its members in any order",
    async (scheme) => {
      const body = { privateEnabled: true };
      const { payloadToSign, requestId } = await challenge(body);
      const text = stampOver(payloadToSign, own.emailSession.privateKeyHex);
      const { publicKey, signature } = JSON.parse(Buffer.from(text, "base64url").toString());
      const stamp = JSON.stringify({ signature, scheme, publicKey: publicKey.toUpperCase() });
      const answer = await own.wallet.signed("PATCH", path, {
        body,
        requestId,
        signature: Buffer.from(stamp).toString("base64url"),
      });
      expect(answer.status).toBe(200);
    },
  );

  test("a client key in the other case", async () => {
    const { publicKey } = clientKeys();
    const at = `${path}/export`;
    const { requestId } = await challenge({ clientPublicKey: publicKey }, at, "POST");
    const answer = await own.wallet.signed("POST", at, {
      body: { clientPublicKey: publicKey.toUpperCase() },
      signature: MAGIC_SIGNATURE,
      requestId,
    });
    expect(answer.status).toBe(200);
  });

  test("a body with another member order, at any depth, and other white space", async () => {
    const { accountId } = own.wallet;
    const attestation = { credentialId: "YQ", clientDataJson: "Yg", attestationObject: "Yw" };
    const body = { type: "PASSKEY", accountId, nickname: "n", challenge: "Yw", attestation };
    const { requestId } = await challenge(body, "/auth/credentials", "POST");
    const turned = Object.fromEntries(
      Object.entries({
        ...body,
        attestation: Object.fromEntries(Object.entries(attestation).reverse()),
      }).reverse(),
    );
    const answer = await world().raw("POST", "/auth/credentials", {
      body: JSON.stringify(turned, undefined, 2),
      headers: {
        "content-type": "application/json",
        "service-wallet-signature": MAGIC_SIGNATURE,
        "request-id": requestId,
      },
    });
    expect(answer.status).toBe(201);
  });

  test("a path with its colon written as %3A", async () => {
    const body = { privateEnabled: true };
    const { requestId } = await challenge(body);
    const encoded = `/internal-accounts/${encodeURIComponent(own.wallet.accountId)}`;
    const signature = MAGIC_SIGNATURE;
    const answer = await own.wallet.signed("PATCH", encoded, { body, signature, requestId });
    expect(answer.status).toBe(200);
  });
});

describe("several at once", () => {
  test("pending requests are independent, in any order of answers", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const path = `/internal-accounts/${own.wallet.accountId}`;
    const on = { privateEnabled: true };
    const off = { privateEnabled: false };
    const asked = [on, off, on].map((body) => own.wallet.signed("PATCH", path, { body }));
    const challenges = (await Promise.all(asked)).map(({ body }) => body);
    expect(new Set(challenges.map(({ requestId }) => requestId)).size).toBe(3);
    for (const [at, body] of [
      [2, on],
      [1, off],
      [0, on],
    ] as const) {
      const { payloadToSign, requestId } = challenges[at];
      const signature = stampOver(payloadToSign, own.emailSession.privateKeyHex);
      const answer = await own.wallet.signed("PATCH", path, { body, signature, requestId });
      expect([answer.status, answer.body.privateEnabled]).toEqual([200, body.privateEnabled]);
    }
  });

  test("of two concurrent retries one succeeds, the other is refused as used", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const body = { clientPublicKey: clientKeys().publicKey };
    const path = `/auth/sessions/${own.oauthSession.id}/refresh`;
    const { payloadToSign, requestId } = (await own.wallet.signed("POST", path, { body })).body;
    const signature = stampOver(payloadToSign, own.oauthSession.privateKeyHex);
    const retry = () => own.wallet.signed("POST", path, { body, signature, requestId });
    const answers = await Promise.all([retry(), retry(), retry()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    for (const answer of answers)
      if (answer.status === 401)
        expectUnauthorized(answer, { reason: USED_REQUEST, check: /used/ });
  });

  test("a second credential of a type is refused on the retry if another came first", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const call = await (SIGNED_OPERATIONS[0] as (typeof SIGNED_OPERATIONS)[0]).call(own);
    const first = (await send(own, call)).body.requestId;
    const second = (await send(own, call)).body.requestId;
    const signature = MAGIC_SIGNATURE;
    expect((await send(own, call, { signature, requestId: first })).status).toBe(201);
    const late = await send(own, call, { signature, requestId: second });
    expect([late.status, late.body.code]).toEqual([400, "PASSKEY_CREDENTIAL_ALREADY_EXISTS"]);
  });

  test("of two pending revocations the second is refused for the last credential", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const calls = [own.emailCredential, own.oauthCredential].map((id) => ({
      method: "DELETE",
      path: `/auth/credentials/${id}`,
    }));
    const ids = [];
    for (const call of calls) ids.push((await send(own, call)).body.requestId);
    const [one, other] = calls as [SignedCall, SignedCall];
    const signature = MAGIC_SIGNATURE;
    expect((await send(own, one, { signature, requestId: ids[0] })).status).toBe(204);
    const late = await send(own, other, { signature, requestId: ids[1] });
    expect([late.status, late.body.reason]).toEqual([400, "LAST_CREDENTIAL"]);
  });
});

describe("the signer's session", () => {
  test("signs until the millisecond before it expires", async () => {
    const own = await signedWorld(world(), "ada@example.com");
    const call = { method: "PATCH", path: `/internal-accounts/${own.wallet.accountId}` };
    const body = { privateEnabled: true };
    await goTo(world(), "09:14:59.999");
    const signed = async () => {
      const { payloadToSign, requestId } = (await send(own, { ...call, body })).body;
      const signature = stampOver(payloadToSign, own.emailSession.privateKeyHex);
      return send(own, { ...call, body }, { signature, requestId });
    };
    expect((await signed()).status).toBe(200);
    await goTo(world(), "09:15:00.000");
    expectUnauthorized(await signed(), {
      reason: INVALID_SIGNATURE,
      check: /^stamp.publicKey is not an active session of this account$/,
    });
    const { payloadToSign, requestId } = (await send(own, { ...call, body })).body;
    const signature = bareSignatureOver(payloadToSign, own.emailSession.privateKeyHex);
    expectUnauthorized(await send(own, { ...call, body }, { signature, requestId }), {
      reason: INVALID_SIGNATURE,
      check: /^no session of this account is active$/,
    });
  });

  test("a first call is challenged even if no session could sign", async () => {
    const wallet = await WalletClient.create(world());
    const path = `/internal-accounts/${wallet.accountId}`;
    const answer = await wallet.signed("PATCH", path, { body: { privateEnabled: true } });
    expect(answer.status).toBe(202);
  });
});

describe("a restart in between", () => {
  let directory: StateDirectory;

  beforeEach(() => {
    directory = new StateDirectory();
  });

  afterEach(() => directory.remove());

  test("keeps pending challenges, used ones and sessions", async () => {
    const before = await startTestSimulator({ storage: directory.url });
    const own = await signedWorld(before, "ada@example.com");
    const path = `/internal-accounts/${own.wallet.accountId}`;
    const call = { method: "PATCH", path, body: { privateEnabled: true } };
    const used = (await send(own, call)).body.requestId;
    await send(own, call, { signature: MAGIC_SIGNATURE, requestId: used });
    const { payloadToSign, requestId } = (await send(own, call)).body;
    const words = await exportedWords(own.wallet);
    await before.sim.close();

    const after = await reopen(directory);
    const later = { ...own, wallet: own.wallet.on(after) };
    const reused = await send(later, call, { signature: MAGIC_SIGNATURE, requestId: used });
    expectUnauthorized(reused, { reason: USED_REQUEST, check: /used/ });
    const signature = stampOver(payloadToSign, own.emailSession.privateKeyHex);
    expect((await send(later, call, { signature, requestId })).status).toBe(200);
    expect(await exportedWords(later.wallet)).toBe(words);
    expect(after.alarms).toEqual([]);
    await after.sim.close();
  });
});

const exportedWords = async (wallet: WalletClient) => {
  const keys = clientKeys();
  const { body } = await wallet.retried("POST", `/internal-accounts/${wallet.accountId}/export`, {
    body: { clientPublicKey: keys.publicKey },
  });
  return (await openWalletExport(body.encryptedWalletCredentials, keys)).mnemonic;
};
