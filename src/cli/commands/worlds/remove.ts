import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

export const command: Command = {
  name: "remove",
  summary: "remove a world with everything in it",
  operands: "<name>",
  options: CLIENT_OPTIONS.filter(({ flags }) => !flags.startsWith("--world")),
  examples: ["service-sim worlds remove attempt-2"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const [name = ""] = invocation.args;
    await reach(client.delete(`/worlds/${encodeURIComponent(name)}`));
    terminal.document({ removed: name });
    terminal.print(`${terminal.style.mark("done")} world ${name} is gone`);
    return EXIT.done;
  },
};
