import * as z from "zod";
import { type AgentAction, RejectActionInput } from "../contract/agents/agent-actions.ts";
import { PageQuery } from "../contract/core/lists.ts";
import { showAction } from "../domain/agents/agent-actions.ts";
import { approveAction, rejectAction } from "../domain/agents/agent-approvals.ts";
import { approvalMode } from "../domain/agents/approval-mode.ts";
import { find, type View } from "../domain/core/draft.ts";
import { positionAfter } from "../domain/core/ids.ts";
import { page } from "../domain/core/lists.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { AgentActionRecord } from "../domain/records/agent-records.ts";
import type { DeliveryRecord } from "../domain/records/records.ts";
import { isOpen } from "../domain/records/tables.ts";
import { showDelivery } from "../domain/webhooks/deliveries.ts";
import type { Call } from "../http/call.ts";
import { endpoint } from "../http/endpoint.ts";
import { findId } from "./core/find-id.ts";
import { waitUntil } from "./core/wait-until.ts";
import type { WorldControl } from "./core/world-control.ts";
import { becauseOfAction } from "./why/action-because.ts";
import { factsOf } from "./why/why-facts.ts";

/** An action that waits, as a list of them shows it. */
export interface WaitingAction {
  id: string;
  agentId: string;
  agentName: string;
  type: string;
  status: string;
  /** Minor units. */
  amount: number;
  currency: string;
  to: { id: string; name?: string };
  /** Since when it waits, simulated milliseconds. */
  waitsMs: number;
  /** The row of the policy that has it wait. */
  because: { rule: string; limit?: unknown; value?: unknown; currency?: string | undefined };
  action: AgentAction;
}

/** Reply of POST /_sim/approvals/{actionId}/approve and /reject: what came of it. */
export interface Decided {
  action: AgentAction;
  /** Why it failed, where nothing moved. */
  because?: { reason: string; says: string };
  transaction?: { id: string; status: string; path: string[] };
  balances: { accountId: string; currency: string; before: number; after: number }[];
  webhooks: ReturnType<typeof showDelivery>[];
}

const Approvals = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const DecidedReply = z.looseObject({ action: z.looseObject({ id: z.string() }) });

/** How long a decision waits for what it sets off, on the wall clock: receivers may be slow. */
const SETTLE_MS = 2000;

const showWaiting = ({ engine }: WorldControl, view: View, record: AgentActionRecord) => {
  const { id, agentId } = record;
  const { sends, payee } = factsOf(engine.state, id);
  return {
    id,
    agentId,
    agentName: view.get("Agent", agentId)?.name ?? "",
    type: record.request.type,
    status: record.status,
    amount: sends?.amount ?? 0,
    currency: sends?.currency ?? "",
    to: payee ?? { id: "" },
    waitsMs: engine.clock.now() - record.createdAtMs,
    because: becauseOfAction(record),
    action: showAction(view, record),
  } satisfies WaitingAction;
};

/** Internal accounts whose balance a decision may change, with their balances. */
const balancesOf = ({ engine: { state } }: WorldControl, { request }: AgentActionRecord) => {
  const quote = request.type === "EXECUTE_QUOTE" ? state.get("Quote", request.quoteId) : undefined;
  const payment = quote && state.get("Transaction", quote.transactionId);
  const paying = payment?.type === "OUTGOING" ? payment.debitsAccountId : undefined;
  const named =
    request.type === "EXECUTE_QUOTE"
      ? [paying, payment?.creditsAccountId]
      : [request.sourceAccountId, request.destinationAccountId];
  return named.flatMap((accountId = "") => {
    const account = state.get("InternalAccount", accountId);
    if (!account) return [];
    const { currency } = account;
    return [{ accountId, currency, minor: Number(state.balanceMinor(accountId, currency)) }];
  });
};

/** What was sent about some records since a delivery, oldest first. */
const deliveriesSince = (
  { engine: { state } }: WorldControl,
  last: string,
  about: readonly (string | undefined)[],
): DeliveryRecord[] => {
  const ids = state.ids("Delivery", "all", "");
  return ids
    .slice(positionAfter(ids, last))
    .map((id) => state.get("Delivery", id) as DeliveryRecord)
    .filter((one) => about.includes(one.about));
};

/** Whether each was attempted or has ended: nothing more happens by itself. */
const isQuiet = (deliveries: readonly DeliveryRecord[]) =>
  deliveries.every((one) => one.attemptCount > 0 || !isOpen(one));

