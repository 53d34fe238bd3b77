import type { Snapshot } from "../../../contract/control/snapshots.ts";
import { counted, fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { pathOf } from "../../frame/query.ts";
import { namedOperand } from "../../tasks/snapshot-name.ts";
import type { Style } from "../../text/terminal.ts";

export const formatSaved = ({ name, records, now }: Snapshot, { mark }: Style): string[] => [
  `${mark("done")} ${name} saved: ${counted(records, "record")} at ${fullInstant(now)}`,
  `  service-sim snapshot load ${name}    returns to it`,
];

export const command = clientCommand<Snapshot>({
  name: "save",
  summary: "save the world under a name; replaces an earlier snapshot of that name",
  operands: "[name]",
  examples: ["service-sim snapshot save paid", "service-sim snapshot save paid --json"],
  call: (invocation) => ["PUT", pathOf("/snapshots", namedOperand(invocation, "save"))],
  lines: formatSaved,
});
