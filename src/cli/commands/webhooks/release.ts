import { defined } from "../../../contract/core/defined.ts";
import type { LiftedTroubles } from "../../../contract/webhooks/troubles.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { formatLifted } from "./lift.ts";

export const command = clientCommand<LiftedTroubles>({
  name: "release",
  summary: "send all held webhooks, or one, and stop holding",
  operands: "[id]",
  examples: ["service-sim webhooks release", "service-sim webhooks release 0c41d8"],
  call: ({ args: [id] }) => ["POST", "/webhooks/release", defined({ id })],
  lines: formatLifted,
});
