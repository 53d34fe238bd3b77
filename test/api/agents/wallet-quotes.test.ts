import { beforeEach, describe, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { type ConnectedAgent, connectAgent } from "../../setup/agents.ts";
import { createPayee, quoteInput } from "../../setup/platform.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { expectNothing, expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "../wallets/setup/unauthorized.ts";
import { MAGIC_SIGNATURE, type OpenSession, WalletClient } from "../wallets/setup/wallet-client.ts";

const MAGIC = { "service-wallet-signature": MAGIC_SIGNATURE };
const UNSIGNED = { code: "WALLET_SIGNATURE_MISSING", check: /no Service-Wallet-Signature/ };

const world = worldPerTest();
let wallet: WalletClient;
let session: OpenSession;
let agent: ConnectedAgent;
let payee: string;
let quote: Answer["body"];

/**
 * Asks for a quote in USDB as the agent, 1000000 to a dollar; the wallet holds a hundred dollars.
 */
const ask = async (amount = 50_000_000) =>
  (await agent.call("POST", "/agents/me/quotes", quoteInput(wallet.accountId, payee, amount))).body;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
  session = await wallet.signIn(await wallet.addEmail());
  const fund = `/sandbox/internal-accounts/${wallet.accountId}/fund`;
  await world().call("POST", fund, { amount: 100_000_000 });
  agent = await connectAgent(world(), wallet.customerId);
  payee = await createPayee(world(), wallet.customerId, "999");
  quote = await ask();
});

const execute = (headers: Record<string, string> = {}, id: string = quote.id) =>
  agent.call("POST", `/agents/me/quotes/${id}/execute`, undefined, headers);

const setPolicy = (part: object) => world().call("PATCH", `/agents/${agent.id}/policy`, part);

const payloadOf = ({ paymentInstructions }: Answer["body"]): string =>
  paymentInstructions[0].accountOrWalletInfo.payloadToSign;

const balance = () => balanceOf(world(), wallet.accountId);
const actionCount = async () =>
  (await agent.call("GET", "/agents/me/actions")).body.totalCount as number;

// spec/agent-actions.md#wallet-quotes
describe("without a signature", () => {
  test("it is refused, without a challenge, and no action is kept", async () => {
    await expectNothing(world(), () => execute(), {
      status: 401,
      code: "WALLET_SIGNATURE_MISSING",
    });
    const answer = await execute();
    expectUnauthorized(answer, UNSIGNED);
    for (const member of ["payloadToSign", "requestId", "expiresAt"])
      expect(answer.body).not.toHaveProperty(member);
    expect(await actionCount()).toBe(0);
  });

  test("it is refused even if a person would be asked", async () => {
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    expectUnauthorized(await execute(), UNSIGNED);
    expect(await actionCount()).toBe(0);
  });

  test("every other check comes first: limits, second submission, expiry", async () => {
    await setPolicy({ spendingLimits: { perTransactionLimit: 4_999 } });
    expect((await execute()).body.reason).toBe("PER_TRANSACTION_LIMIT_EXCEEDED");
    await setPolicy({
      spendingLimits: { perTransactionLimit: 5_000 },
      defaultExecutionMode: "APPROVAL_REQUIRED",
    });
    expect((await execute(MAGIC)).body.status).toBe("PENDING_APPROVAL");
    expect((await execute()).body.reason).toBe("ACTION_PENDING_APPROVAL");
    await goTo(world(), "09:05:00.000");
    expect((await execute()).body.reason).toBe("QUOTE_EXPIRED");
  });
});

