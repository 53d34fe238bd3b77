import { wordOf } from "../../../contract/control/clock-modes.ts";
import type { Restored } from "../../../contract/control/snapshots.ts";
import { counted, fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { pathOf } from "../../frame/query.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";
import type { Style } from "../../text/terminal.ts";

export const formatRestored = (
  { name, records, now, mode, speed }: Restored,
  { mark }: Style,
): string[] => [
  `${mark("done")} ${name} loaded: ${counted(records, "record")}, clock ${wordOf({ mode, speed })} at ${fullInstant(now)}`,
];

export const command = clientCommand<Restored>({
  name: "load",
  summary: "return to a snapshot, its clock included",
  operands: "[name]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--keep-clock",
      summary: "keep the clock as it is now",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim snapshot load paid", "service-sim snapshot load paid --keep-clock"],
  call: (invocation) => [
    "POST",
    `${pathOf("/snapshots", namedOperand(invocation, "load"))}/restore`,
    { keepClock: invocation.options.keepClock === true },
  ],
  lines: formatRestored,
});
