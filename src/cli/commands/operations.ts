import { OPERATIONS, type OperationRow } from "../../contract/operations.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

/** Legend of the third column's letters. */
const AUTH_WORDS: Readonly<Record<OperationRow["auth"], string>> = {
  B: "HTTP Basic, an API token with that permission; any permission is enough for VIEW",
  BS: "HTTP Basic; wallet operations need a second, signed call",
  T: "Bearer, an agent's access token; its policy must hold that permission",
  none: "none: the code in the path is enough",
};

/** The part of an operation that is printed. */
type ShownRow = Pick<OperationRow, "method" | "path" | "auth" | "permission">;

const COLUMNS: readonly Column[] = [
  { head: "METHOD" },
  { head: "PATH", as: "path", least: 24 },
  { head: "AUTH" },
  { head: "PERMISSION" },
];

export const formatOperations = (
  rows: readonly ShownRow[],
  style: Pick<Style, "color" | "screen">,
): string[] => [
  ...tableLines(
    COLUMNS,
    rows.map(({ method, path, auth, permission }) => [method, path, auth, permission]),
    style,
  ),
  "",
  ...tableLines([{}, { as: "words" }], Object.entries(AUTH_WORDS), style),
];

export const command: Command = {
  name: "operations",
  summary: "print every API operation with its path, authentication and permission",
  options: [],
  examples: ["service-sim operations", "service-sim operations --json"],
  run: async (_invocation, terminal) => {
    terminal.document({ data: OPERATIONS });
    terminal.print(...formatOperations(OPERATIONS, terminal.style));
    return EXIT.done;
  },
};
