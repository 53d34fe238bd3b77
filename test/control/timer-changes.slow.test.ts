import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TIMER_NAMES } from "../../src/domain/records/timer-names.ts";
import { TIMERS } from "../../src/domain/timers.ts";
import { authorize, createCardholder, issueCard } from "../api/cards/setup/card-world.ts";
import { connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

let world: TestSimulator;
let receiver: Receiver | undefined;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver?.stop();
  receiver = undefined;
});

const NOW = "2026-01-05T09:00:00.000Z";

const timers = async () => (await world.control("GET", "/timers")).body;

const fire = (id: string) => world.control("POST", `/timers/${encodeURIComponent(id)}/fire`);

const postpone = (id: string, body: object) =>
  world.control("POST", `/timers/${encodeURIComponent(id)}/postpone`, body);

const cancel = (id: string) => world.control("DELETE", `/timers/${encodeURIComponent(id)}`);

const quoted = async (suffix = "999") => {
  const { customerId, accountId } = await createPayer(world);
  const payee = await createPayee(world, customerId, suffix);
  const { body } = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  return body as { id: string; transactionId: string };
};

const executed = async (suffix: string) => {
  const quote = await quoted(suffix);
  await world.call("POST", `/quotes/${quote.id}/execute`);
  return quote;
};

/** The retries that wait after a number of events were refused. */
const refused = async (events: number) => {
  receiver = await new Receiver().start();
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await world.sim.advance("1ms");
  let left = events;
  receiver.behaviour = (_event, response) => {
    left -= 1;
    response.writeHead(left >= 0 ? 500 : 200).end();
  };
  await createPayer(world);
  await world.sim.advance("1ms");
  return (await timers()).data;
};

const statusOf = async (path: string) => (await world.call("GET", path)).body.status;

