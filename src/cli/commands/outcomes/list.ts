import type { OutcomeGroup } from "../../../contract/control/outcomes.ts";
import { closestTo } from "../../../contract/core/closest.ts";
import { REVISIONS } from "../../../contract/core/revision-names.ts";
import { outcomeGroups } from "../../../control/core/outcome-groups.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { REVISION_OPTION, revisionIn } from "../../frame/revision-option.ts";
import { askedWorld } from "../../tasks/asked-world.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

type Row = OutcomeGroup["rows"][number];

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

export const formatOutcomes = (groups: readonly OutcomeGroup[], style: Style): string[] =>
  groups.flatMap(({ title, reads, rows }, at) => [
    ...(at > 0 ? [""] : []),
    `${style.color.bold(title)}  by ${reads}`,
    ...tableLines(COLUMNS, rows.map(rowCells), style),
  ]);

/** The rows of a table, or the one row that `x-sim-rule` names. */
const groupsNamed = (all: readonly OutcomeGroup[], wanted: string) =>
  all.flatMap(({ rows, ...rest }) => {
    const named = rows.filter(({ rule }) => rest.group === wanted || rule === wanted);
    return named.length > 0 ? [{ ...rest, rows: named }] : [];
  });

const unknownRule = (all: readonly OutcomeGroup[], wanted: string) => {
  const other = REVISIONS.find((one) => groupsNamed(outcomeGroups(one), wanted).length > 0);
  if (other !== undefined)
    return usageError(
      `${wanted} is a test rule of revision ${other}`,
      `service-sim outcomes ${wanted} --revision ${other}`,
    );
  const [table = ""] = wanted.split(".");
  const isTable = all.some(({ group }) => group === table);
  const names = all.flatMap(({ group, rows }) => [group, ...rows.map(({ rule }) => rule)]);
  const meant = isTable ? table : closestTo(wanted, names);
  return usageError(
    `no test rule ${wanted}`,
    ...(meant === undefined ? [] : [`service-sim outcomes ${meant}`]),
    "service-sim outcomes    prints all",
  );
};

/** Tables of the revision that is named, else of the world that answers, else of the first one. */
const groupsFor = async (invocation: Invocation): Promise<readonly OutcomeGroup[]> => {
  const { revision } = revisionIn(invocation.options);
  if (revision !== undefined) return outcomeGroups(revision);
  const asked = await askedWorld<{ data: OutcomeGroup[] }>(invocation, "/outcomes");
  return asked?.data ?? outcomeGroups();
};

export const command: Command = {
  name: "list",
  summary: "print every magic value and its effect, or those of one rule or table",
  operands: "[rule]",
  options: [...CLIENT_OPTIONS, REVISION_OPTION],
  notes: ["Without --revision: as the simulator that runs has them, else those of 2025-10."],
  examples: [
    "service-sim outcomes list",
    "service-sim outcomes list quotedPayment.003",
    "service-sim outcomes list --revision 2026-08",
  ],
  run: async (invocation, terminal) => {
    const [rule] = invocation.args;
    const all = await groupsFor(invocation);
    const groups = rule === undefined ? all : groupsNamed(all, rule);
    if (groups.length === 0) throw unknownRule(all, rule ?? "");
    terminal.document({ data: groups });
    terminal.print(...formatOutcomes(groups, terminal.style));
    return EXIT.done;
  },
};
