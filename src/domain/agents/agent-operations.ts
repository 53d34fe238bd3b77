import type { AgentPermission } from "../../contract/agents/agents.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import { defined } from "../../contract/core/defined.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { requirePayeeRoom } from "../payments/outgoing-payments.ts";
import {
  type PayableQuote,
  payableQuote,
  requireExecutable,
  requireFunds,
  startQuote,
} from "../payments/quote-execution.ts";
import type { Parties } from "../payments/quote-parties.ts";
import { quoteByPath } from "../payments/quotes.ts";
import { requireSize, requireVolume } from "../payments/transaction-limits.ts";
import {
  requireAmount,
  requireRoomFor,
  startTransferIn,
  startTransferOut,
  transferInEnds,
  transferOutEnds,
} from "../payments/transfers.ts";
import type { AgentRecord, AgentRequest } from "../records/agent-records.ts";
import type { QuoteRecord } from "../records/records.ts";
import type { TouchedAccounts } from "./agent-policy.ts";

/** The permission that each type of action needs. */
export const ACTION_PERMISSIONS: Record<AgentRequest["type"], AgentPermission> = {
  EXECUTE_QUOTE: "EXECUTE_QUOTES",
  TRANSFER_IN: "CREATE_TRANSFERS",
  TRANSFER_OUT: "CREATE_TRANSFERS",
};

/** An action with its quote or accounts looked up and checked once, for the policy and for doing. */
export interface ResolvedAction {
  request: AgentRequest;
  amount: { minor: number; currency: CurrencyCode };
  accounts: TouchedAccounts;
  /** Refuses an action that is not possible at this moment, except for too little money. */
  requirePossible(view: View, moment: Pick<Moment, "atMs">): void;
  /** Refuses too little money, else does the action. @returns the id of the transaction */
  perform(draft: Draft, by: { agentId: string; moment: Moment }): string;
}

/** Refuses an account of another owner as unknown (spec/agents.md#scope). */
export const requireVisible = (
  view: View,
  { customerId }: AgentRecord,
  { field, value }: { field: string; value: string },
) => {
  const account = view.get("InternalAccount", value) ?? view.get("ExternalAccount", value);
  if (account?.customerId !== customerId) refuse("ACCOUNT_NOT_FOUND", { field, value });
};

/** A quote of an agent; one that it did not ask for is unknown to it. */
export const quoteOfAgent = (view: View, agentId: string, quoteId: string): QuoteRecord => {
  const quote = quoteByPath(view, quoteId);
  return quote.agentId === agentId
    ? quote
    : refuse("QUOTE_NOT_FOUND", { id: quoteId, resource: "Quote" });
};

/**
 * The customer's internal accounts at both ends of a quote (spec/agent-policy.md#touched-accounts).
 */
export const accountsOf = ({ payer, payee }: Parties, customerId: string): TouchedAccounts => {
  const own = [payer.internal, payee.internal].filter((one) => one?.customerId === customerId);
  const ids = own.flatMap((one) => one?.id ?? []);
  return { ids, ruling: ids[0] };
};

const amountOf = ({ sendingCurrency: currency, totalSendingMinor: amountMinor }: QuoteRecord) => ({
  currency,
  amountMinor,
});

/** The execution of a quote by an agent. */
export const quoteExecution = (
  payable: PayableQuote,
  { customerId }: AgentRecord,
): ResolvedAction => {
  const { quote, transaction, parties } = payable;
  return {
    request: { type: "EXECUTE_QUOTE", quoteId: quote.id },
    amount: { minor: quote.totalSendingMinor, currency: quote.sendingCurrency },
    accounts: accountsOf(parties, customerId),
    requirePossible: (view, moment) => {
      requireExecutable(quote);
      requirePayeeRoom(view, transaction);
      requireVolume(view, amountOf(quote), moment);
    },
    perform: (draft, { moment }) => {
      requireFunds(draft, parties, quote.totalSendingMinor);
      return startQuote(draft, payable, moment).id;
    },
  };
};

const TRANSFERS = {
  TRANSFER_IN: { endsOf: transferInEnds, start: startTransferIn },
  TRANSFER_OUT: { endsOf: transferOutEnds, start: startTransferOut },
} as const;

/** A transfer as an agent asks for it. */
interface TransferCall {
  type: keyof typeof TRANSFERS;
  source: { accountId: string };
  destination: { accountId: string; paymentRail?: PaymentRail | undefined };
  amountMinor: number;
}

/** A transfer by an agent; accounts of other customers are unknown to it. */
export const agentTransferAction = (
  view: View,
  { type, source, destination, amountMinor }: TransferCall,
  agent: AgentRecord,
): ResolvedAction => {
  requireVisible(view, agent, { field: "source.accountId", value: source.accountId });
  requireVisible(view, agent, { field: "destination.accountId", value: destination.accountId });
  const ends = TRANSFERS[type].endsOf(view, { source, destination });
  const { paymentRail } = destination;
  const { id, currency } = ends.internal;
  return {
    request: {
      type,
      sourceAccountId: source.accountId,
      destinationAccountId: destination.accountId,
      amountMinor,
      currency,
      ...defined({ paymentRail }),
    },
    amount: { minor: amountMinor, currency },
    accounts: { ids: [id], ruling: id },
    requirePossible: (now, moment) => {
      requireAmount(amountMinor);
      if (type === "TRANSFER_IN") return requireRoomFor(now, ends, amountMinor);
      requireSize(now, { currency, amountMinor, field: "amount" });
      requireVolume(now, { currency, amountMinor }, moment);
    },
    perform: (draft, { agentId, moment }) =>
      TRANSFERS[type].start(
        draft,
        { ends, amountMinor, agentId, ...defined({ paymentRail }) },
        moment,
      ).id,
  };
};

/** The action that a stored request asks for; refuses quotes and accounts that do not fit now. */
export const resolveAction = (
  view: View,
  request: AgentRequest,
  agent: AgentRecord,
): ResolvedAction => {
  if (request.type === "EXECUTE_QUOTE") {
    const quote = quoteOfAgent(view, agent.id, request.quoteId);
    return quoteExecution(payableQuote(view, quote), agent);
  }
  const { type, sourceAccountId, destinationAccountId, amountMinor, paymentRail } = request;
  const source = { accountId: sourceAccountId };
  const destination = { accountId: destinationAccountId, ...defined({ paymentRail }) };
  return agentTransferAction(view, { type, source, destination, amountMinor }, agent);
};
