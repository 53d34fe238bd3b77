import { beforeAll, expect, test } from "vitest";
import { activityLines } from "../../../src/cli/text/activity.ts";
import type { Style } from "../../../src/cli/text/terminal.ts";
import type { Activity } from "../../../src/simulator.ts";
import { styleAt, styleOn } from "../setup/styles.ts";

let at80: Style;
let at60: Style;
let whole: Style;

beforeAll(async () => {
  at80 = await styleAt(80);
  at60 = await styleAt(60);
  whole = await styleOn(false);
});

const NINE = Date.parse("2026-01-05T09:00:12.000Z");
const DAY_MS = 86_400_000;

const request = (rest: Partial<Extract<Activity, { kind: "request" }>> = {}): Activity => ({
  kind: "request",
  id: "req-1-125",
  atMs: NINE,
  method: "POST",
  path: "/quotes/Quote:019b8d62-b518-7000-8000-a5f7d01c07ab/execute",
  status: 200,
  tookMs: 6,
  ...rest,
});

const webhook = (rest: Partial<Extract<Activity, { kind: "webhook" }>> = {}): Activity => ({
  kind: "webhook",
  id: "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8",
  type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  status: "ACCEPTED",
  attempt: 1,
  atMs: NINE,
  tookMs: 12,
  httpStatus: 200,
  ...rest,
});

const timer: Activity = {
  kind: "timer",
  atMs: NINE,
  timer: "payment.settle",
  subject: "Transaction:019b8d62-a190-7000-8000-9cd07a9f3c2e",
  from: "PROCESSING",
  to: "COMPLETED",
};

const refused = request({
  status: 409,
  error: { code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" },
});

const longPath = request({
  path: `/sandbox/internal-accounts/${"InternalAccount:019b8d62-b518-7000-8000-a5f7d0e61a90"}/fund`,
});

const linesOf = (style: Style, ...activities: Activity[]) => {
  const lineOf = activityLines(style);
  return activities.map((activity) => lineOf(activity));
};

test("at 80 columns one line per event, in columns", () => {
  expect(linesOf(at80, request(), webhook(), timer, longPath, refused)).toEqual([
    "09:00:12 < POST /quotes/…1c07ab/execute      ✓ 200     6 ms            req-1-125",
    "09:00:12 > INTERNAL_ACCOUNT.BALANCE_UPDATED  ✓ 200    12 ms      Webhook:…0c41d8",
    "09:00:12 @ payment.settle                    COMPLETED       Transaction:…9f3c2e",
    "09:00:12 < POST /sandbox/intern…e61a90/fund  ✓ 200     6 ms            req-1-125",
    "09:00:12 < POST /q…1c07ab/execute  ✗ 409 QUOTE_ALREADY_EXECUTED  6 ms  req-1-125",
  ]);
});

test("at 60 columns a path is cut before a column is left out, and an error never", () => {
  expect(linesOf(at60, request(), webhook(), timer, refused)).toEqual([
    "09:00:12 < POST /quot…1c07ab/execute  ✓ 200  6 ms  req-1-125",
    "09:00:12 > INTERNAL_ACCOUNT.BALANCE_UPDATED   ✓ 200  …0c41d8",
    "09:00:12 @ payment.settle     COMPLETED  Transaction:…9f3c2e",
    "09:00:12 < POST /quotes/…1c07ab/execute  ✗ 409 QUOTE_ALREADY_EXECUTED  req-1-125",
  ]);
});

test("off a terminal nothing is cut", () => {
  const [line = ""] = linesOf(whole, request());
  expect(line).toContain("POST /quotes/Quote:019b8d62-b518-7000-8000-a5f7d01c07ab/execute  ✓ 200");
});

test("control calls are hidden, and shown with /_sim when they are wanted", () => {
  const control = request({ path: "/_sim/clock/advance", isControl: true });
  expect(linesOf(at80, control)).toEqual([undefined]);
  expect(activityLines(at80, { hasControl: true })(control)).toBe(
    "09:00:12 < POST /_sim/clock/advance          ✓ 200     6 ms            req-1-125",
  );
});

test("the day is told as soon as one line is on another day than the first", () => {
  const lines = linesOf(at80, timer, { ...timer, atMs: NINE + DAY_MS }, timer);
  expect(lines.map((line) => line?.split(" @ ")[0])).toEqual([
    "09:00:12",
    "01-06 09:00:12",
    "01-05 09:00:12",
  ]);
});

test("the day is told at once when the banner above told another one", () => {
  const lineOf = activityLines(at80, { since: () => "2026-01-04T23:59:00.000Z" });
  expect(lineOf(timer)).toMatch(/^01-05 09:00:12 @ payment.settle/);
});

test("a line of a fork has its name behind the time, cut when it is long", () => {
  expect(activityLines(at80)({ ...timer, world: "checkout-7" })).toMatch(
    /^09:00:12 checkout-7 @ payment\.settle /,
  );
  const long = activityLines(at80)(request({ path: "/config" }));
  expect(long).toMatch(/^09:00:12 < POST/);
  expect(
    activityLines(at80)({ ...request({ path: "/config" }), world: "a-world-with-a-long-name" }),
  ).toMatch(/^09:00:12 a-world-with-a-… < POST/);
});
