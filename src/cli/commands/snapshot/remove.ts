import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";

export const command: Command = {
  name: "remove",
  summary: "remove a snapshot",
  operands: "[name]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim snapshot remove paid"],
  run: async (invocation, terminal) => {
    const name = namedOperand(invocation, "remove");
    const { client } = findInstance(invocation);
    await reach(client.delete(`/snapshots/${encodeURIComponent(name)}`));
    terminal.document({ removed: name });
    terminal.print(`${terminal.style.mark("done")} ${name} removed`);
    return EXIT.done;
  },
};
