import type { WebhookTroubles } from "../../../contract/webhooks/troubles.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { formatTroubles } from "../../tasks/trouble-lines.ts";

export const command = clientCommand<WebhookTroubles>({
  name: "troubles",
  summary: "show what holds, duplicates, reorders, delays or drops webhooks",
  examples: ["service-sim webhooks troubles", "service-sim webhooks troubles --json"],
  call: () => ["GET", "/webhooks/troubles"],
  lines: formatTroubles,
});
