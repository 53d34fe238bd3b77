import { beforeEach, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../src/crypto/wallet-signatures.ts";
import { expectRefused } from "../api/setup/refused.ts";
import { balanceOf } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { walletQuote } from "../api/wallets/setup/signed-operations.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  WalletClient,
} from "../api/wallets/setup/wallet-client.ts";
import { connectAgent } from "../setup/agents.ts";
import { createPayee, quoteInput } from "../setup/platform.ts";
import type { Answer } from "../setup/test-simulator.ts";

const world = worldPerTest({ revision: "2026-08" });

const HELD = 100_000_000;
const UNSIGNED = { status: 401, code: "WALLET_SIGNATURE_MISSING" };

let wallet: WalletClient;
let session: OpenSession;
let quote: Answer["body"];
let payload: string;

const payloadOf = ({ paymentInstructions }: Answer["body"]): string =>
  paymentInstructions[0].accountOrWalletInfo.payloadToSign;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
  const { body } = await world().call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
  session = await wallet.signIn(body.data[0].id);
  quote = await walletQuote(wallet);
  payload = payloadOf(quote);
});

const execute = (signature?: string, requestId?: string) =>
  wallet.signed("POST", `/quotes/${quote.id}/execute`, {
    ...(signature !== undefined && { signature }),
    ...(requestId !== undefined && { requestId }),
  });

const balance = () => balanceOf(world(), wallet.accountId);

/** The id of a request that waits for its signature: of another operation. */
const waitingRequest = async () => {
  const path = `/internal-accounts/${wallet.accountId}`;
  const { status, body } = await wallet.signed("PATCH", path, { body: { privateEnabled: true } });
  expect(status).toBe(202);
  return body.requestId as string;
};

// spec/later-payments.md#wallet-quote-signatures
test("a quote has one instruction, whose text a session of the wallet stamps", async () => {
  const types = quote.paymentInstructions.map(
    (one: Answer["body"]) => one.accountOrWalletInfo.accountType,
  );
  expect(types).toEqual(["EMBEDDED_WALLET"]);
  const paid = await execute(stampOver(payload, session.privateKeyHex));
  expect([paid.status, paid.body.status]).toEqual([200, "PROCESSING"]);
  expect(await balance()).toBe(HELD - 50_000_000);
});

// spec/later-payments.md#wallet-quote-signatures
test.each([
  { says: "of nobody", requestId: async () => "Request:0198c0de-7a11-7b22-8c33-9d44ee55ff66" },
  { says: "that is no id", requestId: async () => "x" },
  { says: "of another operation", requestId: waitingRequest },
])("a Request-Id $says beside a stamp is ignored", async ({ requestId }) => {
  const id = await requestId();
  const paid = await execute(stampOver(payload, session.privateKeyHex), id);
  expect([paid.status, paid.body.status]).toEqual([200, "PROCESSING"]);
});

// spec/later-payments.md#wallet-quote-signatures
test("the request of another operation still waits after it was named beside a stamp", async () => {
  const requestId = await waitingRequest();
  await execute(stampOver(payload, session.privateKeyHex), requestId);
  const path = `/internal-accounts/${wallet.accountId}`;
  const body = { privateEnabled: true };
  const done = await wallet.signed("PATCH", path, { body, signature: MAGIC_SIGNATURE, requestId });
  expect(done.status).toBe(200);
});

// spec/later-payments.md#wallet-quote-signatures
test.each([
  { says: "no signature", sign: () => undefined, refused: UNSIGNED },
  {
    says: "a stamp over another text",
    sign: () => stampOver("another text", session.privateKeyHex),
  },
  { says: "a stamp of another key", sign: () => stampOver(payload, clientKeys().privateKeyHex) },
  { says: "a bare signature", sign: () => bareSignatureOver(payload, session.privateKeyHex) },
  { says: "no stamp at all", sign: () => "x" },
])("$says is refused, also with a Request-Id, and moves no money", async ({ sign, refused }) => {
  for (const requestId of [undefined, await waitingRequest()])
    expectRefused(
      await execute(sign(), requestId),
      refused ?? { status: 401, code: "UNAUTHORIZED", reason: "Invalid Service-Wallet-Signature" },
    );
  expect(await balance()).toBe(HELD);
});

// spec/later-payments.md#wallet-quote-signatures
test("an agent's quote of a wallet is stamped in the same way", async () => {
  const agent = await connectAgent(world(), wallet.customerId);
  const to = await createPayee(world(), wallet.customerId, "999");
  const input = quoteInput(wallet.accountId, to, 10_000_000);
  const { body: own } = await agent.call("POST", "/agents/me/quotes", input);
  const path = `/agents/me/quotes/${own.id}/execute`;
  expectRefused(await agent.call("POST", path), UNSIGNED);
  const signature = stampOver(payloadOf(own), session.privateKeyHex);
  const headers = { "service-wallet-signature": signature, "request-id": "Request:x" };
  const done = await agent.call("POST", path, undefined, headers);
  expect([done.status, done.body.status]).toEqual([200, "APPROVED"]);
});
