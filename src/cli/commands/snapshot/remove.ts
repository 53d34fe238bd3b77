import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";

export const command = clientCommand<{ removed: string }>({
  name: "remove",
  summary: "remove a snapshot",
  operands: "[name]",
  examples: ["service-sim snapshot remove paid"],
  call: (invocation) => ["DELETE", pathOf("/snapshots", namedOperand(invocation, "remove"))],
  document: (_, { args: [removed = ""] }) => ({ removed }),
  lines: ({ removed }, { mark }) => `${mark("done")} ${removed} removed`,
});
