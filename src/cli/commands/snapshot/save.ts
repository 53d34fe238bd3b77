import type { Snapshot } from "../../../contract/control/snapshots.ts";
import { counted, fullInstant } from "../../../text/layout.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";
import type { Style } from "../../text/terminal.ts";

export const formatSaved = ({ name, records, now }: Snapshot, { mark }: Style): string[] => [
  `${mark("done")} ${name} kept: ${counted(records, "record")} at ${fullInstant(now)}`,
  `  service-sim snapshot load ${name}    goes back to it`,
];

export const command: Command = {
  name: "save",
  summary: "keep the world as it is under a name, in place of an earlier one of that name",
  operands: "[name]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim snapshot save paid", "service-sim snapshot save paid --json"],
  run: async (invocation, terminal) => {
    const name = namedOperand(invocation, "save");
    const { client } = findInstance(invocation);
    const reply = await reach(client.put<Snapshot>(`/snapshots/${encodeURIComponent(name)}`, {}));
    terminal.document(reply);
    terminal.print(...formatSaved(reply, terminal.style));
    return EXIT.done;
  },
};
