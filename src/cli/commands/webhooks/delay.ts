import { troubleCommand } from "../../tasks/trouble-command.ts";

export const command = troubleCommand({
  name: "delay",
  summary: "send the next webhook later, on the simulated clock",
  times: "delay this many (default: 1)",
  examples: [
    "service-sim webhooks delay --by 30m",
    "service-sim webhooks delay --type OUTGOING_PAYMENT.PROCESSING --by 1h",
  ],
});
