import type { LiftedTroubles } from "../../../contract/webhooks/troubles.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { formatLifted } from "./lift.ts";

export const command: Command = {
  name: "release",
  summary: "send what was held back, all or one, and stop holding",
  operands: "[id]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks release", "service-sim webhooks release 0c41d8"],
  run: async (invocation, terminal) => {
    const [id] = invocation.args;
    const { client } = findInstance(invocation);
    const body = id === undefined ? {} : { id };
    const reply = await reach(client.post<LiftedTroubles>("/webhooks/release", body));
    terminal.document(reply);
    terminal.print(formatLifted(reply, terminal.style));
    return EXIT.done;
  },
};
