import { outcomeGroups } from "../../control/core/outcome-groups.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

type Group = ReturnType<typeof outcomeGroups>[number];
type Row = Group["rows"][number];

const stepText = ({ then, atMs, failureReason, refundReason }: Row["timeline"][number]) => {
  const when = atMs === 0 ? "at once" : `after ${showDuration(atMs)}`;
  const why = failureReason ?? refundReason;
  return `${then} ${when}${why === undefined ? "" : ` (${why})`}`;
};

const rowCells = ({ match, says, timeline }: Row) => [
  `  ${match === "otherwise" ? "other" : match}`,
  says,
  timeline.map(stepText).join(", "),
];

const COLUMNS: readonly Column[] = [{}, {}, { as: "words", least: 40 }];

export const formatOutcomes = (groups: readonly Group[], style: Style): string[] =>
  groups.flatMap(({ title, reads, rows }, at) => [
    ...(at > 0 ? [""] : []),
    `${style.color.bold(title)}  by ${reads}`,
    ...tableLines(COLUMNS, rows.map(rowCells), style),
  ]);

export const command: Command = {
  name: "outcomes",
  summary: "print every magic value and its effect",
  options: [],
  examples: ["service-sim outcomes", "service-sim outcomes --json"],
  run: async (_invocation, terminal) => {
    const groups = outcomeGroups();
    terminal.document({ data: groups });
    terminal.print(...formatOutcomes(groups, terminal.style));
    return EXIT.done;
  },
};
