import type { LiftedOutcomes } from "../../../contract/control/next-outcomes.ts";
import { counted } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";

export const command = clientCommand<LiftedOutcomes>({
  name: "lift",
  summary: "remove the outcomes set by outcomes next: all, or one by its id",
  operands: "[id]",
  examples: ["service-sim outcomes lift", "service-sim outcomes lift 3f9c2e"],
  call: ({ args: [id] }) => ["DELETE", pathOf("/outcomes/next", id)],
  lines: ({ lifted }, { mark }) => `${mark("done")} ${counted(lifted, "outcome")} removed`,
});
