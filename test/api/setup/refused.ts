import { expect } from "vitest";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { fingerprintOf } from "./every-operation.ts";

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
  // Every place of the table's sentences is filled from the details, but for parameters of paths.
  expect(body.message).not.toMatch(/(?<!\/)\{[a-z]\w*\}/i);
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

/** A 400 `INVALID_INPUT` about a field, with its finer word where it has one. */
export const invalid = (field: string, reason?: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  ...(reason !== undefined && { reason }),
});

/** Refused as said, and nothing is written, posted, told or scheduled by it. */
export const expectNothing = async (
  world: TestSimulator,
  act: () => Promise<Answer>,
  refused: Refused,
) => {
  const before = await fingerprintOf(world);
  expectRefused(await act(), refused);
  expect(await fingerprintOf(world)).toEqual(before);
};
