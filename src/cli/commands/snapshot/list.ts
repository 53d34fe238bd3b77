import type { Snapshots } from "../../../contract/control/snapshots.ts";
import { inGroups } from "../../../contract/core/digit-groups.ts";
import { fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "SNAPSHOT" },
  { head: "RECORDS", align: "right" },
  { head: "CLOCK" },
];

const wholeLines = (data: Snapshots["data"], style: Style) =>
  data.length === 0
    ? ["no snapshots", "  service-sim snapshot save <name>    saves the world as it is"]
    : tableLines(
        COLUMNS,
        data.map(({ name, records, now }) => [name, inGroups(records), fullInstant(now)]),
        style,
      );

export const formatSnapshots = ({ data, damaged = [] }: Snapshots, style: Style): string[] => [
  ...wholeLines(data, style),
  ...damaged.flatMap(({ name, found }) => [
    "",
    `${style.mark("failed")} ${name} is damaged: ${found}`,
  ]),
];

export const command = clientCommand<Snapshots>({
  name: "list",
  summary: "show the snapshots, oldest first",
  examples: ["service-sim snapshot list", "service-sim snapshot list --json"],
  call: () => ["GET", "/snapshots"],
  lines: formatSnapshots,
  next: ({ damaged = [] }) =>
    damaged.map(({ name }) => `service-sim snapshot remove ${name}    removes it`),
});
