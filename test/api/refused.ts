import { expect } from "vitest";
import type { Answer } from "../setup/test-simulator.ts";

/** What a refusal must say; `reason` and `field` must be absent when they are not given. */
export interface Refused {
  status: number;
  code: string;
  reason?: string;
  field?: string;
}

const MEMBERS = ["status", "code", "message", "reason", "details"];

/** The error shape of decisions, Errors: whatever is refused looks like this. */
export const expectErrorShape = ({ status, headers, body }: Answer) => {
  expect(headers.get("content-type")).toBe("application/json");
  expect(Object.keys(body).filter((name) => !MEMBERS.includes(name))).toEqual([]);
  expect(body.status).toBe(status);
  expect(body.code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect(body.message).toMatch(/^\S.*\. \S/);
  expect(body.details?.reason).toBe(body.reason);
  const isFinal = status === 409 || status === 501;
  expect(headers.get("x-should-retry")).toBe(isFinal ? "false" : null);
};

/** Asserts one refusal, whole: its shape, its words, and the field it names. */
export const expectRefused = (answer: Answer, { status, code, reason, field }: Refused) => {
  const { body } = answer;
  expect({
    status: answer.status,
    code: body.code,
    reason: body.reason,
    field: body.details?.field,
  }).toEqual({ status, code, reason, field });
  expectErrorShape(answer);
};
