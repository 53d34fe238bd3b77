import type { SimulatorStatus } from "../../contract/control/status.ts";
import type { Story } from "../../contract/control/why.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { requireTerminal, wantsLines } from "../tasks/watch-terminal.ts";

export const command: Command = {
  name: "tui",
  summary: "watch quotes, approvals and webhooks, and act on them",
  operands: "[id]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--plain",
      summary: "print lines and questions instead of a screen",
      noEnvironment: true,
    },
    { flags: "--ascii", summary: "use only ASCII characters" },
  ],
  examples: ["service-sim tui", "service-sim tui 8e4b17"],
  run: async (invocation, terminal) => {
    requireTerminal();
    const [id] = invocation.args;
    const { client } = findInstance(invocation);
    await reach(client.get<SimulatorStatus>("/status"));
    if (wantsLines(invocation)) {
      const { watchInLines } = await import("../tasks/watch-lines.ts");
      return watchInLines(client, terminal);
    }
    const opens =
      id === undefined
        ? undefined
        : (await reach(client.get<Story>(`/why/${encodeURIComponent(id)}`))).id;
    const { watchOnTerminal } = await import("../tasks/watch.ts");
    await watchOnTerminal({ at: client.at, opens }, invocation, terminal);
    return EXIT.done;
  },
};
