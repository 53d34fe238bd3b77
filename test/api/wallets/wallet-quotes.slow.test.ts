import { beforeEach, describe, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { walletQuote } from "./setup/signed-operations.ts";
import { expectUnauthorized, INVALID_SIGNATURE, USED_REQUEST } from "./setup/unauthorized.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  WalletClient,
} from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;
let session: OpenSession;
let quote: Answer["body"];

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
  session = await wallet.signIn(await wallet.addEmail());
  quote = await walletQuote(wallet);
});

const execute = (headers: Record<string, string> = {}, id: string = quote.id) =>
  world().raw("POST", `/quotes/${id}/execute`, { headers });

const payloadOf = ({ paymentInstructions }: Answer["body"]): string =>
  paymentInstructions[0].accountOrWalletInfo.payloadToSign;

const stamped = (payload = payloadOf(quote), { privateKeyHex } = session) => ({
  "service-wallet-signature": stampOver(payload, privateKeyHex),
});

/** The headers that answer a challenge. */
const answering = ({ payloadToSign, requestId }: Answer["body"]) => ({
  ...stamped(payloadToSign),
  "request-id": requestId,
});

const balance = () => balanceOf(world(), wallet.accountId);

const ALREADY = {
  status: 409,
  code: "CONFLICT",
  reason: "QUOTE_ALREADY_EXECUTED",
};

// spec/payment-instructions.md#wallet-item
test("its payload is the same on every read; a challenge has its own text", async () => {
  const payload = payloadOf(quote);
  const transaction = {
    generateAppProofs: true,
    organizationId: wallet.accountId.replace("InternalAccount:", ""),
    parameters: {
      signWith: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      type: "TRANSACTION_TYPE_ETHEREUM",
      unsignedTransaction: expect.stringMatching(/^[0-9a-f]+$/),
    },
    timestampMs: "1767603600000",
    type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
  };
  expect(JSON.parse(payload)).toEqual(transaction);
  await goTo(world(), "09:01:00.000");
  expect(payloadOf((await world().call("GET", `/quotes/${quote.id}`)).body)).toBe(payload);
  const { status, body } = await execute();
  expect([status, body]).toEqual([
    202,
    {
      payloadToSign: expect.any(String),
      requestId: expect.stringMatching(/^Request:/),
      expiresAt: quote.expiresAt,
    },
  ]);
  expect(JSON.parse(body.payloadToSign)).toEqual({
    ...transaction,
    requestId: body.requestId,
    timestampMs: "1767603660000",
  });
  expect(await balance()).toBe(100_000_000);
});

// spec/quotes.md#wallet-source
describe.each(["stamp", "bare", "magic"])("%s", (form) => {
  const signature = (payload: string) => {
    if (form === "magic") return MAGIC_SIGNATURE;
    const sign = form === "stamp" ? stampOver : bareSignatureOver;
    return sign(payload, session.privateKeyHex);
  };

  test("alone, without a challenge before", async () => {
    const answer = await execute({ "service-wallet-signature": signature(payloadOf(quote)) });
    expect([answer.status, answer.body.status]).toEqual([200, "PROCESSING"]);
    expect(await balance()).toBe(50_000_000);
  });

  test("with Request-Id, which is used up", async () => {
    const { payloadToSign, requestId } = (await execute()).body;
    const headers = {
      "service-wallet-signature": signature(payloadToSign),
      "request-id": requestId,
    };
    expect((await execute(headers)).status).toBe(200);
    expectUnauthorized(await execute(headers), { reason: USED_REQUEST, check: /used/ });
    expect(await balance()).toBe(50_000_000);
  });
});

test("a challenge accepts a signature over its own text only", async () => {
  const [one, other] = [(await execute()).body, (await execute()).body];
  for (const payload of [other.payloadToSign, payloadOf(quote)])
    expectUnauthorized(await execute({ ...stamped(payload), "request-id": one.requestId }), {
      reason: INVALID_SIGNATURE,
      check: /^stamp.signature does not match payloadToSign$/,
    });
  expectUnauthorized(await execute(stamped(one.payloadToSign)), {
    reason: INVALID_SIGNATURE,
    check: /^stamp.signature does not match payloadToSign$/,
  });
  expect(await balance()).toBe(100_000_000);
});

