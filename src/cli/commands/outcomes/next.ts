import type { NextOutcome, NextOutcomes } from "../../../contract/control/next-outcomes.ts";
import { isSettable } from "../../../control/core/settable-row.ts";
import { RULE_NAMES_OF_ANY_REVISION } from "../../../domain/outcomes/outcome-tables.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation, usageError } from "../../frame/command.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

/** Names that no shell expands, and that can be set. */
const COMPLETED = RULE_NAMES_OF_ANY_REVISION.filter(
  (name) => /^[\w.-]+$/.test(name) && isSettable(name),
);

const COLUMNS: readonly Column[] = [
  { head: "SET" },
  { head: "OUTCOME" },
  { head: "TIMES" },
  { head: "FOR" },
  { head: "SAYS", as: "words" },
];

export const formatNextOutcomes = ({ data }: NextOutcomes, style: Style): string[] => {
  if (data.length === 0) return ["no outcome is set"];
  const rows = data.map(({ id, rule, times, says, for: about }) => [
    style.id(id),
    rule,
    String(times),
    about === undefined ? "any" : style.id(about),
    says,
  ]);
  return tableLines(COLUMNS, rows, style);
};

const timesOf = ({ options: { times } }: Invocation) => {
  if (typeof times !== "string") return {};
  if (/^[0-9]{1,9}$/.test(times)) return { times: Number(times) };
  throw usageError(
    `Expected --times to be a whole number but found "${times}"`,
    "service-sim outcomes next --help",
  );
};

export const command = clientCommand<NextOutcome | NextOutcomes>({
  name: "next",
  summary: "set the outcome of the next matching payment, check or approval; without a name: list",
  operands: "[outcome]",
  completes: { words: COMPLETED, after: {} },
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--for <id>",
      summary: "only for this customer, account, agent, card or owner (default: any)",
      noEnvironment: true,
    },
    {
      flags: "--times <n>",
      summary: "number of times it applies (default: 1)",
      noEnvironment: true,
    },
  ],
  notes: [
    "Rows of walletProof cannot be set: the proof that is sent decides. Rows of umaLookup that",
    "find somebody cannot be set either.",
  ],
  examples: [
    "service-sim outcomes next quotedPayment.003",
    "service-sim outcomes next cardAuthorization.002 --times 2",
    "service-sim outcomes next",
  ],
  call: (invocation) => {
    const { args, options } = invocation;
    const [rule] = args;
    if (rule !== undefined) {
      const about = options.for ? { for: options.for } : {};
      return ["POST", "/outcomes/next", { rule, ...timesOf(invocation), ...about }];
    }
    if (options.for === undefined && options.times === undefined) return ["GET", "/outcomes/next"];
    throw usageError(
      "say which outcome, for example: outcomes next quotedPayment.003",
      "service-sim outcomes    prints all",
    );
  },
  value: (reply) => ("id" in reply ? reply.id : undefined),
  lines: (reply, style) => formatNextOutcomes("id" in reply ? { data: [reply] } : reply, style),
  next: (reply) => ("id" in reply ? "service-sim outcomes lift" : []),
});
