import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import type { AgentPermission } from "../../contract/agents/agents.ts";
import type { Quote, QuoteInput } from "../../contract/payments/quotes.ts";
import {
  type Draft,
  find,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { exactSendingMinor } from "../money/quote-arithmetic.ts";
import {
  bookQuote,
  planQuote,
  type QuotePlan,
  requireQuotable,
} from "../payments/quote-creation.ts";
import {
  type PayableQuote,
  payableQuote,
  paymentSigningRequest,
} from "../payments/quote-execution.ts";
import { quoteByPath, showQuote } from "../payments/quotes.ts";
import type { AgentRecord } from "../records/agent-records.ts";
import type { QuoteRecord } from "../records/records.ts";
import type { SignedCall } from "../wallets/signed-operations.ts";
import { requireWalletSignature } from "../wallets/wallet-signatures.ts";
import { callingAgent, judged, requirePermitted } from "./agent-access.ts";
import { isWaiting, showAction } from "./agent-actions.ts";
import { accountsOf, quoteExecution, quoteOfAgent, requireVisible } from "./agent-operations.ts";
import { type JudgedAction, judgeAction, requireNotDenied } from "./agent-policy.ts";
import { submitAction } from "./agent-submissions.ts";

const needsOf = ({ immediatelyExecute }: QuoteInput): AgentPermission[] =>
  immediatelyExecute ? ["CREATE_QUOTES", "EXECUTE_QUOTES"] : ["CREATE_QUOTES"];

/**
 * The request for the agent's own customer: accounts of others are unknown, and just-in-time
 * funding is for the agent's customer (spec/agent-actions.md#quote-creation).
 */
const ownRequest = (view: View, body: QuoteInput, agent: AgentRecord): QuoteInput => {
  const { source, destination } = body;
  if (source.sourceType === "ACCOUNT")
    requireVisible(view, agent, { field: "source.accountId", value: source.accountId });
  if (source.customerId !== undefined && source.customerId !== agent.customerId)
    refuse("USER_NOT_FOUND_IN_BODY", { field: "source.customerId", value: source.customerId });
  if (destination.destinationType === "ACCOUNT")
    requireVisible(view, agent, { field: "destination.accountId", value: destination.accountId });
  return source.sourceType === "ACCOUNT"
    ? body
    : { ...body, source: { ...source, customerId: agent.customerId } };
};

/**
 * Checks limits at creation only for immediate execution (spec/agent-actions.md#quote-check-order).
 */
const requireWithinPolicy = (
  view: View,
  { agent, body, plan }: { agent: AgentRecord; body: QuoteInput; plan: QuotePlan },
  moment: Moment,
) => {
  const who = judged(view, agent, moment);
  const { payer, terms } = plan;
  const action: JudgedAction = {
    needs: needsOf(body),
    initiates: true,
    accounts: accountsOf(plan, agent.customerId),
    ...(body.immediatelyExecute && {
      amount: { minor: exactSendingMinor(terms), currency: payer.currency },
    }),
  };
  requireNotDenied(who, action, judgeAction(who, action));
};

interface CreateInput {
  agentId: string;
  body: QuoteInput;
}

/**
 * POST /agents/me/quotes. With `immediatelyExecute` the execution is an action: done at once,
 * waiting, or FAILED for too little money. A denied action keeps no quote
 * (spec/agent-actions.md#immediate-execution).
 */
export const createAgentQuote: Rule<CreateInput, Quote> = (
  draft,
  { agentId, body: input },
  moment,
) => {
  const agent = callingAgent(draft, agentId);
  const action = { needs: needsOf(input), initiates: true };
  requirePermitted(draft, { agent, action }, moment);
  const body = ownRequest(draft, input, agent);
  if (body.platformFeeOverride)
    refuse("INVALID_INPUT", { field: "platformFeeOverride" }, "A fee is the platform's to set");
  const plan = planQuote(draft, body, moment);
  requireWithinPolicy(draft, { agent, body, plan }, moment);
  requireQuotable(draft, { body, plan }, moment);
  const booked = bookQuote(draft, { body, plan, agentId }, moment);
  if (body.immediatelyExecute)
    submitAction(draft, { agent, resolved: quoteExecution(booked, agent) }, moment);
  return showQuote(draft, quoteByPath(draft, booked.quote.id));
};

interface ByPath {
  agentId: string;
  params: { quoteId: string };
}

/** The quote a path names, if this agent asked for it; 404 otherwise. */
export const agentQuoteByPath: Reading<ByPath, QuoteRecord> = (view, { agentId, params }) =>
  quoteOfAgent(view, agentId, params.quoteId);

/** GET /agents/me/quotes/{quoteId}. */
export const getAgentQuote: Reading<ByPath, Quote> = (view, input, moment) =>
  showQuote(view, agentQuoteByPath(view, input, moment));

/** Refuses a quote of another waiting action (spec/agent-actions.md#second-submission). */
const requireUnsubmitted = (view: View, quoteId: string) => {
  const waiting = find(view, "AgentAction", ["byQuote", quoteId]).find(isWaiting);
  if (waiting) refuse("ACTION_PENDING_APPROVAL", { actionId: waiting.id });
};

/**
 * Checks the wallet owner's signature, given once with the agent's call
 * (spec/agent-actions.md#wallet-quotes).
 */
const requireSignature = (
  draft: Draft,
  { payable, call: { signature, find } }: { payable: PayableQuote; call: SignedCall },
  moment: Moment,
) => {
  const request = paymentSigningRequest(payable);
  if (request === "unsigned" || !request.standing) return;
  if (signature === undefined)
    return refuse("QUOTE_SIGNATURE_MISSING", { check: "no Service-Wallet-Signature was sent" });
  const { payloadToSign: payload } = request.standing;
  requireWalletSignature(draft, { signature, payload, asked: request, find }, moment);
};

/** POST /agents/me/quotes/{quoteId}/execute (spec/agent-actions.md#quote-execution). */
export const executeAgentQuote: Rule<ByPath & { call: SignedCall }, AgentAction> = (
  draft,
  { agentId, params, call },
  moment,
) => {
  const agent = callingAgent(draft, agentId);
  const quote = agentQuoteByPath(draft, { agentId, params }, moment);
  const action = { needs: ["EXECUTE_QUOTES"], initiates: true } as const;
  requirePermitted(draft, { agent, action }, moment);
  const payable = payableQuote(draft, quote);
  const submitted = submitAction(
    draft,
    {
      agent,
      resolved: quoteExecution(payable, agent),
      confirm: (view) => {
        requireUnsubmitted(view, quote.id);
        requireSignature(draft, { payable, call }, moment);
      },
    },
    moment,
  );
  return showAction(draft, submitted);
};
