import type { NamedOperation } from "../../contract/closest-operation.ts";
import { Fault, FaultInput } from "../../contract/platform/faults.ts";
import { instant } from "../../domain/core/draft.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { addFault } from "../../domain/platform/faults.ts";
import type { FaultRecord } from "../../domain/records/fault-records.ts";
import type { FaultCount } from "../../http/door/fault-injection.ts";
import { endpoint } from "./control-endpoint.ts";
import type { World } from "./world.ts";

/** Operations of the control surface are exempt from faults. */
const isPlatform = (place: string) => !place.includes(" /_sim/");

const platformOperations = ({ operations }: World): NamedOperation[] =>
  [...operations].flatMap(([operationId, place]) => {
    const [method = "", path = ""] = place.split(" ");
    return isPlatform(place) ? [{ operationId, method, path }] : [];
  });

/** A fault switch with the number of calls it has met so far. */
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

/** Switching faults on, which a fixture may do too. */
export const faultHooks = [
  endpoint({
    operationId: "addFault",
    summary: "Inject errors, delays, lost responses or closed connections into calls",
    method: "POST",
    path: "/faults",
    body: FaultInput,
    replies: [201, Fault],
    refuses: ["INVALID_DURATION"],
    handle: ({ body }, { commit }, world) => {
      const spanMs = spanOf(body.match?.for);
      const record = commit(addFault, { body, operations: platformOperations(world), spanMs });
      return showFault(record, world.faults.countOf(record.id));
    },
  }),
];