test("an executed quote is 409, unsigned and signed alone", async () => {
  expect((await execute(stamped())).status).toBe(200);
  expectRefused(await execute(), ALREADY);
  expectRefused(await execute(stamped()), ALREADY);
});

test("a second challenge fails after the first was answered", async () => {
  const { requestId } = (await execute()).body;
  expect((await execute(stamped())).status).toBe(200);
  expectRefused(await execute({ ...stamped(), "request-id": requestId }), ALREADY);
});

test("of two concurrent executions one succeeds", async () => {
  const answers = await Promise.all([execute(stamped()), execute(stamped())]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await balance()).toBe(50_000_000);
});

test("a signature of another wallet or over another quote is refused", async () => {
  const other = await WalletClient.create(world(), { email: "grace@example.com" });
  const foreign = await other.signIn(await other.addEmail("grace@example.com"));
  expectUnauthorized(await execute(stamped(payloadOf(quote), foreign)), {
    reason: INVALID_SIGNATURE,
    check: /not an active session/,
  });
  const second = await walletQuote(await WalletClient.create(world()));
  const over = { "service-wallet-signature": stampOver(payloadOf(second), session.privateKeyHex) };
  expectUnauthorized(await execute(over), { reason: INVALID_SIGNATURE, check: /does not match/ });
  expectUnauthorized(await execute({ "service-wallet-signature": "x" }), {
    reason: INVALID_SIGNATURE,
    check: /neither/,
  });
  expect(await balance()).toBe(100_000_000);
});

test("Request-Id alone is refused for its missing signature", async () => {
  const { requestId } = (await execute()).body;
  expectUnauthorized(await execute({ "request-id": requestId }), {
    code: "WALLET_SIGNATURE_MISSING",
    check: /only Request-Id/,
  });
});

test("the challenge ends with its quote, at the instant it expires", async () => {
  await goTo(world(), "09:02:00.000");
  const { requestId, expiresAt } = (await execute()).body;
  expect(expiresAt).toBe("2026-01-05T09:05:00.000Z");
  await goTo(world(), "09:04:59.999");
  expect((await execute()).status).toBe(202);
  await goTo(world(), "09:05:00.000");
  const expired = { status: 409, code: "CONFLICT", reason: "QUOTE_EXPIRED" };
  expectRefused(await execute(), expired);
  expectRefused(await execute(stamped()), expired);
  expectRefused(await execute({ ...stamped(), "request-id": requestId }), expired);
});

test("too little money is refused on the first call, and signed too", async () => {
  const { source, destination } = quote;
  const body = quoteInput(source.accountId, destination.accountId, 100_000_001);
  const big = (await world().call("POST", "/quotes", body)).body;
  const poor = { status: 400, code: "AMOUNT_OUT_OF_RANGE", reason: "INSUFFICIENT_BALANCE" };
  expectRefused(await execute({}, big.id), poor);
  expectRefused(await execute({ "service-wallet-signature": MAGIC_SIGNATURE }, big.id), poor);
  expect(await balance()).toBe(100_000_000);
});

describe("with an Idempotency-Key", () => {
  test("the 202 is not stored, the 200 is, whatever is signed later", async () => {
    const key = { "idempotency-key": "key-1" };
    const first = await execute(key);
    const second = await execute(key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.requestId).not.toBe(first.body.requestId);
    const retry = { ...key, ...answering(first.body) };
    expectUnauthorized(await execute({ ...retry, "service-wallet-signature": "x" }), {
      reason: INVALID_SIGNATURE,
      check: /neither/,
    });
    const done = await execute(retry);
    expect([done.status, done.body.status]).toEqual([200, "PROCESSING"]);
    for (const headers of [retry, key, { ...key, "service-wallet-signature": "x" }]) {
      const again = await execute(headers);
      expect([again.status, again.body]).toEqual([200, done.body]);
    }
    expectUnauthorized(await execute({ ...retry, "idempotency-key": "key-2" }), {
      reason: USED_REQUEST,
      check: /used/,
    });
    expect(await balance()).toBe(50_000_000);
  });

  test("two concurrent retries get the same answer", async () => {
    const headers = { "idempotency-key": "key-1", ...stamped() };
    const answers = await Promise.all([execute(headers), execute(headers)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await balance()).toBe(50_000_000);
  });
});

test("immediatelyExecute is refused, because it has no signature", async () => {
  const { source, destination } = quote;
  const body = quoteInput(source.accountId, destination.accountId, 1_000_000);
  const answer = await world().call("POST", "/quotes", { ...body, immediatelyExecute: true });
  expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: "immediatelyExecute" });
  expect(await balance()).toBe(100_000_000);
});

