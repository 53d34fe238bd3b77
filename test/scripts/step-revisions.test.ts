import { expect, test } from "vitest";
import { REVISIONS, type Revision } from "../../src/contract/core/revision-names.ts";
import { neverMeet, runsIn, type StepRevisions } from "../../src/scripts/step-revisions.ts";

// spec/scenarios.md#revisions
test.each<[StepRevisions, Revision[]]>([
  [{}, ["2025-10", "2026-08"]],
  [{ since: "2025-10" }, ["2025-10", "2026-08"]],
  [{ since: "2026-08" }, ["2026-08"]],
  [{ before: "2026-08" }, ["2025-10"]],
  [{ before: "2025-10" }, []],
  [{ since: "2026-08", before: "2026-08" }, []],
  [{ since: "2025-10", before: "2026-08" }, ["2025-10"]],
])("a step with %j runs in %j", (step, revisions) => {
  expect(REVISIONS.filter((revision) => runsIn(step, revision))).toEqual(revisions);
});

test.each<[StepRevisions, StepRevisions, boolean]>([
  [{}, {}, false],
  [{ since: "2026-08" }, {}, false],
  [{ since: "2026-08" }, { before: "2026-08" }, true],
  [{ before: "2026-08" }, { before: "2026-08" }, false],
])("whether %j and %j never meet: %j", (one, other, apart) => {
  expect(neverMeet(one, other)).toBe(apart);
  expect(neverMeet(other, one)).toBe(apart);
});
