import { troubleCommand } from "../../tasks/trouble-command.ts";

export const command = troubleCommand({
  name: "hold",
  summary: "hold back the next webhooks until they are released",
  times: "hold only this many (default: all)",
  examples: [
    "service-sim webhooks hold",
    "service-sim webhooks hold --type OUTGOING_PAYMENT.COMPLETED",
  ],
});
