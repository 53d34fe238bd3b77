import type { ResetReport } from "../../contract/control/instance.ts";
import { counted } from "../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import type { Style } from "../text/terminal.ts";

export const formatReset = (
  { world, fixture, seed, dropped }: ResetReport,
  { tookMs, style }: { tookMs: number; style: Style },
): string[] => [
  `${style.mark("done")} world ${world} is back at fixture ${fixture}, seed ${seed}    ${Math.round(tookMs)} ms`,
  `  dropped ${counted(dropped.records, "record")}, ${counted(dropped.timers, "timer")}, ` +
    `${counted(dropped.webhooks, "webhook")}; credentials and webhook key stay`,
  "  service-sim snapshot load before-reset    brings that back",
];

export const command: Command = {
  name: "reset",
  summary: "return the world to its start, ids included; keep credentials, webhook key and seed",
  options: CLIENT_OPTIONS,
  examples: ["service-sim reset", "service-sim reset --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const startedMs = performance.now();
    const reply = await reach(client.post<ResetReport>("/reset"));
    const tookMs = performance.now() - startedMs;
    terminal.document(reply);
    terminal.print(...formatReset(reply, { tookMs, style: terminal.style }));
    return EXIT.done;
  },
};
