import type { Story } from "../../contract/control/why.ts";
import { clientCommand } from "../frame/client-command.ts";
import { pathOf } from "../frame/query.ts";
import { consoleLine } from "../text/console-line.ts";
import { formatWhy } from "../text/why-lines.ts";

export const command = clientCommand<Story>({
  name: "why",
  summary: "explain how a record, account, webhook or request got into its state",
  operands: "<id>",
  examples: ["service-sim why req-1-1", "service-sim why 8e4b17 --json"],
  call: ({ args: [id = ""] }) => ["GET", pathOf("/why", id)],
  lines: (story, style, { client, terminal }) => [
    ...formatWhy(story, style),
    consoleLine(client, story.id, terminal),
  ],
});
