import { OutcomeGroups } from "../contract/control/outcomes.ts";
import { revisionOf } from "../domain/core/revision.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { outcomeGroups } from "./core/outcome-groups.ts";

/** Every magic value. */
export const outcomeEndpoints = [
  endpoint({
    operationId: "outcomes",
    summary: "Every magic value and its effect",
    method: "GET",
    path: "/outcomes",
    replies: [200, OutcomeGroups],
    refuses: [],
    handle: (_input, { read }) =>
      read((view) => ({ data: outcomeGroups(revisionOf(view)) }), undefined),
  }),
];
