import { describe, expect, test } from "vitest";
import { type ConnectedAgent, connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayer } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

interface Stage {
  agent: ConnectedAgent;
  /** Sends money out. */
  pay(amountMinor: number): ReturnType<ConnectedAgent["call"]>;
  usage(): Promise<unknown>;
}

const openStage = async (
  world: TestSimulator,
  limits: object,
  policy: object = {},
): Promise<Stage> => {
  const { customerId, accountId } = await createPayer(world);
  const bank = await createBank(world, customerId);
  const agent = await connectAgent(world, customerId, {
    ...GENEROUS,
    spendingLimits: { ...GENEROUS.spendingLimits, ...limits },
    ...policy,
  });
  return {
    agent,
    pay: (amountMinor) =>
      agent.call("POST", "/agents/me/transfer-out", transferInput(accountId, bank, amountMinor)),
    usage: async () => (await agent.call("GET", "/agents/me")).body.usage,
  };
};

const advance = async ({ control }: TestSimulator, by: string, now: string) => {
  const { status, body } = await control("POST", "/clock/advance", { by });
  expect({ status, to: body.to }).toEqual({ status: 200, to: now });
};

const counters = (dailyTransactionCount: number, dailySpend: number, monthlySpend: number) => ({
  dailyTransactionCount,
  dailySpend,
  monthlySpend,
});

const APPROVED = { status: 201, body: { status: "APPROVED" } };
const denied = (reason: string) => ({ status: 403, body: { code: "FORBIDDEN", reason } });

/**
 * Ends of days and months in UTC, with the usage before and after
 * (spec/agent-policy.md#usage-windows).
 */
const ENDS = [
  {
    what: "a day",
    day: "2026-01-05",
    today: { dailyResetDate: "2026-01-06", monthlyResetMonth: "2026-02" },
    next: "2026-01-06T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2026-01-07", monthlyResetMonth: "2026-02" },
    isNewMonth: false,
  },
  {
    what: "a month",
    day: "2026-04-30",
    today: { dailyResetDate: "2026-05-01", monthlyResetMonth: "2026-05" },
    next: "2026-05-01T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2026-05-02", monthlyResetMonth: "2026-06" },
    isNewMonth: true,
  },
  {
    what: "the day before a leap day",
    day: "2028-02-28",
    today: { dailyResetDate: "2028-02-29", monthlyResetMonth: "2028-03" },
    next: "2028-02-29T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2028-03-01", monthlyResetMonth: "2028-03" },
    isNewMonth: false,
  },
  {
    what: "a leap day",
    day: "2028-02-29",
    today: { dailyResetDate: "2028-03-01", monthlyResetMonth: "2028-03" },
    next: "2028-03-01T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2028-03-02", monthlyResetMonth: "2028-04" },
    isNewMonth: true,
  },
  {
    what: "a February without leap day",
    day: "2027-02-28",
    today: { dailyResetDate: "2027-03-01", monthlyResetMonth: "2027-03" },
    next: "2027-03-01T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2027-03-02", monthlyResetMonth: "2027-04" },
    isNewMonth: true,
  },
  {
    what: "a year",
    day: "2026-12-31",
    today: { dailyResetDate: "2027-01-01", monthlyResetMonth: "2027-01" },
    next: "2027-01-01T00:00:00.000Z",
    tomorrow: { dailyResetDate: "2027-01-02", monthlyResetMonth: "2027-02" },
    isNewMonth: true,
  },
];

describe.each(ENDS)("at the end of $what", ({ day, today, next, tomorrow, isNewMonth }) => {
  const world = worldPerTest({ now: `${day}T23:59:58.000Z` });
  const lastMs = `${day}T23:59:59.999Z`;

  test("counters start again with the first millisecond, not before", async () => {
    const { pay, usage } = await openStage(world(), {});
    expect(await usage()).toEqual({ ...counters(0, 0, 0), ...today });
    expect(await pay(10_000)).toMatchObject(APPROVED);
    expect(await pay(20_000)).toMatchObject(APPROVED);
    await advance(world(), "1999ms", lastMs);
    expect(await usage()).toEqual({ ...counters(2, 30_000, 30_000), ...today });
    await advance(world(), "1ms", next);
    const kept = isNewMonth ? 0 : 30_000;
    expect(await usage()).toEqual({ ...counters(0, 0, kept), ...tomorrow });
    expect(await pay(5_000)).toMatchObject(APPROVED);
    expect(await usage()).toEqual({ ...counters(1, 5_000, kept + 5_000), ...tomorrow });
  });

  test("a daily limit that was used up is free again", async () => {
    const { pay } = await openStage(world(), { dailyLimit: 10_000 });
    expect(await pay(10_000)).toMatchObject(APPROVED);
    await advance(world(), "1999ms", lastMs);
    expect(await pay(1)).toMatchObject(denied("DAILY_LIMIT_EXCEEDED"));
    await advance(world(), "1ms", next);
    expect(await pay(10_001)).toMatchObject(denied("DAILY_LIMIT_EXCEEDED"));
    expect(await pay(10_000)).toMatchObject(APPROVED);
    expect(await pay(1)).toMatchObject(denied("DAILY_LIMIT_EXCEEDED"));
  });

  test("a count that was used up is free again", async () => {
    const { pay } = await openStage(world(), { dailyTransactionLimit: 1 });
    expect(await pay(1)).toMatchObject(APPROVED);
    await advance(world(), "1999ms", lastMs);
    expect(await pay(1)).toMatchObject(denied("DAILY_TRANSACTION_LIMIT_EXCEEDED"));
    await advance(world(), "1ms", next);
    expect(await pay(1)).toMatchObject(APPROVED);
    expect(await pay(1)).toMatchObject(denied("DAILY_TRANSACTION_LIMIT_EXCEEDED"));
  });

  test(`a monthly limit that was used up ${isNewMonth ? "is free again" : "is not"}`, async () => {
    const { pay } = await openStage(world(), { monthlyLimit: 10_000 });
    expect(await pay(10_000)).toMatchObject(APPROVED);
    await advance(world(), "1999ms", lastMs);
    expect(await pay(1)).toMatchObject(denied("MONTHLY_LIMIT_EXCEEDED"));
    await advance(world(), "1ms", next);
    const first = await pay(10_000);
    expect(first).toMatchObject(isNewMonth ? APPROVED : denied("MONTHLY_LIMIT_EXCEEDED"));
  });
});

