import { defined } from "../../../contract/core/defined.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { decideCommand } from "../../tasks/decided.ts";

export const command = decideCommand({
  name: "reject",
  wanted: "REJECTED",
  summary: "reject an action, so that it never runs",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--reason <text>", summary: "reason for the agent", noEnvironment: true },
  ],
  examples: ['service-sim approvals reject e2d4c8 --reason "not this supplier"'],
  body: ({ options: { reason } }) => defined({ reason }),
});
