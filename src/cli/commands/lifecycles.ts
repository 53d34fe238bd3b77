import type { LifecycleTable } from "../../contract/control/lifecycles.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { lifecycleTables } from "../../control/lifecycles.ts";
import { type Command, EXIT, usageError } from "../frame/command.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "FROM" },
  { head: "TRIGGER" },
  { head: "TO" },
  { head: "WEBHOOK", as: "text", leaves: 1 },
];

const linesOf = ({ name, starts, startEmits, ends, moves }: LifecycleTable, style: Style) => {
  const created = ["", "create", starts, startEmits ?? ""];
  const rows = moves.map(({ from, on, to, emits }) => [from, on, to, emits ?? ""]);
  const last = ends.length === 0 ? "has no final state" : `ends ${ends.join(", ")}`;
  return [
    `${style.color.bold(name)}  ${last}`,
    ...tableLines(COLUMNS, [created, ...rows], style),
    "",
  ];
};

const tablesNamed = (wanted: string | undefined): LifecycleTable[] => {
  const all = lifecycleTables();
  if (wanted === undefined) return all;
  const known = all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (known.length > 0) return known;
  const names = all.map(({ name }) => name);
  const meant = closestTo(wanted, names);
  throw usageError(
    `no lifecycle ${wanted}`,
    ...(meant === undefined ? [] : [`service-sim lifecycles "${meant}"`]),
    "service-sim lifecycles    prints all",
  );
};

export const command: Command = {
  name: "lifecycles",
  summary: "print the states of each kind of record, and the moves between them",
  operands: "[name]",
  options: [],
  examples: ["service-sim lifecycles", 'service-sim lifecycles "outgoing payment"'],
  run: async ({ args: [wanted] }, terminal) => {
    const data = tablesNamed(wanted);
    terminal.document({ data });
    terminal.print(...data.flatMap((table) => linesOf(table, terminal.style)).slice(0, -1));
    return EXIT.done;
  },
};
