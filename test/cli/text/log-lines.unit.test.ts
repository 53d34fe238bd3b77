import { expect, test } from "vitest";
import { logLine } from "../../../src/cli/tasks/json-log.ts";

const atMs = Date.parse("2026-01-05T09:00:00.000Z");
const at = "2026-01-05T09:00:00.000Z";

test("a call has the members of the request log", () => {
  const request = {
    kind: "request",
    id: "req-1-2",
    atMs,
    method: "POST",
    path: "/quotes/Quote:1/execute",
    operation: "executeQuote",
    status: 200,
    tookMs: 3,
    rules: ["quotedPayment.003"],
  } as const;
  expect(logLine(request)).toEqual({
    event: "request",
    id: "req-1-2",
    at,
    method: "POST",
    path: "/quotes/Quote:1/execute",
    operation: "executeQuote",
    status: 200,
    tookMs: 3,
    rules: ["quotedPayment.003"],
  });
});

test("an attempt has the receiver's status and the delivery's state", () => {
  const webhook = {
    kind: "webhook",
    id: "Webhook:1",
    type: "TEST",
    status: "RETRYING",
    attempt: 2,
    atMs,
    httpStatus: 503,
    tookMs: 12,
  } as const;
  expect(logLine(webhook)).toEqual({
    event: "delivery",
    id: "Webhook:1",
    type: "TEST",
    status: 503,
    state: "RETRYING",
    attempt: 2,
    tookMs: 12,
    at,
  });
});

test("a collected webhook has no attempt", () => {
  const webhook = {
    kind: "webhook",
    id: "Webhook:1",
    type: "TEST",
    about: "Quote:1",
    status: "UNDELIVERABLE",
    attempt: 0,
    atMs,
    tookMs: 0,
  } as const;
  expect(logLine(webhook)).toEqual({
    event: "delivery",
    id: "Webhook:1",
    type: "TEST",
    about: "Quote:1",
    status: null,
    state: "UNDELIVERABLE",
    collected: true,
    at,
  });
});

test("a timer that changed nothing has neither from nor to", () => {
  const timer = { kind: "timer", atMs, timer: "quote.expire", subject: "Quote:1" } as const;
  expect(logLine(timer)).toEqual({
    event: "timer",
    op: "fired",
    timer: "quote.expire",
    subject: "Quote:1",
    at,
  });
});

test("a fork's line has its name", () => {
  const timer = {
    kind: "timer",
    atMs,
    timer: "payment.settle",
    subject: "Transaction:1",
    world: "checkout-7",
  } as const;
  expect(logLine(timer)).toEqual({
    event: "timer",
    op: "fired",
    timer: "payment.settle",
    subject: "Transaction:1",
    at,
    world: "checkout-7",
  });
});
