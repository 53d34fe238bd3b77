import * as z from "zod";
import { setApprovals } from "../../domain/agents/approval-mode.ts";
import { APPROVAL_MODES } from "../../contract/core/world-settings.ts";
import { endpoint } from "./control-endpoint.ts";

const Mode = z.lazy(() => z.object({ mode: z.enum(APPROVAL_MODES) }));

/** Who decides: a setting that a fixture may make, too. */
export const approvalModeEndpoints = [
  endpoint({
    operationId: "setApprovals",
    summary: "Have a person decide about agents' actions, or the simulator at once",
    method: "PUT",
    path: "/approvals",
    permission: "none",
    body: Mode,
    replies: [200, Mode],
    refuses: [],
    handle: ({ body }, { commit }) => commit(setApprovals, body),
  }),
];
