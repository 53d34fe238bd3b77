import { troubleCommand } from "../../tasks/trouble-command.ts";

export const command = troubleCommand({
  name: "duplicate",
  summary: "send the next webhook twice: same id, same bytes",
  times: "duplicate this many (default: 1)",
  examples: [
    "service-sim webhooks duplicate",
    "service-sim webhooks duplicate --type card.state_change --times 3",
  ],
});
