import type { AgentActionType, PolicyExplanation } from "../../contract/agents/agent-actions.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { find, type Moment, type Reading, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn } from "../core/revision.ts";
import { partiesOf } from "../payments/quote-parties.ts";
import { paymentOfQuote, quoteByPath } from "../payments/quotes.ts";
import type { AgentRecord } from "../records/agent-records.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { judged } from "./agent-access.ts";
import { ACTION_PERMISSIONS, accountsOf, requireVisible } from "./agent-operations.ts";
import { judgeAction, type TouchedAccounts } from "./agent-policy.ts";
import { agentByPath } from "./agents.ts";

/** An action that an agent might ask for; what is not said is taken from what is. */
export interface Hypothesis {
  type?: AgentActionType | undefined;
  quoteId?: string | undefined;
  /** Minor units. */
  amount?: number | undefined;
  currency?: string | undefined;
  source?: { accountId: string } | undefined;
  destination?: { accountId: string } | undefined;
}

/** The same with everything in it that a policy asks about. */
interface EvaluatedAction {
  type: AgentActionType;
  amount: { minor: number; currency: CurrencyCode };
  accounts: TouchedAccounts;
}

const quoteSupposed = (
  view: View,
  quoteId: string,
  { customerId }: AgentRecord,
): EvaluatedAction => {
  const quote = quoteByPath(view, quoteId);
  const payment = paymentOfQuote(view, quote);
  if (payment.customerId !== customerId)
    refuse("QUOTE_NOT_FOUND", { id: quoteId, resource: "Quote" });
  return {
    type: "EXECUTE_QUOTE",
    amount: { minor: quote.totalSendingMinor, currency: quote.sendingCurrency },
    accounts: accountsOf(partiesOf(view, quote, payment), customerId),
  };
};

const accountIn = (
  view: View,
  agent: AgentRecord,
  { field, party }: { field: "source" | "destination"; party: { accountId: string } | undefined },
) => {
  if (!party) return {};
  const { accountId: value } = party;
  requireVisible(view, agent, { field: `${field}.accountId`, value });
  return {
    internal: view.get("InternalAccount", value),
    external: view.get("ExternalAccount", value),
  };
};

type Ends = Record<"source" | "destination", ReturnType<typeof accountIn>>;

/** Without a source, the customer's first account in the currency pays. */
const payingAccount = (view: View, { customerId }: AgentRecord, currency: CurrencyCode) =>
  find(view, "InternalAccount", ["byOwner", customerId]).find((one) => one.currency === currency);

/** The payer's currency: what is not said is read off the accounts, else off the limits. */
const currencyIn = (
  view: View,
  { asked, ends }: { asked: Hypothesis; ends: Ends },
  agent: AgentRecord,
) => {
  const [source, destination] = [ends.source, ends.destination].map(
    ({ internal, external }) => internal ?? external,
  );
  const kept = destination && payingAccount(view, agent, destination.currency)?.currency;
  const { currency: limits } = agent.policy.spendingLimits;
  const code = asked.currency ?? source?.currency ?? kept ?? limits;
  return isCurrencyIn(view, code)
    ? code
    : refuse("INVALID_CURRENCY", { field: "currency", value: code, currency: code });
};

/** A transfer keeps its currency; what changes it, or goes to a UMA address, is a quote. */
const typeIn = (
  { type }: Hypothesis,
  { source, destination }: Ends,
  currency: CurrencyCode,
): AgentActionType => {
  if (type) return type;
  if (source.external) return "TRANSFER_IN";
  return destination.external?.currency === currency ? "TRANSFER_OUT" : "EXECUTE_QUOTE";
};

const supposed = (view: View, asked: Hypothesis, agent: AgentRecord): EvaluatedAction => {
  if (asked.quoteId !== undefined) return quoteSupposed(view, asked.quoteId, agent);
  const { amount: minor } = asked;
  if (minor === undefined)
    return refuse("INVALID_INPUT", { field: "amount" }, "Expected an amount or a quoteId");
  const ends: Ends = {
    source: accountIn(view, agent, { field: "source", party: asked.source }),
    destination: accountIn(view, agent, { field: "destination", party: asked.destination }),
  };
  const currency = currencyIn(view, { asked, ends }, agent);
  const type = typeIn(asked, ends, currency);
  const paying =
    asked.source || type === "TRANSFER_IN" ? undefined : payingAccount(view, agent, currency);
  const touched = [ends.source.internal, paying, ends.destination.internal];
  const ids = touched
    .filter((one): one is InternalAccountRecord => one !== undefined)
    .map(({ id }) => id);
  return { type, amount: { minor, currency }, accounts: { ids, ruling: ids[0] } };
};

/**
 * The decision of an agent's policy about an action that is not done. Refuses accounts that its
 * customer does not have (spec/agent-policy.md#dry-run).
 */
export const evaluateAction: Reading<
  { params: { agentId: string }; body: Hypothesis },
  PolicyExplanation
> = (view, { params, body }, moment: Moment) => {
  const agent = agentByPath(view, { params }, moment);
  const { type, ...known } = supposed(view, body, agent);
  const needs = [ACTION_PERMISSIONS[type]];
  return judgeAction(judged(view, agent, moment), { needs, initiates: true, ...known });
};