test.each(["junk", "junk and a used Request-Id"])(
  "a quote that no wallet pays ignores the headers: %s",
  async (which) => {
    const challenge = (await execute()).body;
    const { requestId } = challenge;
    expect((await execute(answering(challenge))).status).toBe(200);
    const payer = await createPayer(world());
    const payee = await createPayee(world(), payer.customerId, "999");
    const plain = await world().call("POST", "/quotes", quoteInput(payer.accountId, payee));
    const headers = {
      "service-wallet-signature": "junk",
      ...(which !== "junk" && { "request-id": requestId }),
    };
    const answer = await execute(headers, plain.body.id);
    expect([answer.status, answer.body.status]).toEqual([200, "PROCESSING"]);
  },
);

describe("privacy and export", () => {
  const path = () => `/internal-accounts/${wallet.accountId}`;

  test.each([
    ["PATCH", "", { privateEnabled: true }],
    ["POST", "/export", { clientPublicKey: clientKeys().publicKey }],
  ])("%s %s refuses what is not an existing wallet", async (method, below, body) => {
    const at = `/internal-accounts/InternalAccount:none${below}`;
    const missing = { status: 404, code: "REFERENCE_NOT_FOUND" };
    expectRefused(await world().call(method, at, body), missing);
    expectRefused(await world().call(method, at, {}), missing);
    const { accountId } = await createPayer(world(), 0);
    expectRefused(await world().call(method, `/internal-accounts/${accountId}${below}`, body), {
      status: 400,
      code: "INVALID_INPUT",
      reason: "NOT_A_WALLET",
      field: "accountId",
    });
  });

  test.each([undefined, {}, { privateEnabled: null }, { privateEnabled: "true" }])(
    "privacy wants privateEnabled: %j",
    async (body) => {
      expectRefused(await world().call("PATCH", path(), body), {
        status: 400,
        code: "INVALID_INPUT",
        field: body === undefined ? "body" : "privateEnabled",
      });
    },
  );

  test("privacy is off at first, switches on and off, and moves updatedAt", async () => {
    const shown = async () => {
      const query = `customerId=${wallet.customerId}&type=EMBEDDED_WALLET`;
      return (await world().call("GET", `/customers/internal-accounts?${query}`)).body.data[0];
    };
    expect((await shown()).privateEnabled).toBe(false);
    await goTo(world(), "09:01:00.000");
    for (const privateEnabled of [true, false]) {
      const done = await wallet.retried("PATCH", path(), { body: { privateEnabled }, session });
      expect([done.status, done.body.privateEnabled]).toEqual([200, privateEnabled]);
      expect(done.body.updatedAt).toBe("2026-01-05T09:01:00.000Z");
      expect(await shown()).toEqual(done.body);
    }
  });

  test("each has its activity", async () => {
    const privacy = await wallet.signed("PATCH", path(), { body: { privateEnabled: true } });
    expect(JSON.parse(privacy.body.payloadToSign)).toMatchObject({
      type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
      parameters: {
        encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
        hashFunction: "HASH_FUNCTION_NO_OP",
        payload: expect.stringMatching(/^[0-9a-f]{64}$/),
        signWith: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      },
    });
    const body = { clientPublicKey: clientKeys().publicKey };
    const out = await wallet.signed("POST", `${path()}/export`, { body });
    expect(JSON.parse(out.body.payloadToSign)).toMatchObject({
      type: "ACTIVITY_TYPE_EXPORT_WALLET",
      parameters: { targetPublicKey: body.clientPublicKey, walletId: expect.any(String) },
    });
    const envelope = await wallet.retried("POST", `${path()}/export`, { body, session });
    const { data } = JSON.parse(envelope.body.encryptedWalletCredentials);
    const { organizationId } = JSON.parse(Buffer.from(data, "hex").toString());
    expect(organizationId).toBe(JSON.parse(out.body.payloadToSign).organizationId);
  });
});
