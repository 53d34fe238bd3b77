import type { WorldList, WorldRow } from "../../../contract/control/worlds.ts";
import { fullInstant } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS } from "../../frame/command.ts";
import { quoted } from "../../text/called-as.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "WORLD" },
  { head: "RECORDS", as: "whole" },
  { head: "NOW" },
  { head: "CLIENT ID" },
  { head: "COPY OF", as: "words" },
];

const originOf = ({ from, isStarting, isLate, isLoaded }: WorldRow) => {
  if (isStarting) return "default world";
  const origin = isLate ? `${from}, later state` : `${from}`;
  return isLoaded === false ? `${origin} (not loaded)` : origin;
};

export const formatWorlds = ({ data, damaged = [] }: WorldList, style: Style): string[] => [
  ...tableLines(
    COLUMNS,
    data.map((one) => [
      one.name,
      String(one.records),
      fullInstant(one.now),
      one.clientId,
      originOf(one),
    ]),
    style,
  ),
  ...damaged.flatMap(({ name, found }) => [
    "",
    `${style.mark("failed")} ${name} is damaged: ${found}`,
  ]),
];

/** Next steps for damaged worlds: the one that keeps their files comes first. */
const stepsFor = ({ damaged = [] }: WorldList): string[] =>
  damaged.length === 0
    ? []
    : [
        "service-sim stop    then service-sim doctor --repair: moves it aside and keeps its files",
        ...damaged.map(({ name }) => `service-sim worlds remove ${quoted(name)}    deletes it`),
      ];

export const command = clientCommand<WorldList>({
  name: "list",
  summary: "show the worlds, the default one first",
  options: CLIENT_OPTIONS.filter(({ flags }) => !flags.startsWith("--world")),
  examples: ["service-sim worlds list", "service-sim worlds list --json"],
  call: () => ["GET", "/worlds"],
  lines: formatWorlds,
  next: stepsFor,
});
