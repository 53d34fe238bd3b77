import { wordOf } from "../../../contract/control/clock-modes.ts";
import type { Restored } from "../../../contract/control/snapshots.ts";
import { counted, fullInstant } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";
import type { Style } from "../../text/terminal.ts";

export const formatRestored = (
  { name, records, now, mode, speed }: Restored,
  { mark }: Style,
): string[] => [
  `${mark("done")} the world is ${name} again: ${counted(records, "record")}, clock ${wordOf({ mode, speed })} at ${fullInstant(now)}`,
];

export const command: Command = {
  name: "load",
  summary: "continue from a snapshot, with its clock",
  operands: "[name]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--keep-clock",
      summary: "keep the present instant and mode of the clock",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim snapshot load paid", "service-sim snapshot load paid --keep-clock"],
  run: async (invocation, terminal) => {
    const name = namedOperand(invocation, "load");
    const { client } = findInstance(invocation);
    const keepClock = invocation.options.keepClock === true;
    const path = `/snapshots/${encodeURIComponent(name)}/restore`;
    const reply = await reach(client.post<Restored>(path, { keepClock }));
    terminal.document(reply);
    terminal.print(...formatRestored(reply, terminal.style));
    return EXIT.done;
  },
};
