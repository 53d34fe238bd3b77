import { expect } from "vitest";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import { fingerprintOf } from "./every-operation.ts";

/** The expected refusal; without `reason` and `field` the answer must not have them. */
export interface Refused {
  status: number;
  code: string;
  reason?: string;
  field?: string;
}

const MEMBERS = ["status", "code", "message", "reason", "details"];

/** Asserts the error shape of every refusal (spec/errors.md#body). */
export const expectErrorShape = ({ status, headers, body }: Answer) => {
  expect(headers.get("content-type")).toBe("application/json");
  expect(Object.keys(body).filter((name) => !MEMBERS.includes(name))).toEqual([]);
  expect(body.status).toBe(status);
  expect(body.code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect(body.message).toMatch(/^\S.*\. \S/);
  // Details fill every place of a sentence; only parameters of paths keep their braces.
  expect(body.message).not.toMatch(/(?<!\/)\{[a-z]\w*\}/i);
  expect(body.details?.reason).toBe(body.reason);
  const isFinal = status === 409 || status === 501;
  expect(headers.get("x-should-retry")).toBe(isFinal ? "false" : null);
};

/** Asserts a whole refusal: its shape, its words, and the field that it names. */
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

/** A 400 `INVALID_INPUT` about a field, with its reason if it has one. */
export const invalid = (field: string, reason?: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  ...(reason !== undefined && { reason }),
});

/** Asserts a refusal that writes, posts, sends and schedules nothing. */
export const expectNothing = async (
  world: TestSimulator,
  act: () => Promise<Answer>,
  refused: Refused,
) => {
  const before = await fingerprintOf(world);
  expectRefused(await act(), refused);
  expect(await fingerprintOf(world)).toEqual(before);
};