describe("with a signature", () => {
  test.each(["magic", "stamp", "bare"])("of form %s it is paid at once", async (form) => {
    const sign = form === "stamp" ? stampOver : bareSignatureOver;
    const signature =
      form === "magic" ? MAGIC_SIGNATURE : sign(payloadOf(quote), session.privateKeyHex);
    const { status, body } = await execute({ "service-wallet-signature": signature });
    expect([status, body.status]).toEqual([200, "APPROVED"]);
    expect(await balance()).toBe(50_000_000);
  });

  test("that does not fit it is refused, and no action is kept", async () => {
    const second = await ask(1_000_000);
    const stranger = await WalletClient.create(world(), { email: "grace@example.com" });
    const foreign = await stranger.signIn(await stranger.addEmail("grace@example.com"));
    const wrong: [string, RegExp][] = [
      ["x", /neither/],
      [stampOver(payloadOf(second), session.privateKeyHex), /does not match payloadToSign/],
      [stampOver(payloadOf(quote), foreign.privateKeyHex), /not an active session/],
    ];
    for (const [signature, check] of wrong) {
      const answer = await execute({ "service-wallet-signature": signature });
      expectUnauthorized(answer, { reason: INVALID_SIGNATURE, check });
    }
    expect(await actionCount()).toBe(0);
    expect(await balance()).toBe(100_000_000);
  });

  test("Request-Id does not count, unknown, empty or used", async () => {
    const path = `/internal-accounts/${wallet.accountId}`;
    const body = { privateEnabled: true };
    const { requestId } = (await wallet.signed("PATCH", path, { body })).body;
    const signature = MAGIC_SIGNATURE;
    expect((await wallet.signed("PATCH", path, { body, signature, requestId })).status).toBe(200);
    for (const id of ["Request:none", "", requestId]) {
      const { id: fresh } = await ask(1_000_000);
      expectUnauthorized(await execute({ "request-id": id }, fresh), UNSIGNED);
      expect((await execute({ ...MAGIC, "request-id": id }, fresh)).status).toBe(200);
    }
  });

  test("too little balance is a FAILED action", async () => {
    const { id } = await ask(100_000_001);
    const { status, body } = await execute(MAGIC, id);
    expect([status, body.status]).toEqual([200, "FAILED"]);
    expect(await balance()).toBe(100_000_000);
  });
});

describe("an approval", () => {
  const approve = (id: string) => world().call("POST", `/agents/${agent.id}/actions/${id}/approve`);

  const stamped = () => ({
    "service-wallet-signature": stampOver(payloadOf(quote), session.privateKeyHex),
  });

  test("needs no second signature, even after the signing session ended", async () => {
    await setPolicy({ defaultExecutionMode: "APPROVAL_REQUIRED" });
    const { body: action } = await execute(stamped());
    expect(action.status).toBe("PENDING_APPROVAL");
    expect(JSON.stringify(action.why)).not.toContain("signature");
    expect((await wallet.retried("DELETE", `/auth/sessions/${session.id}`)).status).toBe(204);
    const { status, body } = await approve(action.id);
    expect([status, body.status]).toEqual([200, "APPROVED"]);
    expect(await balance()).toBe(50_000_000);
  });

  test("fails if the wallet is empty by then", async () => {
    await setPolicy({ approvalThresholds: { currency: "USD", amount: 4_999 } });
    const { body: action } = await execute(MAGIC);
    expect(action.status).toBe("PENDING_APPROVAL");
    await setPolicy({ approvalThresholds: { amount: null } });
    const { id } = await ask(60_000_000);
    expect((await execute(MAGIC, id)).body.status).toBe("APPROVED");
    const { status, body } = await approve(action.id);
    expect([status, body.status]).toEqual([200, "FAILED"]);
    expect(await balance()).toBe(40_000_000);
  });
});

test("the 401 is not stored: with a signature the same key pays once", async () => {
  const key = { "idempotency-key": "k1" };
  expectUnauthorized(await execute(key), UNSIGNED);
  const done = await execute({ ...key, ...MAGIC });
  expect(done.body.status).toBe("APPROVED");
  for (const headers of [key, { ...key, ...MAGIC }]) {
    const again = await execute(headers);
    expect([again.status, again.body]).toEqual([200, done.body]);
  }
  expect(await balance()).toBe(50_000_000);
});

test("the platform executes an agent's quote with a signed retry", async () => {
  const path = `/quotes/${quote.id}/execute`;
  expect((await wallet.retried("POST", path)).status).toBe(200);
  expectRefused(await execute(MAGIC), {
    status: 409,
    code: "CONFLICT",
    reason: "QUOTE_ALREADY_EXECUTED",
  });
});
