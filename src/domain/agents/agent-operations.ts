import type { AgentPermission } from "../../contract/agents/agents.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { TransferInput } from "../../contract/payments/transfers.ts";
import type { Draft, Moment, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { requirePayeeRoom } from "../payments/outgoing-payments.ts";
import {
  payableQuote,
  requireExecutable,
  requireFunds,
  startQuote,
} from "../payments/quote-execution.ts";
import type { Parties } from "../payments/quote-parties.ts";
import { quoteByPath } from "../payments/quotes.ts";
import {
  requireAmount,
  requireRoomFor,
  type TransferEnds,
  transferIn,
  transferInEnds,
  transferOut,
  transferOutEnds,
} from "../payments/transfers.ts";
import type { AgentRecord, AgentRequest } from "../records/agent-records.ts";
import type { QuoteRecord } from "../records/records.ts";
import type { TouchedAccounts } from "./agent-policy.ts";

type QuoteRequest = Extract<AgentRequest, { type: "EXECUTE_QUOTE" }>;
type TransferRequest = Exclude<AgentRequest, QuoteRequest>;

/** How much an action moves, and which of the customer's accounts it touches. */
export interface Examined {
  amount: { minor: number; currency: CurrencyCode };
  accounts: TouchedAccounts;
}

/** One type of action: what it takes, and the platform's own operation that does it. */
interface AgentOperation<Request extends AgentRequest> {
  needs: AgentPermission;
  /** Refuses what does not fit together: accounts, owners, currencies, readiness. */
  examine(view: View, request: Request, agent: AgentRecord): Examined;
  /** Refuses what cannot be done at this moment, but for too little money. */
  requirePossible(view: View, request: Request): void;
  /** Refuses too little money, else does it. @returns the id of the transaction */
  perform(draft: Draft, request: Request, by: { agentId: string; moment: Moment }): string;
}

/** What is somebody else's is unknown to an agent (decisions, Foreign accounts). */
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

/** The customer's own internal accounts at both ends of a quote (decisions, Pull quotes). */
export const accountsOf = ({ payer, payee }: Parties, customerId: string): TouchedAccounts => {
  const own = [payer.internal, payee.internal].filter((one) => one?.customerId === customerId);
  const ids = own.flatMap((one) => one?.id ?? []);
  return { ids, ruling: ids[0] };
};

const executeQuote: AgentOperation<QuoteRequest> = {
  needs: "EXECUTE_QUOTES",
  examine: (view, { quoteId }, { id, customerId }) => {
    const { quote, parties } = payableQuote(view, quoteOfAgent(view, id, quoteId));
    return {
      amount: { minor: quote.totalSendingMinor, currency: quote.sendingCurrency },
      accounts: accountsOf(parties, customerId),
    };
  },
  requirePossible: (view, { quoteId }) => {
    const { quote, transaction } = payableQuote(view, quoteByPath(view, quoteId));
    requireExecutable(quote);
    requirePayeeRoom(view, transaction);
  },
  perform: (draft, { quoteId }, { moment }) => {
    const payable = payableQuote(draft, quoteByPath(draft, quoteId));
    requireFunds(draft, payable.parties, payable.quote.totalSendingMinor);
    return startQuote(draft, payable, moment).id;
  },
};

const bodyOf = (request: TransferRequest): TransferInput => ({
  source: { accountId: request.sourceAccountId },
  destination: { accountId: request.destinationAccountId },
  amount: request.amountMinor,
});

const TRANSFERS = {
  TRANSFER_IN: { endsOf: transferInEnds, transfer: transferIn },
  TRANSFER_OUT: { endsOf: transferOutEnds, transfer: transferOut },
} as const;

/** Both ends of a transfer that an agent asks for. */
export const transferEnds = (
  view: View,
  { type, body }: { type: keyof typeof TRANSFERS; body: TransferInput },
  agent: AgentRecord,
): TransferEnds => {
  const { source, destination } = body;
  requireVisible(view, agent, { field: "source.accountId", value: source.accountId });
  requireVisible(view, agent, { field: "destination.accountId", value: destination.accountId });
  return TRANSFERS[type].endsOf(view, body);
};

const transferring = (type: keyof typeof TRANSFERS): AgentOperation<TransferRequest> => ({
  needs: "CREATE_TRANSFERS",
  examine: (view, request, agent) => {
    const { internal } = transferEnds(view, { type, body: bodyOf(request) }, agent);
    const { id, currency } = internal;
    return {
      amount: { minor: request.amountMinor, currency },
      accounts: { ids: [id], ruling: id },
    };
  },
  requirePossible: (view, request) => {
    requireAmount(request.amountMinor);
    const ends = TRANSFERS[type].endsOf(view, bodyOf(request));
    if (type === "TRANSFER_IN") requireRoomFor(view, ends, request.amountMinor);
  },
  perform: (draft, request, { agentId, moment }) =>
    TRANSFERS[type].transfer(draft, { body: bodyOf(request), agentId }, moment).id,
});

const OPERATIONS: { [T in AgentRequest["type"]]: AgentOperation<AgentRequest & { type: T }> } = {
  EXECUTE_QUOTE: executeQuote,
  TRANSFER_IN: transferring("TRANSFER_IN") as AgentOperation<never>,
  TRANSFER_OUT: transferring("TRANSFER_OUT") as AgentOperation<never>,
};

/** The operation a request asks for. */
export const operationFor = ({ type }: AgentRequest) =>
  OPERATIONS[type] as AgentOperation<AgentRequest>;
