import type { WebhookTroubles } from "../../../contract/webhooks/troubles.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { formatTroubles } from "../../tasks/trouble-lines.ts";

export const command: Command = {
  name: "troubles",
  summary: "show what holds, duplicates, reorders, delays or drops webhooks",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks troubles", "service-sim webhooks troubles --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const reply = await reach(client.get<WebhookTroubles>("/webhooks/troubles"));
    terminal.document(reply);
    terminal.print(...formatTroubles(reply, terminal.style));
    return EXIT.done;
  },
};
