import type { LiftedTroubles } from "../../../contract/webhooks/troubles.ts";
import { counted } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";
import type { Style } from "../../text/terminal.ts";

export const formatLifted = ({ lifted, released }: LiftedTroubles, { mark }: Style) =>
  `${mark("done")} ${counted(released, "webhook")} released, ${counted(lifted, "trouble")} ended`;

export const command = clientCommand<LiftedTroubles>({
  name: "lift",
  summary: "end all troubles, or one by its id; held webhooks are sent",
  operands: "[id]",
  examples: ["service-sim webhooks lift", "service-sim webhooks lift 3f9c2e"],
  call: ({ args: [id] }) => ["DELETE", pathOf("/webhooks/troubles", id)],
  lines: formatLifted,
});
