import type { LiftedTroubles } from "../../../contract/webhooks/troubles.ts";
import { counted } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import type { Style } from "../../text/terminal.ts";

export const formatLifted = ({ lifted, released }: LiftedTroubles, { mark }: Style) =>
  `${mark("done")} ${counted(released, "webhook")} released, ${counted(lifted, "trouble")} lifted`;

export const command: Command = {
  name: "lift",
  summary: "end all troubles, or one by its id; what they held back is sent",
  operands: "[id]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks lift", "service-sim webhooks lift 3f9c2e"],
  run: async (invocation, terminal) => {
    const [id] = invocation.args;
    const { client } = findInstance(invocation);
    const tail = id === undefined ? "" : `/${encodeURIComponent(id)}`;
    const reply = await reach(client.delete<LiftedTroubles>(`/webhooks/troubles${tail}`));
    terminal.document(reply);
    terminal.print(formatLifted(reply, terminal.style));
    return EXIT.done;
  },
};
