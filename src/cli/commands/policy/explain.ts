import type { PolicyCheck, PolicyExplanation } from "../../../contract/agents/agent-actions.ts";
import { money } from "../../../text/layout.ts";
import type { MarkName } from "../../../text/marks.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation, usageError } from "../../frame/command.ts";
import { pathOf } from "../../frame/query.ts";
import { tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const DECISION_WORDS: Record<PolicyExplanation["decision"], { mark: MarkName; says: string }> = {
  allow: { mark: "done", says: "allow: it would be done at once" },
  ask: { mark: "asks", says: "ask: it would wait for a person" },
  deny: { mark: "failed", says: "deny: it would be refused with 403" },
};

const written = (value: PolicyCheck["value"], currency: string | undefined, id: Style["id"]) => {
  if (currency !== undefined && (typeof value === "number" || typeof value === "string"))
    return money(BigInt(value), currency);
  if (Array.isArray(value)) return value.length > 0 ? value.map(id).join(", ") : "none";
  return value === undefined ? "" : String(value);
};

const isBound = ({ limit }: PolicyCheck) => typeof limit === "number";

const checkText = (check: PolicyCheck, { id }: Style) => {
  const { name, passed, currency } = check;
  const value = written(check.value, currency, id);
  const limit = written(check.limit, currency, id);
  if (name === "paused") return passed ? "not paused" : "paused";
  if (name === "permission") return passed ? `has ${limit}` : `lacks ${limit}; has ${value}`;
  if (check.limit === undefined) return value === "" ? "none set" : `${value}, none set`;
  if (Array.isArray(check.limit)) return passed ? `${value}, allowed` : `${value}, not in ${limit}`;
  if (isBound(check)) return passed ? `${value} of ${limit}` : `${value} is above ${limit}`;
  return passed ? value : `${value}, not ${limit}`;
};

/** Prints a policy's answer row by row and marks the row that decided. */
export const formatExplanation = (
  { decision, decidedBy, checks }: PolicyExplanation,
  style: Style,
): string[] => {
  const { mark, says } = DECISION_WORDS[decision];
  const rows = tableLines(
    [{}, { as: "words" }],
    checks.map((check) => [
      `${style.mark(check.passed ? "done" : check.name === decidedBy ? mark : "over")} ${check.name}`,
      checkText(check, style),
    ]),
    style,
  );
  return [`${style.mark(mark)} ${style.color.bold(says)}, decided by ${decidedBy}`, ...rows];
};

const amountOf = (text: string) => {
  if (!/^[1-9][0-9]{0,15}$/.test(text))
    throw usageError(
      `Expected --amount to be a whole number of the smallest unit but found "${text}"`,
      "service-sim policy explain --help",
    );
  return Number(text);
};

const party = (name: string, value: string | boolean | undefined) =>
  typeof value === "string" ? { [name]: { accountId: value } } : {};

const hypothesisOf = ({ options }: Invocation) => {
  const { amount, quote, type, currency, from, to } = options;
  if (amount === undefined && quote === undefined)
    throw usageError(
      "say what to explain: --amount or --quote",
      "service-sim policy explain <agent> --amount 32500 --to <account>",
    );
  return {
    ...(typeof amount === "string" && { amount: amountOf(amount) }),
    ...(typeof quote === "string" && { quoteId: quote }),
    ...(typeof type === "string" && { type }),
    ...(typeof currency === "string" && { currency }),
    ...party("source", from),
    ...party("destination", to),
  };
};

export const command = clientCommand<PolicyExplanation>({
  name: "explain",
  summary: "show how an agent's policy would decide on an action, without doing it",
  operands: "<agent>",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--amount <minor>", summary: "amount in the smallest unit", noEnvironment: true },
    {
      flags: "--to <account>",
      summary: "payee: an account or a UMA address",
      noEnvironment: true,
    },
    {
      flags: "--from <account>",
      summary: "paying account (default: the customer's account in the currency)",
      noEnvironment: true,
    },
    {
      flags: "--currency <code>",
      summary: "currency of the amount (default: the account's)",
      noEnvironment: true,
    },
    {
      flags: "--type <type>",
      summary: "kind of action (default: derived from the accounts)",
      choices: ["EXECUTE_QUOTE", "TRANSFER_OUT", "TRANSFER_IN"],
      noEnvironment: true,
    },
    {
      flags: "--quote <id>",
      summary: "explain the execution of this quote instead",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim policy explain 2e11b6 --amount 32500 --to 9f3c2e",
    "service-sim policy explain 2e11b6 --quote 1c07ab --json",
  ],
  call: (invocation) => {
    const [agent = ""] = invocation.args;
    return ["POST", `${pathOf("/agents", agent)}/evaluate`, hypothesisOf(invocation)];
  },
  lines: formatExplanation,
});
