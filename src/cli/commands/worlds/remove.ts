import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { pathOf } from "../../frame/query.ts";

export const command = clientCommand<{ removed: string }>({
  name: "remove",
  summary: "remove a world with everything in it",
  operands: "<name>",
  options: CLIENT_OPTIONS.filter(({ flags }) => !flags.startsWith("--world")),
  examples: ["service-sim worlds remove attempt-2"],
  call: ({ args: [name = ""] }) => ["DELETE", pathOf("/worlds", name)],
  document: (_, { args: [removed = ""] }) => ({ removed }),
  lines: ({ removed }, { mark }) => `${mark("done")} world ${removed} removed`,
});
