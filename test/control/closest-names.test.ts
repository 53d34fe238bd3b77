import { afterAll, beforeAll, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;
let quote: { id: string; transactionId: string };

beforeAll(async () => {
  world = await startTestSimulator();
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  ({ body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee)));
});

afterAll(() => world.sim.close());

/** An id with its last character replaced by another one, or two of its end swapped. */
const mistyped = {
  last: (id: string) => id.slice(0, -1) + (id.endsWith("0") ? "1" : "0"),
  far: (id: string) => `${id.slice(0, -6)}zzzzzz`,
};

const messageOf = async (path: string) => {
  const { status, body } = await world.control("GET", path);
  return { status, ...body.error };
};

test("a short id is made whole", async () => {
  const whole = { status: 200, body: { id: quote.id } };
  for (const text of [quote.id, quote.id.slice(-6), `Quote:…${quote.id.slice(-6)}`])
    expect(await world.control("GET", `/ids/${encodeURIComponent(text)}`)).toMatchObject(whole);
});

test("an id with one wrong character is answered with the closest one", async () => {
  for (const path of ["ids", "why"]) {
    const wrong = mistyped.last(quote.id);
    const tail = wrong.slice(-6);
    expect(await messageOf(`/${path}/${tail}`)).toMatchObject({
      status: 404,
      code: "ID_NOT_FOUND",
      message:
        `Expected an id of world sandbox but found none ending in ${tail}; ` +
        `the closest one is Quote:…${quote.id.slice(-6)}`,
    });
    expect((await messageOf(`/${path}/${wrong}`)).message).toContain(
      `; the closest one is Quote:…${quote.id.slice(-6)}`,
    );
  }
});

test("an id like no other has no closest one", async () => {
  expect((await messageOf("/ids/0000aa")).message).toBe(
    "Expected an id of world sandbox but found none ending in 0000aa",
  );
  expect((await messageOf(`/ids/${mistyped.far(quote.id)}`)).message).not.toContain("closest");
});

test("an id of another kind is named as what it is", async () => {
  const short = quote.id.slice(-6);
  expect((await messageOf(`/webhooks/${short}`)).message).toBe(
    `Expected the id of a Webhook but found ${quote.id}`,
  );
  const { body } = await world.control("POST", `/approvals/${short}/approve`, {});
  expect(body.error.message).toBe(`Expected the id of an AgentAction but found ${quote.id}`);
});

test.each([
  { type: "OUTGOING_PAYMENT.COMPLTED", closest: "; the closest one is OUTGOING_PAYMENT.COMPLETED" },
  { type: "test", closest: "; the closest one is TEST" },
  { type: "NOTHING_LIKE.IT_AT_ALL", closest: "" },
])("an event of type $type is refused with what was close", async ({ type, closest }) => {
  const { status, body } = await world.control("POST", "/webhooks/trigger", { type });
  expect({ status, message: body.error.message }).toEqual({
    status: 400,
    message: `No event type "${type}"${closest}`,
  });
});

test.each([
  { name: "payout-demo", closest: "; the closest one is payouts-demo" },
  { name: "nothing-at-all-like-it", closest: "" },
])("a fixture called $name is refused with what was close", async ({ name, closest }) => {
  const { status, body } = await world.control("POST", "/seed", { name });
  expect(status).toBe(400);
  expect(body.error.message.endsWith(`but found "${name}"${closest}`)).toBe(true);
});

test.each([
  { status: "COMPLETD", says: "(closest: COMPLETED)" },
  { status: "completed", says: "(closest: COMPLETED)" },
  { status: "NOSUCH", says: "one of PENDING, PROCESSING, COMPLETED, FAILED, EXPIRED, but" },
  { status: "REFUNDED", says: "one of PENDING, PROCESSING, COMPLETED, FAILED, EXPIRED, but" },
])("until $status is refused before the clock moves", async ({ status, says }) => {
  const until = { id: quote.transactionId, status };
  const answer = await world.control("POST", "/clock/advance", { until });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
  expect(answer.body.error.message).toContain(says);
  const clock = await world.control("GET", "/clock");
  expect(clock.body.now).toBe("2026-01-05T09:00:00.000Z");
  const { body } = await world.call("GET", `/transactions/${quote.transactionId}`);
  expect(body.status).toBe("PENDING");
});

test("until a status of a record without one is refused", async () => {
  const { body } = await world.control("POST", "/faults", {
    match: { operation: "getConfig" },
    fault: { status: 503 },
  });
  const until = { id: body.id, status: "ACTIVE" };
  const answer = await world.control("POST", "/clock/advance", { until });
  expect(answer.body.error.message).toBe(`Expected a record with a status but found ${body.id}`);
});

test.each([
  { operation: "createQuoet", closest: "createQuote" },
  { operation: "get-confg", closest: "getConfig" },
])("a fault of $operation is refused with what was close", async ({ operation, closest }) => {
  const { body } = await world.control("POST", "/faults", {
    match: { operation },
    fault: { status: 503 },
  });
  expect(body.error.message).toBe(`No operation ${operation}; the closest one is ${closest}`);
});
