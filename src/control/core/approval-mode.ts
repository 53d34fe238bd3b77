import { DecidingMode } from "../../contract/control/approvals.ts";
import { setApprovals } from "../../domain/agents/approval-mode.ts";
import { endpoint } from "./control-endpoint.ts";

/** The setting of who decides about actions; a fixture may make it, too. */
export const approvalModeEndpoints = [
  endpoint({
    operationId: "setApprovals",
    summary: "Set who decides on agents' actions: a person, or the simulator at once",
    method: "PUT",
    path: "/approvals",
    body: DecidingMode,
    replies: [200, DecidingMode],
    refuses: [],
    handle: ({ body }, { commit }) => commit(setApprovals, body),
  }),
];