const hasTimerNow = ({ engine: { state, clock } }: WorldControl, subject: string | undefined) =>
  subject !== undefined &&
  find(state, "Timer", ["bySubject", subject]).some(({ dueAtMs }) => dueAtMs <= clock.now());

const pathOf = ({ engine: { state } }: WorldControl, id: string) => {
  const statuses = state.history.of(id).map(({ status }) => status ?? "");
  return statuses.filter((status, at) => status !== statuses[at - 1]);
};

/** Decides, lets what it sets off happen, and tells what came of it. */
const decide = async (
  control: WorldControl,
  call: Call,
  { text, how }: { text: string; how: (found: AgentActionRecord) => AgentAction },
): Promise<Decided> => {
  const { state } = control.engine;
  const actionId = findId(state, text, ["AgentAction"]);
  const found = state.get("AgentAction", actionId) ?? refuse("ID_NOT_FOUND", { id: text });
  const before = balancesOf(control, found);
  const last = state.ids("Delivery", "all", "").at(-1) ?? "";
  how(found);
  call.finish();
  const transactionId = () => state.get("AgentAction", actionId)?.transactionId;
  const sent = () =>
    deliveriesSince(control, last, [
      actionId,
      transactionId(),
      ...before.map(({ accountId }) => accountId),
    ]);
  await waitUntil(control, {
    holds: () => call.isOvertaken || (!hasTimerNow(control, transactionId()) && isQuiet(sent())),
    touches: () => true,
    timeoutMs: SETTLE_MS,
  });
  call.requireSameWorld();
  call.sawEverything();
  const record = state.get("AgentAction", actionId) ?? found;
  const transaction = state.get("Transaction", record.transactionId ?? "");
  return {
    action: showAction(state, record),
    ...(record.failedBecause && { because: record.failedBecause }),
    ...(transaction && {
      transaction: {
        id: transaction.id,
        status: transaction.status,
        path: pathOf(control, transaction.id),
      },
    }),
    balances: before.map(({ accountId, currency, minor }) => ({
      accountId,
      currency,
      before: minor,
      after: Number(state.balanceMinor(accountId, currency)),
    })),
    webhooks: sent().map(showDelivery),
  };
};

const DECISION_REFUSALS = ["ID_NOT_FOUND", "ID_AMBIGUOUS", "ACTION_ALREADY_DECIDED"] as const;

const paramsOf = ({ agentId, id: actionId }: AgentActionRecord) => ({ agentId, actionId });

/** Actions of agents that wait, and deciding about them in a person's place. */
export const approvalEndpoints = (control: WorldControl) => [
  endpoint({
    operationId: "approvals",
    summary: "Actions of agents that wait for a decision, newest first",
    method: "GET",
    path: "/approvals",
    permission: "none",
    query: PageQuery,
    replies: [200, Approvals],
    refuses: [],
    handle: ({ query }, { read }) =>
      read(
        (view) => ({
          ...page<"AgentAction", WaitingAction>(view, {
            kind: "AgentAction",
            input: { query },
            indexed: [["byStatus", "PENDING_APPROVAL"]],
            show: (_view, record) => showWaiting(control, view, record),
          }),
          mode: approvalMode(view),
        }),
        undefined,
      ),
  }),
  endpoint({
    operationId: "approveWaitingAction",
    summary: "Approve an action and tell what came of it; a short id is enough",
    method: "POST",
    path: "/approvals/{actionId}/approve",
    permission: "none",
    replies: [200, DecidedReply],
    refuses: DECISION_REFUSALS,
    handle: ({ params: { actionId } }, call) =>
      decide(control, call, {
        text: actionId,
        how: (found) => call.commit(approveAction, { params: paramsOf(found) }),
      }),
  }),
  endpoint({
    operationId: "rejectWaitingAction",
    summary: "Reject an action; a short id is enough",
    method: "POST",
    path: "/approvals/{actionId}/reject",
    permission: "none",
    body: RejectActionInput,
    replies: [200, DecidedReply],
    refuses: DECISION_REFUSALS,
    handle: ({ params: { actionId }, body }, call) =>
      decide(control, call, {
        text: actionId,
        how: (found) => call.commit(rejectAction, { params: paramsOf(found), body }),
      }),
  }),
];
