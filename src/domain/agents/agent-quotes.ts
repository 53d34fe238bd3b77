import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import type { AgentPermission } from "../../contract/agents/agents.ts";
import type { Quote, QuoteInput } from "../../contract/payments/quotes.ts";
import { find, type Moment, type Reading, type Rule, type View } from "../core/draft.ts";
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
 * The request as the customer's own: accounts of others are unknown, and what is funded just in
 * time is funded for the agent's customer (decisions, Agents).
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

/** Limits are asked where money moves: at creation only of what is executed with it (O-31). */
const requireWithinPolicy = (
  view: View,
  { agent, body, plan }: { agent: AgentRecord; body: QuoteInput; plan: QuotePlan },
  moment: Moment,
) => {
  const who = judged(view, agent, moment);
  const { payer, terms } = plan;
  const asked: JudgedAction = {
    needs: needsOf(body),
    initiates: true,
    accounts: accountsOf(plan, agent.customerId),
    ...(body.immediatelyExecute && {
      amount: { minor: exactSendingMinor(terms), currency: payer.currency },
    }),
  };
  requireNotDenied(who, asked, judgeAction(who, asked));
};

interface CreateInput {
  agentId: string;
  body: QuoteInput;
}

/**
 * POST /agents/me/quotes (platform digest 4.1). With `immediatelyExecute` its execution is an
 * action: done at once, waiting, FAILED for too little money; where the policy denies it no quote
 * is kept (O-30).
 */
export const createAgentQuote: Rule<CreateInput, Quote> = (
  draft,
  { agentId, body: given },
  moment,
) => {
  const agent = callingAgent(draft, agentId);
  const action = { needs: needsOf(given), initiates: true };
  requirePermitted(draft, { agent, action }, moment);
  const body = ownRequest(draft, given, agent);
  const plan = planQuote(draft, body, moment);
  requireWithinPolicy(draft, { agent, body, plan }, moment);
  requireQuotable(body, plan);
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

/** Refuses a quote that another action would execute when it is approved (platform O-33). */
const requireUnsubmitted = (view: View, quoteId: string) => {
  const waiting = find(view, "AgentAction", ["byQuote", quoteId]).find(isWaiting);
  if (waiting) refuse("ACTION_PENDING_APPROVAL", { actionId: waiting.id });
};

/** A wallet's owner signs once, when the agent asks (decisions, Wallet quotes). */
const requireSignature = (
  view: View,
  { payable, signature }: { payable: PayableQuote; signature: string | undefined },
  moment: Moment,
) => {
  const asked = paymentSigningRequest(payable);
  if (asked === "unsigned" || !asked.standing) return;
  if (signature === undefined)
    return refuse("QUOTE_SIGNATURE_MISSING", { check: "no Service-Wallet-Signature was sent" });
  const { payloadToSign: payload } = asked.standing;
  requireWalletSignature(view, { signature, payload, asked }, moment);
};

/** POST /agents/me/quotes/{quoteId}/execute (platform digest 4.2). */
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
        requireSignature(view, { payable, signature: call.signature }, moment);
      },
    },
    moment,
  );
  return showAction(draft, submitted);
};
