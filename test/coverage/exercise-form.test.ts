import { describe, expect, test } from "vitest";
import { Scenario } from "../../src/contract/control/scenarios.ts";
import { REVISIONS } from "../../src/contract/core/revision-names.ts";
import { coverageItems } from "../../src/coverage/coverage-items.ts";
import { outcomeExercise } from "../../src/coverage/exercises/outcomes.ts";
import { exerciseSteps } from "../../src/coverage/exercises.ts";
import { isReference, piecesOf, textsIn } from "../../src/scripts/references.ts";
import type { ScriptStep } from "../../src/scripts/script-run.ts";

/** Names that the runner of exercises gives. */
const GIVEN = ["random", "sandbox", "owner"];

/** Only receivers of the package fail to answer. */
const answering = (steps: readonly ScriptStep[]) =>
  JSON.parse(JSON.stringify(steps).replace(/"status":"(drop|hang)"/g, '"status":500'));

const unknownNames = (steps: readonly ScriptStep[]) =>
  steps.flatMap(({ name: _, ...step }, at) => {
    const known = [...GIVEN, ...steps.slice(0, at).map(({ name }) => name)];
    return textsIn(step, [])
      .flatMap(({ text }) => piecesOf(text))
      .flatMap((piece) => (typeof piece === "string" ? [] : [piece]))
      .filter((piece) => !isReference(piece) || !known.includes(piece.step));
  });

const GROUPS = REVISIONS.flatMap((revision) =>
  coverageItems(revision).map((one) => ({ revision, ...one })),
);

describe.each(GROUPS)("the exercises of $group in $revision", ({ group, items }) => {
  test("are steps of a scenario, and refer to what is there by then", () => {
    for (const name of items) {
      const steps = exerciseSteps({ group, name });
      const document = { name: "exercise", steps: answering(steps) };
      expect(Scenario.safeParse(document).error, `${group}.${name}`).toBeUndefined();
      expect(unknownNames(steps), `${group}.${name}`).toEqual([]);
    }
  });
});

// A row is met by the steps of its table, so that a new one needs no exercise of its own.
test.each([
  { rule: "quotedPayment.008", holds: '"clabeNumber":"646180110400000008"' },
  { rule: "transferOut.006", holds: '"accountNumber":"000123006"' },
  { rule: "document.207", holds: '"name":"passport-207.pdf"' },
  { rule: "cardAuthorization.007", holds: '"descriptor":"NORTH PIER 007"' },
  { rule: "newPerson.004", holds: '"fullName":"Ada Byron 004"' },
  { rule: "personVerification.004", holds: '"fullName":"Ada Byron 004"' },
  { rule: "businessVerification.004", holds: '"registrationNumber":"88-004"' },
  { rule: "umaSender.$success.brl", holds: '"senderUmaAddress":"$success.brl@' },
])("a row $rule would have its exercise", ({ rule, holds }) => {
  expect(JSON.stringify(outcomeExercise(rule))).toContain(holds);
});
