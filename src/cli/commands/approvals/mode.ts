import type { DecidingMode } from "../../../contract/control/approvals.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { usageError } from "../../frame/command.ts";

const MODES: Readonly<Record<string, string>> = {
  ask: "actions wait for a person",
  approve: "actions that would wait are approved at once",
  reject: "actions that would wait are rejected at once",
};

export const command = clientCommand<DecidingMode>({
  name: "mode",
  summary: "show or set who decides on agents' actions: ask a person, approve all or reject all",
  operands: "[ask|approve|reject]",
  examples: ["service-sim approvals mode", "service-sim approvals mode approve"],
  call: ({ args: [mode] }) => {
    if (mode === undefined) return ["GET", "/approvals?limit=1"];
    if (Object.hasOwn(MODES, mode)) return ["PUT", "/approvals", { mode }];
    throw usageError(
      `Expected ask, approve or reject but found "${mode}"`,
      "service-sim approvals mode ask",
    );
  },
  document: ({ mode }) => ({ mode }),
  lines: ({ mode }) => `${mode}  ${MODES[mode] ?? ""}`.trimEnd(),
});
