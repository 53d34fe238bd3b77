import { describe, expect, test } from "vitest";
import {
  ASKING,
  askQuote,
  createAgentParties,
  decide,
  executeQuote,
  payOut,
  pullIn,
  usageOf,
} from "../api/agents/setup/agent-parties.ts";
import { accountIn } from "../api/setup/payment-parties.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { createBank, justInTime, to, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import type { Answer } from "../setup/test-simulator.ts";

const LATER = "2026-08";
const SIZE = [400, "TRANSACTION_SIZE_LIMIT_EXCEEDED"];
const VOLUME = [429, "DAILY_VOLUME_LIMIT_EXCEEDED"];

const told = ({ status, body }: Answer) => (status < 300 ? [status] : [status, body.code]);

// spec/later-payments.md#transaction-limits
describe.each(["2025-10", LATER] as const)("limits in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  /** An answer of the later revision; the first one never refuses. */
  const late = (refusal: (string | number)[], status: number) => (isLater ? refusal : [status]);
  const call = (method: string, path: string, body?: object) => world().call(method, path, body);
  const limit = (limits: object) => world().control("PATCH", "/limits", limits);

  const parties = async () => {
    const payer = await createPayer(world());
    const bank = await createBank(world(), payer.customerId);
    const mexican = await createPayee(world(), payer.customerId, "999");
    const quoted = (amount: number, members: object = {}) =>
      call("POST", "/quotes", { ...quoteInput(payer.accountId, mexican, amount), ...members });
    const execute = ({ body }: Answer) => call("POST", `/quotes/${body.id}/execute`);
    const out = (amount: number, account = bank) =>
      call("POST", "/transfer-out", transferInput(payer.accountId, account, amount));
    return { payer, bank, mexican, quoted, execute, out };
  };

  test("a quote of exactly the largest amount is made, one more is not", async () => {
    await limit({ USD: { maxTransactionAmount: 900 } });
    const { quoted, out, payer, mexican } = await parties();
    expect(told(await quoted(900))).toEqual([201]);
    const large = await quoted(901);
    expect(told(large)).toEqual(late(SIZE, 201));
    const { field, value, max, currency } = large.body.details ?? {};
    expect([field, value, max, currency]).toEqual(
      isLater ? ["lockedCurrencyAmount", 901, 900, "USD"] : Array(4).fill(undefined),
    );
    const received = { lockedCurrencySide: "RECEIVING", lockedCurrencyAmount: 100_000 };
    expect(told(await quoted(0, received))).toEqual(late(SIZE, 201));
    const funded = { ...quoteInput("", mexican, 901), ...justInTime("USD", payer.customerId) };
    expect(told(await call("POST", "/quotes", funded))).toEqual(late(SIZE, 201));
    expect((await out(901)).body.details?.field).toBe(isLater ? "amount" : undefined);
  });

  test("a volume binds executions, immediate ones too, and no quote", async () => {
    await limit({ USD: { dailyVolume: 1_500 } });
    const { quoted, execute } = await parties();
    const [first, second, third] = [await quoted(1_000), await quoted(501), await quoted(400)];
    expect([first, second, third].map(told)).toEqual([[201], [201], [201]]);
    expect(told(await execute(first))).toEqual([200]);
    const refused = await execute(second);
    expect(told(refused)).toEqual(late(VOLUME, 200));
    const { headers, body } = refused;
    expect([headers.get("retry-after"), headers.get("x-should-retry")]).toEqual(
      isLater ? ["54000", "false"] : [null, null],
    );
    const { value, used, max, currency } = body.details ?? {};
    expect([value, used, max, currency]).toEqual(
      isLater ? [501, 1_000, 1_500, "USD"] : Array(4).fill(undefined),
    );
    const at = { immediatelyExecute: true };
    expect(told(await quoted(501, at))).toEqual(late(VOLUME, 201));
    expect(told(await execute(third))).toEqual([200]);
    expect(told(await quoted(101, at))).toEqual(late(VOLUME, 201));
    await world().control("POST", "/clock/advance", { to: "2026-01-06T00:00:00.000Z" });
    expect(told(await quoted(1_500, at))).toEqual([201]);
  });

  test("a failed payment is no volume, one of another currency neither", async () => {
    await limit({ USD: { dailyVolume: 1_000 } });
    const { payer, out } = await parties();
    const failing = await createBank(world(), payer.customerId, "002");
    expect(told(await out(1_000, failing))).toEqual([201]);
    await goTo(world(), "09:01:00.000");
    expect(told(await out(1_000))).toEqual([201]);
    expect(told(await out(1))).toEqual(late(VOLUME, 201));
    const euros = await accountIn(world(), "USDC");
    await call("POST", `/sandbox/internal-accounts/${euros}/fund`, { amount: 50_000_000 });
    const platform = await accountIn(world(), "USD");
    const swap = { ...quoteInput(euros, platform, 5_000_000), immediatelyExecute: true };
    expect(told(await call("POST", "/quotes", swap))).toEqual([201]);
  });

  test("an agent meets them as the platform does", async () => {
    const agents = await createAgentParties(world());
    await limit({ USD: { maxTransactionAmount: 900, dailyVolume: 1_500 } });
    const amount = (lockedCurrencyAmount: number) => ({ lockedCurrencyAmount });
    expect(told(await askQuote(agents, amount(901)))).toEqual(late(SIZE, 201));
    expect(told(await payOut(agents, 901))).toEqual(late(SIZE, 201));
    expect(told(await pullIn(agents, 901))).toEqual([201]);
    const quote = (await askQuote(agents, amount(900))).body;
    expect(told(await payOut(agents, 800))).toEqual([201]);
    const before = await usageOf(agents);
    const refused = await executeQuote(agents, quote.id);
    expect(told(refused)).toEqual(late(VOLUME, 200));
    expect(told(await askQuote(agents, { ...amount(900), immediatelyExecute: true }))).toEqual(
      late(VOLUME, 201),
    );
    expect(told(await payOut(agents, 701))).toEqual(late(VOLUME, 201));
    if (!isLater) return;
    expect(await usageOf(agents)).toEqual(before);
    expect((await agents.agent.call("GET", "/agents/me/actions")).body.totalCount).toBe(2);
    expect((await call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
  });

  test("an action that waits fails at its approval once the day is used up", async () => {
    const agents = await createAgentParties(world(), ASKING);
    await limit({ USD: { dailyVolume: 1_500 } });
    const quote = (await askQuote(agents, { lockedCurrencyAmount: 1_000 })).body;
    const actions = [(await executeQuote(agents, quote.id)).body, (await payOut(agents, 501)).body];
    expect(actions.map(({ status }) => status)).toEqual(["PENDING_APPROVAL", "PENDING_APPROVAL"]);
    const approved = [];
    for (const { id } of actions)
      approved.push((await decide(world(), agents, { verb: "approve", id })).body.status);
    expect(approved).toEqual(["APPROVED", isLater ? "FAILED" : "APPROVED"]);
  });

  test("a fixture sets them, by a member or a step, and no currency is invented", async () => {
    const { out } = await parties();
    const seed = (fixture: object) => world().control("POST", "/seed", { fixture });
    const member = await seed({ name: "f", limits: { USD: { maxTransactionAmount: 500 } } });
    expect(member.body.steps).toEqual([{ method: "PATCH", path: "/_sim/limits", status: 200 }]);
    expect(told(await out(501))).toEqual(late(SIZE, 201));
    const body = { USD: { maxTransactionAmount: 600 } };
    const step = { request: { method: "PATCH", path: "/_sim/limits", body } };
    expect((await seed({ name: "g", steps: [step] })).status).toBe(200);
    expect([await out(600), await out(601)].map(told)).toEqual([[201], late(SIZE, 201)]);
    const unknown = await limit({ ABC: { dailyVolume: 1 } });
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([
      400,
      expect.stringContaining("ABC"),
    ]);
    expect((await limit({ USD: { dailyVolume: -1 } })).status).toBe(400);
    for (const limits of [{ ABC: {} }, { USD: { perDay: 1 } }, { USD: { dailyVolume: "1" } }])
      expect((await seed({ name: "h", limits })).status).toBe(400);
  });

  test("money that arrives for a quote is not refused", async () => {
    await limit({ USD: { dailyVolume: 1 } });
    const { payer, mexican } = await parties();
    const input = { ...quoteInput("", mexican, 500), ...justInTime("USD", payer.customerId) };
    const quote = (await call("POST", "/quotes", { ...input, ...to(mexican) })).body;
    const sent = await call("POST", "/sandbox/send", { quoteId: quote.id, currencyCode: "USD" });
    expect(told(sent)).toEqual([200]);
  });
});
