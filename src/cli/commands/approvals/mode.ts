import type { DecidingMode, WaitingActions } from "../../../contract/control/approvals.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

const MODES: Readonly<Record<string, string>> = {
  ask: "actions wait for a person",
  approve: "actions that would wait are approved at once",
  reject: "actions that would wait are rejected at once",
};

export const command: Command = {
  name: "mode",
  summary: "show who decides about actions, or set it: ask a person, or approve or reject at once",
  operands: "[ask|approve|reject]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim approvals mode", "service-sim approvals mode approve"],
  run: async (invocation, terminal) => {
    const [wanted] = invocation.args;
    if (wanted !== undefined && !Object.hasOwn(MODES, wanted))
      throw usageError(
        `Expected ask, approve or reject but found "${wanted}"`,
        "service-sim approvals mode ask",
      );
    const { client } = findInstance(invocation);
    const call = wanted
      ? client.put<DecidingMode>("/approvals", { mode: wanted })
      : client.get<WaitingActions>("/approvals?limit=1");
    const { mode } = await reach(call);
    terminal.document({ mode });
    terminal.print(`${mode}  ${MODES[mode] ?? ""}`.trimEnd());
    return EXIT.done;
  },
};
