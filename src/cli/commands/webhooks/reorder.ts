import { troubleCommand } from "../../tasks/trouble-command.ts";

export const command = troubleCommand({
  name: "reorder",
  summary: "send the next webhooks in the opposite order",
  times: "reorder this many (default: 2)",
  examples: [
    "service-sim webhooks reorder",
    "service-sim webhooks reorder --type OUTGOING_PAYMENT.COMPLETED --times 3",
  ],
});
