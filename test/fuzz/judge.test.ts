import { expect, test } from "vitest";
import { DESCRIBED_OPERATIONS, nameOf } from "./described-operations.ts";
import { answerProblem } from "./judge.ts";

const operation = DESCRIBED_OPERATIONS.find((one) => nameOf(one) === "control.createWorld");

const problemOf = (why: string, isBesideAnother: boolean) => {
  const message = `The world cannot accept this now: ${why}`;
  const details = { why };
  const body = JSON.stringify({ error: { code: "UNAVAILABLE", message, next: ["Wait"], details } });
  const headers = { "content-type": "application/json", "x-sim-request-id": "req-1-1" };
  const answer = { status: 503, headers, body, isStream: false };
  if (!operation) throw new Error("Expected control.createWorld but found none");
  return answerProblem(
    { operation, isBesideAnother },
    { method: "POST", target: "/worlds" },
    answer,
  );
};

test.each([
  { why: "it was reset or reloaded during the call", isBesideAnother: true, isFinding: false },
  { why: "it was reset or reloaded during the call", isBesideAnother: false, isFinding: true },
  { why: "storage failed: no space left", isBesideAnother: true, isFinding: true },
])("503 since $why, beside another call: $isBesideAnother", ({ isFinding, ...row }) => {
  expect(problemOf(row.why, row.isBesideAnother) !== undefined).toBe(isFinding);
});
