import { POLICY_ROWS } from "../../../domain/agents/agent-policy.ts";
import { type Command, EXIT } from "../../frame/command.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

/** A row of the policy engine and its wording. */
export interface PolicyRowShown {
  name: string;
  /** Wording of the case in which the row passes. */
  passes: string;
  otherwise: string;
  reason?: string;
}

const shown = (): PolicyRowShown[] =>
  POLICY_ROWS.map(({ name, says, otherwise, ...row }) => ({
    name,
    passes: says,
    otherwise,
    ...("refusal" in row && { reason: row.refusal }),
  }));

const COLUMNS: readonly Column[] = [
  { head: "ROW" },
  { head: "OTHERWISE" },
  { head: "PASSES IF", as: "words" },
];

export const formatPolicyRows = (rows: readonly PolicyRowShown[], style: Style): string[] =>
  tableLines(
    COLUMNS,
    rows.map(({ name, passes, otherwise, reason }) => [
      name,
      reason === undefined ? otherwise : `${otherwise}: ${reason}`,
      passes,
    ]),
    style,
  );

export const command: Command = {
  name: "rows",
  summary: "print the rows of a policy in order: the first row that does not pass decides",
  options: [],
  examples: ["service-sim policy rows", "service-sim policy rows --json"],
  run: async (_invocation, terminal) => {
    const rows = shown();
    terminal.document({ data: rows });
    terminal.print(...formatPolicyRows(rows, terminal.style));
    return EXIT.done;
  },
};