describe("an action that waits over midnight", () => {
  const world = worldPerTest({ now: "2026-01-31T23:59:58.000Z" });
  const waiting = { status: 201, body: { status: "PENDING_APPROVAL" } };
  const asking = { defaultExecutionMode: "APPROVAL_REQUIRED" };

  const approve = (agent: ConnectedAgent, actionId: string) =>
    world().call("POST", `/agents/${agent.id}/actions/${actionId}/approve`);

  test("counts for the day and the month of its approval alone", async () => {
    const { agent, pay, usage } = await openStage(world(), {}, asking);
    const early = await pay(10_000);
    const late = await pay(7_000);
    expect([early, late]).toMatchObject([waiting, waiting]);
    await approve(agent, early.body.id);
    const january = { dailyResetDate: "2026-02-01", monthlyResetMonth: "2026-02" };
    expect(await usage()).toEqual({ ...counters(1, 10_000, 10_000), ...january });
    await advance(world(), "2s", "2026-02-01T00:00:00.000Z");
    const february = { dailyResetDate: "2026-02-02", monthlyResetMonth: "2026-03" };
    expect(await usage()).toEqual({ ...counters(0, 0, 0), ...february });
    const approved = await approve(agent, late.body.id);
    expect(approved).toMatchObject({ status: 200, body: { status: "APPROVED" } });
    expect(await usage()).toEqual({ ...counters(1, 7_000, 7_000), ...february });
  });

  test("is judged by the limits of the day of its approval", async () => {
    const limits = { dailyTransactionLimit: 1, dailyLimit: 10_000, monthlyLimit: 10_000 };
    const { agent, pay, usage } = await openStage(world(), limits, asking);
    const actions = [await pay(10_000), await pay(10_000), await pay(10_000)];
    const decided = async (position: number) => {
      const { body } = await approve(agent, actions[position]?.body.id);
      return { status: body.status, isRun: body.transaction !== undefined };
    };
    expect(await decided(0)).toEqual({ status: "APPROVED", isRun: true });
    expect(await decided(1)).toEqual({ status: "FAILED", isRun: false });
    await advance(world(), "2s", "2026-02-01T00:00:00.000Z");
    expect(await decided(2)).toEqual({ status: "APPROVED", isRun: true });
    expect(await usage()).toMatchObject(counters(1, 10_000, 10_000));
  });
});

describe("after long silence", () => {
  const world = worldPerTest({ now: "2026-01-05T09:00:00.000Z" });

  test("several days are skipped, and then several months", async () => {
    const { pay, usage } = await openStage(world(), { dailyLimit: 10_000, monthlyLimit: 15_000 });
    expect(await pay(10_000)).toMatchObject(APPROVED);
    await advance(world(), "12d", "2026-01-17T09:00:00.000Z");
    expect(await usage()).toMatchObject(counters(0, 0, 10_000));
    expect(await pay(5_001)).toMatchObject(denied("MONTHLY_LIMIT_EXCEEDED"));
    expect(await pay(5_000)).toMatchObject(APPROVED);
    await advance(world(), "90d", "2026-04-17T09:00:00.000Z");
    expect(await usage()).toEqual({
      ...counters(0, 0, 0),
      dailyResetDate: "2026-04-18",
      monthlyResetMonth: "2026-05",
    });
    expect(await pay(10_000)).toMatchObject(APPROVED);
  });

  test("every read shows the current usage, and none changes it", async () => {
    const { agent, pay } = await openStage(world(), {});
    await pay(10_000);
    const { body: before } = await world().call("GET", `/agents/${agent.id}`);
    await advance(world(), "1d", "2026-01-06T09:00:00.000Z");
    const usage = {
      ...counters(0, 0, 10_000),
      dailyResetDate: "2026-01-07",
      monthlyResetMonth: "2026-02",
    };
    const { body: shown } = await world().call("GET", `/agents/${agent.id}`);
    expect(shown).toEqual({ ...before, usage });
    const { body: listed } = await world().call("GET", "/agents");
    expect(listed.data).toEqual([shown]);
    const { body: own } = await agent.call("GET", "/agents/me");
    expect(own).toEqual(shown);
  });
});
