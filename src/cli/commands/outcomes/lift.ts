import type { LiftedOutcomes } from "../../../contract/control/next-outcomes.ts";
import { counted } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

export const command: Command = {
  name: "lift",
  summary: "remove what outcomes next has set: all, or one by its id",
  operands: "[id]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim outcomes lift", "service-sim outcomes lift 3f9c2e"],
  run: async (invocation, terminal) => {
    const [id] = invocation.args;
    const { client } = findInstance(invocation);
    const path = id === undefined ? "/outcomes/next" : `/outcomes/next/${encodeURIComponent(id)}`;
    const reply = await reach(client.delete<LiftedOutcomes>(path));
    terminal.document(reply);
    terminal.print(`${terminal.style.mark("done")} ${counted(reply.lifted, "outcome")} lifted`);
    return EXIT.done;
  },
};
