import type { ClearedFaults } from "../../../contract/control/faults.ts";
import { counted } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";

export const command = clientCommand<ClearedFaults>({
  name: "clear",
  summary: "remove all faults, or one by its id",
  operands: "[id]",
  examples: ["service-sim faults clear", "service-sim faults clear 3f9c2e"],
  call: ({ args: [id] }) => ["DELETE", pathOf("/faults", id)],
  lines: ({ cleared }, { mark }) => `${mark("done")} ${counted(cleared, "fault")} removed`,
});
