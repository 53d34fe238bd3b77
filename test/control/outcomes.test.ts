import { afterEach, beforeEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

interface Row {
  match: string;
  ends: string;
  afterMs: number;
  timeline: { atMs: number; timer: string; then: string; failureReason?: string }[];
}

let world: TestSimulator;
let fired: { timer: string; atMs: number }[];

beforeEach(async () => {
  fired = [];
  world = await startTestSimulator({
    onActivity: (activity) => {
      if (activity.kind === "timer") fired.push(activity);
    },
  });
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const rowsOf = async (group: string): Promise<Row[]> => {
  const { body } = await world.control("GET", "/outcomes");
  return body.data.find((one: { group: string }) => one.group === group).rows;
};

test("every ending of a quoted payment is listed with how it ends and when", async () => {
  const rows = await rowsOf("quotedPayment");
  expect(rows.map(({ match, ends, afterMs }) => [match, ends, afterMs])).toEqual([
    ["002", "FAILED", 0],
    ["003", "COMPLETED", 360_000],
    ["004", "FAILED", 0],
    ["005", "FAILED", 5000],
    ["006", "COMPLETED", 1000],
    ["007", "FAILED", 0],
    ["otherwise", "COMPLETED", 0],
  ]);
});

test("every ending of a beneficiary's account is listed", async () => {
  const rows = await rowsOf("beneficiaryVerification");
  expect(rows.map(({ match }) => match)).toEqual([
    "102",
    "103",
    "104",
    "105",
    "106",
    "107",
    "otherwise",
  ]);
});

test("every answer to an approval request is listed with where it leaves the payment", async () => {
  const rows = await rowsOf("approval");
  const listed = rows.map(({ match, ends, afterMs, timeline }) => [
    match,
    ends,
    afterMs,
    timeline[0]?.failureReason,
  ]);
  expect(listed).toEqual([
    ["200", "PROCESSING", 0, undefined],
    ["202", "PENDING", 0, undefined],
    ["403", "REJECTED", 0, undefined],
    ["422", "FAILED", 0, "PAY_REQUEST_FAILED"],
    ["incomplete", "FAILED", 0, "MISSING_MANDATORY_PAYEE_DATA"],
    ["silence", "FAILED", 5000, "PAYMENT_APPROVAL_TIMED_OUT"],
    ["timeout", "FAILED", 0, "PAYMENT_APPROVAL_TIMED_OUT"],
    ["otherwise", "FAILED", 0, "PAYMENT_APPROVAL_WEBHOOK_ERROR"],
  ]);
});

test("what is listed of a payment is what happens to one", async () => {
  for (const { match, timeline } of await rowsOf("quotedPayment")) {
    const payer = await createPayer(world);
    const suffix = match === "otherwise" ? "999" : match;
    const payee = await createPayee(world, payer.customerId, suffix);
    const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    const { body: clock } = await world.control("GET", "/clock");
    fired.length = 0;
    await world.call("POST", `/quotes/${body.id}/execute`);
    await world.sim.advance("10m");
    expect(fired.map(({ timer, atMs }) => [timer, atMs - Date.parse(clock.now)])).toEqual(
      timeline.map(({ timer, atMs }) => [timer, atMs]),
    );
  }
});
