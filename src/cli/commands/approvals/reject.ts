import { CLIENT_OPTIONS, type Command } from "../../frame/command.ts";
import { decide } from "../../tasks/decided.ts";

export const command: Command = {
  name: "reject",
  summary: "reject an action: it is never done",
  operands: "<id>",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--reason <text>", summary: "reason for the agent", noEnvironment: true },
  ],
  examples: ['service-sim approvals reject e2d4c8 --reason "not this supplier"'],
  run: (invocation, terminal) => {
    const { reason } = invocation.options;
    const body = typeof reason === "string" ? { reason } : {};
    return decide(invocation, terminal, { verb: "reject", wanted: "REJECTED", body });
  },
};
