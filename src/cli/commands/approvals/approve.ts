import { CLIENT_OPTIONS, type Command } from "../../frame/command.ts";
import { decide } from "../../tasks/decided.ts";

export const command: Command = {
  name: "approve",
  summary: "approve an action: its policy is checked again, then it is done",
  operands: "<id>",
  options: CLIENT_OPTIONS,
  examples: ["service-sim approvals approve e2d4c8"],
  run: (invocation, terminal) =>
    decide(invocation, terminal, { verb: "approve", wanted: "APPROVED" }),
};
