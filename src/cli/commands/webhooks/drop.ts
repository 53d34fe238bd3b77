import { troubleCommand } from "../../tasks/trouble-command.ts";

export const command = troubleCommand({
  name: "drop",
  summary: "never send the next webhook",
  times: "drop this many (default: 1)",
  examples: [
    "service-sim webhooks drop",
    "service-sim webhooks drop --type OUTGOING_PAYMENT.COMPLETED --times 2",
  ],
});
