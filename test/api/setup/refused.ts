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

/** The promises about every refusal, by the names that a failure prints. */
const PROMISES: Record<string, (answer: Answer) => boolean> = {
  "the type of JSON": ({ headers }) => headers.get("content-type") === "application/json",
  "known members": ({ body }) => Object.keys(body).every((name) => MEMBERS.includes(name)),
  "its status": ({ status, body }) => body.status === status,
  "a code": ({ body }) => /^[A-Z]+(_[A-Z]+)*$/.test(body.code),
  "a sentence and a next step": ({ body }) => /^\S.*\. \S/.test(body.message),
  // Details fill every place of a sentence; only parameters of paths keep their braces.
  "no open place": ({ body }) => !/(?<!\/)\{[a-z]\w*\}/i.test(body.message),
  "no value that is missing": ({ body }) => !/undefined|\[object/.test(body.message.split(". ")[0]),
  "the bounds in its details": ({ body }) =>
    !body.message.includes("bounds named in details") ||
    Object.keys(body.details ?? {}).some((name) => /^m(in|ax)$/.test(name)),
  "the reason of its details": ({ body }) => body.details?.reason === body.reason,
  "a word on retries": ({ status, headers }) =>
    headers.get("x-should-retry") === (status === 409 || status === 501 ? "false" : null),
};

/**
 * Asserts the error shape of every refusal (spec/errors.md#body). Matchers would cost more than
 * the thousands of calls whose answers come here.
 */
export const expectErrorShape = (answer: Answer) => {
  const broken = Object.keys(PROMISES).filter((name) => !PROMISES[name]?.(answer));
  if (broken.length > 0)
    throw new Error(`Expected ${broken.join(", ")} but found ${JSON.stringify(answer.body)}`);
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
