import type { ResetReport } from "../../contract/control/instance.ts";
import { counted } from "../../text/layout.ts";
import { clientCommand } from "../frame/client-command.ts";
import type { Style } from "../text/terminal.ts";

export const formatReset = (
  { world, fixture, seed, dropped }: ResetReport,
  { tookMs, style }: { tookMs: number; style: Style },
): string[] => [
  `${style.mark("done")} world ${world} is back at fixture ${fixture}, seed ${seed}    ${Math.round(tookMs)} ms`,
  `  dropped ${counted(dropped.records, "record")}, ${counted(dropped.timers, "timer")}, ` +
    `${counted(dropped.webhooks, "webhook")}; credentials and webhook key stay`,
  "  service-sim snapshot load before-reset    undoes the reset",
];

export const command = clientCommand<ResetReport>({
  name: "reset",
  summary: "reset the world to its start, ids included; keep credentials, webhook key and seed",
  examples: ["service-sim reset", "service-sim reset --json"],
  call: () => ["POST", "/reset"],
  lines: (reply, style, { tookMs }) => formatReset(reply, { tookMs, style }),
});
