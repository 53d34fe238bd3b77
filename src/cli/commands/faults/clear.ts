import type { ClearedFaults } from "../../../contract/control/faults.ts";
import { counted } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

export const command: Command = {
  name: "clear",
  summary: "remove what faults add has injected: all, or one by its id",
  operands: "[id]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim faults clear", "service-sim faults clear 3f9c2e"],
  run: async (invocation, terminal) => {
    const [id] = invocation.args;
    const { client } = findInstance(invocation);
    const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
    const reply = await reach(client.delete<ClearedFaults>(path));
    terminal.document(reply);
    const { mark } = terminal.style;
    terminal.print(`${mark("done")} ${counted(reply.cleared, "fault")} removed`);
    return EXIT.done;
  },
};
