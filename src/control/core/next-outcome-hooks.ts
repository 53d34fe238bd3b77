import { NextOutcome, NextOutcomeInput } from "../../contract/control/next-outcomes.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import { ruleName } from "../../domain/outcomes/rule-names.ts";
import { setNextOutcome } from "../../domain/outcomes/set-outcomes.ts";
import type { NextOutcomeRecord } from "../../domain/records/outcome-records.ts";
import type { Kind } from "../../domain/records/records.ts";
import { endpoint } from "./control-endpoint.ts";
import { everyOutcomeGroup } from "./outcome-groups.ts";
import { findPresentId } from "./present-ids.ts";
import { settableRow } from "./settable-row.ts";

/** Kinds of records that a set outcome can be restricted to. */
export const OUTCOME_SUBJECTS: readonly Kind[] = [
  "Customer",
  "InternalAccount",
  "ExternalAccount",
  "Agent",
  "Card",
  "BeneficialOwner",
];

const saysOf = (rule: string) =>
  everyOutcomeGroup()
    .flatMap(({ rows }) => rows)
    .find((row) => row.rule === rule)?.says ?? rule;

/** A row that is set, as lists show it. */
export const showNextOutcome = (record: NextOutcomeRecord): NextOutcome => {
  const { id, table, row, times, createdAtMs } = record;
  const rule = ruleName(table as Parameters<typeof ruleName>[0], row);
  return {
    id,
    rule,
    says: saysOf(rule),
    ...defined({ for: record.for }),
    times,
    createdAt: instant(createdAtMs),
  };
};

/** Setting the next outcome, which a fixture may do too. */
export const nextOutcomeHooks = [
  endpoint({
    operationId: "setNextOutcome",
    summary: "Set the outcome of the next matching payment, check or approval",
    method: "POST",
    path: "/outcomes/next",
    body: NextOutcomeInput,
    replies: [201, NextOutcome],
    refuses: ["OUTCOME_NOT_FOUND", "INVALID_INPUT", "ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ body: { rule, for: about, times = 1 } }, { commit }, world) => {
      const placed = settableRow(rule, revisionOf(world.engine.state));
      const subject =
        about === undefined ? undefined : findPresentId(world, about, OUTCOME_SUBJECTS);
      return showNextOutcome(commit(setNextOutcome, { placed, subject, times }));
    },
  }),
];