// spec/clock.md#changing-a-timer
describe("firing a timer now", () => {
  test("happens at the present instant, and leaves the clock where it is", async () => {
    const quote = await quoted();
    const { status, body } = await fire(`quote.expire@${quote.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: `quote.expire@${quote.id}`,
      timer: "quote.expire",
      subject: quote.id,
      wasDueAt: "2026-01-05T09:05:00.000Z",
      from: "PENDING",
      to: "EXPIRED",
    });
    expect((await world.control("GET", "/clock")).body.now).toBe(NOW);
    expect(await statusOf(`/quotes/${quote.id}`)).toBe("EXPIRED");
    expect((await timers()).totalCount).toBe(0);
  });

  test("takes one out of its order, and the steps after it count from now", async () => {
    const [first, second] = [await executed("003"), await executed("003")];
    const { body } = await fire(second.transactionId);
    expect(body).toMatchObject({ to: "COMPLETED", rule: "quotedPayment.003" });
    expect(await statusOf(`/transactions/${first.transactionId}`)).toBe("PROCESSING");
    const returned = await executed("005");
    await world.sim.advance("1ms");
    await fire(`payment.return ${returned.transactionId}`);
    expect((await timers()).data[0]).toMatchObject({
      timer: "refund.settle",
      dueAt: "2026-01-05T09:00:01.001Z",
    });
  });

  test("a quote's id means the timer of its payment too, and a short one is enough", async () => {
    const quote = await executed("003");
    const { body } = await fire(quote.id.slice(-12));
    expect(body).toMatchObject({ timer: "payment.settle", to: "COMPLETED" });
  });

  test("a name alone means the only timer of that name; of several it names them", async () => {
    const one = await quoted();
    expect((await fire("quote.expire")).body.subject).toBe(one.id);
    expect((await fire("quote.expire")).body.error.message).toBe(
      "Expected a timer but found none called quote.expire",
    );
    const [first, second] = [await quoted(), await quoted()];
    const { status, body } = await fire("quote.expire");
    expect([status, body.error.code]).toEqual([409, "ID_AMBIGUOUS"]);
    expect(body.error.message).toBe(
      `Expected one timer but found 2: quote.expire@${first.id}, quote.expire@${second.id}`,
    );
  });

  test("confirms a card's pull before its time", async () => {
    const { customerId, usdId } = await createCardholder(world, { usd: 10_000 });
    const input = { cardholderId: customerId, fundingSources: [usdId] };
    const card = await issueCard(world, input);
    const purchase = { amount: 100, descriptor: "SHOP 005" };
    const authorized = await authorize(world, card.id, purchase);
    expect(authorized.pullSummary.pendingCount).toBe(1);
    await fire(authorized.id);
    expect((await timers()).totalCount).toBe(0);
    const { chain } = (await world.control("GET", `/why/${authorized.id}`)).body;
    expect(chain.at(-1).because).toMatchObject({ operation: "fireTimer" });
  });

  test("is told by why, with the call as its cause", async () => {
    const quote = await quoted();
    await fire(quote.id);
    const { chain } = (await world.control("GET", `/why/${quote.id}`)).body;
    expect(chain.at(-1)).toMatchObject({
      status: "EXPIRED",
      because: {
        kind: "request",
        operation: "fireTimer",
        method: "POST",
        path: "/_sim/timers/{timerId}/fire",
      },
    });
  });

  test("sends a webhook's retry at once", async () => {
    const [retry] = await refused(1);
    const { body } = await fire(retry.id);
    expect(body).toMatchObject({ timer: "webhook.retry", from: "RETRYING", to: "attempt 2" });
    const { body: report } = await world.control("POST", "/clock/advance", { by: "1ms" });
    expect(report.open).toBe(0);
    const { body: delivery } = await world.control("GET", `/webhooks/${retry.subject}`);
    expect(delivery).toMatchObject({ state: "ACCEPTED", attempt: 2 });
  });
});

describe("postponing a timer", () => {
  test("by a span counts from when it was due", async () => {
    const quote = await quoted();
    const { status, body } = await postpone(`quote.expire@${quote.id}`, { by: "10m" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: `quote.expire@${quote.id}`,
      dueAt: "2026-01-05T09:15:00.000Z",
      inMs: 900_000,
      wasDueAt: "2026-01-05T09:05:00.000Z",
      then: "EXPIRED",
    });
    await world.sim.advance("14m59s");
    expect(await statusOf(`/quotes/${quote.id}`)).toBe("PENDING");
    await world.sim.advance("1s");
    expect(await statusOf(`/quotes/${quote.id}`)).toBe("EXPIRED");
  });

  test("to an instant may be earlier too, and why tells the new one", async () => {
    const quote = await quoted();
    await postpone(quote.id, { to: "2026-01-05T09:01:00Z" });
    const { chain } = (await world.control("GET", `/why/${quote.id}`)).body;
    expect(chain.at(-1)).toMatchObject({
      status: "PENDING",
      because: { operation: "postponeTimer" },
      effects: [{ kind: "timer", timer: "quote.expire", dueAt: "2026-01-05T09:01:00.000Z" }],
    });
    await world.sim.advance("1m");
    expect(await statusOf(`/quotes/${quote.id}`)).toBe("EXPIRED");
  });

  test.each([
    { body: { by: "soon" }, code: "INVALID_DURATION" },
    { body: { by: "8000000d" }, code: "INVALID_DURATION" },
    { body: { to: "2026-01-05" }, code: "INVALID_INSTANT" },
    { body: { to: "2026-01-05T08:59:59Z" }, code: "TIME_IN_PAST" },
    { body: {}, code: "INVALID_INPUT" },
    { body: { by: "1m", to: "2026-01-05T09:06:00Z" }, code: "INVALID_INPUT" },
  ])("$body is 400 $code and changes nothing", async ({ body: sent, code }) => {
    const quote = await quoted();
    const before = await timers();
    const { status, body } = await postpone(quote.id, sent);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(await timers()).toEqual(before);
  });
});

describe("canceling a timer", () => {
  test("tells what that leaves undone, and the list continues telling it", async () => {
    const quote = await quoted();
    const { status, body } = await cancel(`quote.expire@${quote.id}`);
    expect(status).toBe(200);
    const canceled = {
      id: `quote.expire@${quote.id}`,
      timer: "quote.expire",
      subject: quote.id,
      dueAt: "2026-01-05T09:05:00.000Z",
      canceledAt: NOW,
      leaves: `${quote.id} stays PENDING: it will not expire`,
    };
    expect(body).toEqual(canceled);
    const none = { data: [], hasMore: false, totalCount: 0 };
    expect(await timers()).toEqual({ ...none, canceled: [canceled] });
    await world.sim.advance("1h");
    expect(await statusOf(`/quotes/${quote.id}`)).toBe("PENDING");
    const { body: state } = await world.control("GET", "/status");
    expect(state.timers).toEqual({ count: 0 });
    const { chain } = (await world.control("GET", `/why/${quote.id}`)).body;
    expect(chain.at(-1)).toMatchObject({
      because: { operation: "cancelTimer" },
      effects: [{ kind: "timer", timer: "quote.expire", canceled: true }],
    });
  });

  test("a quote whose expiry was canceled is still executed, and then nothing is left of it", async () => {
    const quote = await quoted();
    await cancel(quote.id);
    expect((await world.call("POST", `/quotes/${quote.id}/execute`)).status).toBe(200);
    expect(await timers()).not.toHaveProperty("canceled");
  });

  test("a canceled one is set again by postponing it, or fired", async () => {
    const [one, other] = [await quoted(), await quoted()];
    await cancel(one.id);
    await cancel(other.id);
    await world.sim.advance("1h");
    expect((await postpone(one.id, { by: "1m" })).body.dueAt).toBe("2026-01-05T10:01:00.000Z");
    expect((await fire(other.id)).body.to).toBe("EXPIRED");
    await world.sim.advance("1m");
    expect(await statusOf(`/quotes/${one.id}`)).toBe("EXPIRED");
    expect(await timers()).toEqual({ data: [], hasMore: false, totalCount: 0 });
  });

  test("an advance with a canceled retry is complete, and reports no bug", async () => {
    const [retry] = await refused(1);
    const { body } = await cancel(retry.id);
    expect(body.leaves).toBe(
      `${retry.subject} stays RETRYING: it is sent again only with webhooks resend`,
    );
    const { body: report } = await world.control("POST", "/clock/advance", { by: "10d" });
    expect(report).toMatchObject({ complete: true, open: 1, fired: [], webhooks: [] });
  });

  test("an agent's action waits for a person then", async () => {
    await world.control("PUT", "/approvals", { mode: "approve" });
    const { customerId, accountId } = await createPayer(world);
    const policy = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };
    const agent = await connectAgent(world, customerId, policy);
    const bank = await createBank(world, customerId, "999");
    const transfer = transferInput(accountId, bank, 5);
    await world.control("POST", "/outcomes/next", { rule: "agentApproval.ask" });
    const { body: action } = await agent.call("POST", "/agents/me/transfer-out", transfer);
    expect((await timers()).totalCount).toBe(0);
    const { body } = await world.control("POST", `/approvals/${action.id}/approve`);
    expect(body.action.status).toBe("APPROVED");
  });
});

describe("a timer that is not there", () => {
  test.each([
    {
      id: "quote.expired@Quote:1",
      says: "No timer quote.expired; the closest one is quote.expire",
    },
    { id: "x@Quote:1", says: "No timer x" },
  ])("$id is 404: $says", async ({ id, says }) => {
    const { status, body } = await fire(id);
    expect([status, body.error.code, body.error.message]).toEqual([404, "ID_NOT_FOUND", says]);
    expect(body.error.next).toEqual(["service-sim timers      lists them with their ids"]);
  });

  test("a record without one is 404, and so is an unknown record", async () => {
    const { customerId } = await createPayer(world);
    const { status, body } = await cancel(customerId);
    const says = `Expected a timer but found none of ${customerId}`;
    expect([status, body.error.message]).toEqual([404, says]);
    expect((await cancel("Quote:nothing")).status).toBe(404);
  });
});

test("a canceled timer and a set outcome survive a restart", async () => {
  const directory = new StateDirectory();
  const first = await startTestSimulator({ storage: directory.url });
  const { customerId, accountId } = await createPayer(first);
  const payee = await createPayee(first, customerId, "999");
  const { body: quote } = await first.call("POST", "/quotes", quoteInput(accountId, payee));
  const id = `quote.expire@${quote.id}`;
  await first.control("DELETE", `/timers/${encodeURIComponent(id)}`);
  await first.control("POST", "/outcomes/next", { rule: "quotedPayment.002", times: 3 });
  await first.sim.close();
  const again = await reopen(directory);
  await again.sim.advance("1h");
  expect((await again.call("GET", `/quotes/${quote.id}`)).body.status).toBe("PENDING");
  expect((await again.control("GET", "/timers")).body.canceled).toMatchObject([{ id }]);
  const paid = await again.call("POST", `/quotes/${quote.id}/execute`);
  expect(paid.headers.get("x-sim-rule")).toBe("quotedPayment.002");
  expect((await again.control("GET", "/outcomes/next")).body.data).toMatchObject([{ times: 2 }]);
  await again.sim.close();
  directory.remove();
});

test("every timer tells what its cancellation leaves undone", () => {
  expect(Object.keys(TIMERS).sort()).toEqual([...TIMER_NAMES].sort());
  for (const { undone } of Object.values(TIMERS))
    expect(undone).toMatch(/^(it|its|nothing|only|the bank) /);
});
