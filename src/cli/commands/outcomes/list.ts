import { closestTo } from "../../../contract/core/closest.ts";
import { outcomeGroups } from "../../../control/core/outcome-groups.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import { type Command, EXIT, usageError } from "../../frame/command.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

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

/** The rows of a table, or the one row that `x-sim-rule` names. */
const groupsOf = (wanted: string) => {
  const all = outcomeGroups();
  const groups = all.flatMap(({ rows, ...rest }) => {
    const named = rows.filter(({ rule }) => rest.group === wanted || rule === wanted);
    return named.length > 0 ? [{ ...rest, rows: named }] : [];
  });
  if (groups.length > 0) return groups;
  const [table = ""] = wanted.split(".");
  const isTable = all.some(({ group }) => group === table);
  const names = all.flatMap(({ group, rows }) => [group, ...rows.map(({ rule }) => rule)]);
  const meant = isTable ? table : closestTo(wanted, names);
  throw usageError(
    `no test rule ${wanted}`,
    ...(meant === undefined ? [] : [`service-sim outcomes ${meant}`]),
    "service-sim outcomes    prints all",
  );
};

export const command: Command = {
  name: "list",
  summary: "print every magic value and its effect, or those of one rule or table",
  operands: "[rule]",
  options: [],
  examples: ["service-sim outcomes list", "service-sim outcomes list quotedPayment.003"],
  run: async ({ args: [rule] }, terminal) => {
    const groups = rule === undefined ? outcomeGroups() : groupsOf(rule);
    terminal.document({ data: groups });
    terminal.print(...formatOutcomes(groups, terminal.style));
    return EXIT.done;
  },
};
