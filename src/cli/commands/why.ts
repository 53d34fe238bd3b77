import type { Story } from "../../contract/control/why.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { consoleLine } from "../text/console-line.ts";
import { formatWhy } from "../text/why-lines.ts";

export const command: Command = {
  name: "why",
  summary: "explain how a record, account, webhook or request got into its state",
  operands: "<id>",
  options: CLIENT_OPTIONS,
  examples: ["service-sim why req-1-1", "service-sim why 8e4b17 --json"],
  run: async (invocation, terminal) => {
    const [id = ""] = invocation.args;
    const { client } = findInstance(invocation);
    const story = await reach(client.get<Story>(`/why/${encodeURIComponent(id)}`));
    terminal.document(story);
    terminal.print(...formatWhy(story, terminal.style), consoleLine(client, story.id, terminal));
    return EXIT.done;
  },
};
