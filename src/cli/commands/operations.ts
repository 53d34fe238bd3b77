import {
  closestOperation,
  closestOperationId,
  operationNamed,
} from "../../contract/closest-operation.ts";
import { FIRST_REVISION, LATEST_REVISION } from "../../contract/core/revision-names.ts";
import { sinceOf } from "../../contract/core/revisions.ts";
import {
  LATER_OPERATIONS,
  OPERATIONS_OF_ANY_REVISION,
  type OperationRow,
  operationsOf,
} from "../../contract/operations.ts";
import { type Command, EXIT, usageError } from "../frame/command.ts";
import { REVISION_OPTION, revisionIn } from "../frame/revision-option.ts";
import { asCalled } from "../text/called-as.ts";
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
type ShownRow = Pick<OperationRow, "operationId" | "method" | "path" | "auth" | "permission">;

const COLUMNS: readonly Column[] = [
  { head: "METHOD" },
  { head: "PATH", as: "path", least: 20 },
  { head: "AUTH", leaves: 2 },
  { head: "PERMISSION", leaves: 1 },
  { head: "ID" },
];

export const formatOperations = (
  rows: readonly ShownRow[],
  style: Pick<Style, "color" | "screen">,
): string[] => [
  ...tableLines(
    COLUMNS,
    rows.map(({ operationId, method, path, auth, permission }) => [
      method,
      path,
      auth,
      permission,
      operationId,
    ]),
    style,
  ),
  "",
  ...tableLines([{}, { as: "words" }], Object.entries(AUTH_WORDS), style),
  "",
  "sim.call and service-sim api take the id",
];

const IDS = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId);

/** Operations that a word names: one by its name or place, else all with the word in them. */
const operationsNamed = (word: string): readonly OperationRow[] => {
  const id = operationNamed(word, IDS);
  if (id !== undefined && !word.includes("/"))
    return OPERATIONS_OF_ANY_REVISION.filter(({ operationId }) => operationId === id);
  const wanted = word.toLowerCase();
  return OPERATIONS_OF_ANY_REVISION.filter(({ method, path, operationId }) =>
    `${method} ${path} ${operationId}`.toLowerCase().includes(wanted),
  );
};

const unknownOperation = (word: string) => {
  const meant = word.includes("/")
    ? closestOperation({ method: undefined, path: word }, OPERATIONS_OF_ANY_REVISION)?.split(" ")[1]
    : closestOperationId(word, IDS);
  return usageError(
    `no operation "${word}"`,
    ...(meant === undefined ? [] : [`service-sim operations ${meant}`]),
    "service-sim operations    lists them",
  );
};

const detailsOf = (
  { method, path, operationId, auth, permission, since }: OperationRow,
  style: Style,
) =>
  tableLines(
    [{}, { as: "words" }],
    [
      [operationId, `${method} ${path}`],
      ["auth", AUTH_WORDS[auth]],
      ["permission", permission],
      ...(since ? [["revision", `${sinceOf(since)} and later`]] : []),
      ["call it", asCalled(`service-sim api ${operationId}`)],
      ["read on", asCalled(`service-sim docs ${operationId}`)],
    ],
    style,
  );

const MORE = `service-sim operations --revision ${LATEST_REVISION} lists ${LATER_OPERATIONS.length} more`;

export const command: Command = {
  name: "operations",
  summary: "print API operations with path, authentication and permission: all, or those named",
  operands: "[name]",
  completes: { words: IDS.toSorted(), after: {} },
  options: [REVISION_OPTION],
  examples: [
    "service-sim operations",
    "service-sim operations createQuote",
    "service-sim operations /quotes --json",
    "service-sim operations --revision 2026-08",
  ],
  run: async ({ args: [word], options }, terminal) => {
    const { revision } = revisionIn(options);
    const served = operationsOf(revision ?? FIRST_REVISION);
    const isServed = (row: OperationRow) => revision === undefined || served.includes(row);
    const rows = word === undefined ? served : operationsNamed(word).filter(isServed);
    const [only] = rows;
    if (only === undefined) throw unknownOperation(word ?? "");
    terminal.document({ data: rows });
    terminal.print(
      ...(rows.length === 1
        ? detailsOf(only, terminal.style)
        : formatOperations(rows, terminal.style)),
      ...(word === undefined && revision === undefined ? [MORE] : []),
    );
    return EXIT.done;
  },
};
