import type { NamedOperation } from "../../contract/closest-operation.ts";
import { Fault, FaultInput } from "../../contract/platform/faults.ts";
import { instant } from "../../domain/core/draft.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { addFault } from "../../domain/platform/faults.ts";
import type { FaultRecord } from "../../domain/records/fault-records.ts";
import { endpoint } from "../../http/endpoint.ts";
import type { FaultCount } from "../../http/fault-injection.ts";

/** What faults are switched on and off by. */
export interface FaultControl {
  /** Operations of the platform. */
  operations(): readonly NamedOperation[];
  countOf(id: string): FaultCount;
}

/** A fault switch with what it has met so far. */
export const showFault = (
  { id, match, fault, createdAtMs }: FaultRecord,
  counts: FaultCount,
): Fault => ({
  id,
  match,
  fault,
  ...counts,
  createdAt: instant(createdAtMs),
});

const spanOf = (text: string | undefined) =>
  text === undefined
    ? undefined
    : (parseDuration(text) ??
      refuse(
        "INVALID_DURATION",
        { field: "match.for", value: text },
        {
          says: `Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "${text}"`,
          next: "Write it like 6m",
        },
      ));

/** Switching faults on: a hook that a fixture may use, too. */
export const faultHooks = (faults: FaultControl) => [
  endpoint({
    operationId: "addFault",
    summary: "Have calls fail, wait, lose their answer or be hung up on",
    method: "POST",
    path: "/faults",
    permission: "none",
    body: FaultInput,
    replies: [201, Fault],
    refuses: ["INVALID_DURATION"],
    handle: ({ body }, { commit }) => {
      const spanMs = spanOf(body.match?.for);
      const record = commit(addFault, { body, operations: faults.operations(), spanMs });
      return showFault(record, faults.countOf(record.id));
    },
  }),
];
