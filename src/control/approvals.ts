import { type AgentAction, RejectActionInput } from "../contract/agents/agent-actions.ts";
import { Decided, type WaitingAction, WaitingActions } from "../contract/control/approvals.ts";
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
import type { Call } from "../http/door/call.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findPresentId } from "./core/present-ids.ts";
import { waitUntil } from "./core/wait-until.ts";
import type { World } from "./core/world.ts";
import { actionFacts } from "./why/action-facts.ts";

/** Longest wait for the consequences of a decision, on the system clock: receivers may be slow. */
const SETTLE_MS = 2000;

const showWaiting = ({ engine }: World, view: View, record: AgentActionRecord): WaitingAction => {
  const { id, agentId } = record;
  const { because, ...facts } = actionFacts(engine.state, record);
  const waitsMs = engine.clock.now() - record.createdAtMs;
  return { id, agentId, ...facts, waitsMs, because, action: showAction(view, record) };
};

/** Internal accounts whose balance a decision may change, with their balances. */
const balancesOf = ({ engine: { state } }: World, { request }: AgentActionRecord) => {
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

/** Deliveries about some records that came after another one, oldest first. */
const deliveriesSince = (
  { engine: { state } }: World,
  last: string,
  about: readonly (string | undefined)[],
): DeliveryRecord[] => {
  const ids = state.ids("Delivery", "all", "");
  return ids
    .slice(positionAfter(ids, last))
    .map((id) => state.get("Delivery", id) as DeliveryRecord)
    .filter((delivery) => about.includes(delivery.about));
};

/** Tests that each was attempted or has ended: nothing more happens by itself. */
const isQuiet = (deliveries: readonly DeliveryRecord[]) =>
  deliveries.every(
    (delivery) => delivery.attemptCount > 0 || !isOpen(delivery) || delivery.trouble !== undefined,
  );

const hasTimerNow = ({ engine: { state, clock } }: World, subject: string | undefined) =>
  subject !== undefined &&
  find(state, "Timer", ["bySubject", subject]).some(({ dueAtMs }) => dueAtMs <= clock.now());

const pathOf = ({ engine: { state } }: World, id: string) => {
  const statuses = state.history.of(id).map(({ status }) => status ?? "");
  return statuses.filter((status, at) => status !== statuses[at - 1]);
};

/** Decides, waits for the consequences, and reports them. */
const decide = async (
  world: World,
  call: Call,
  { text, how }: { text: string; how: (action: AgentActionRecord) => AgentAction },
): Promise<Decided> => {
  const { state } = world.engine;
  const actionId = findPresentId(world, text, ["AgentAction"]);
  const action = state.get("AgentAction", actionId) ?? refuse("ID_NOT_FOUND", { id: text });
  const before = balancesOf(world, action);
  const last = state.ids("Delivery", "all", "").at(-1) ?? "";
  how(action);
  call.finish();
  const transactionId = () => state.get("AgentAction", actionId)?.transactionId;
  const sent = () =>
    deliveriesSince(world, last, [
      actionId,
      transactionId(),
      ...before.map(({ accountId }) => accountId),
    ]);
  await waitUntil(world, {
    holds: () => call.isOvertaken || (!hasTimerNow(world, transactionId()) && isQuiet(sent())),
    touches: () => true,
    timeoutMs: SETTLE_MS,
  });
  call.requireSameWorld();
  call.sawEverything();
  const record = state.get("AgentAction", actionId) ?? action;
  const transaction = state.get("Transaction", record.transactionId ?? "");
  return {
    action: showAction(state, record),
    ...(record.failedBecause && { because: record.failedBecause }),
    ...(transaction && {
      transaction: {
        id: transaction.id,
        status: transaction.status,
        path: pathOf(world, transaction.id),
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
export const approvalEndpoints = [
  endpoint({
    operationId: "approvals",
    summary: "Actions of agents that wait for a decision, newest first",
    method: "GET",
    path: "/approvals",
    query: PageQuery,
    replies: [200, WaitingActions],
    refuses: [],
    handle: ({ query }, { read }, world) =>
      read(
        (view): WaitingActions => ({
          ...page<"AgentAction", WaitingAction>(view, {
            kind: "AgentAction",
            input: { query },
            indexed: [["byStatus", "PENDING_APPROVAL"]],
            show: (_view, record) => showWaiting(world, view, record),
          }),
          mode: approvalMode(view),
        }),
        undefined,
      ),
  }),
  endpoint({
    operationId: "approveWaitingAction",
    summary: "Approve an action and return its effects; a short id is enough",
    method: "POST",
    path: "/approvals/{actionId}/approve",
    replies: [200, Decided],
    refuses: DECISION_REFUSALS,
    handle: ({ params: { actionId } }, call, world) =>
      decide(world, call, {
        text: actionId,
        how: (action) => call.commit(approveAction, { params: paramsOf(action) }),
      }),
  }),
  endpoint({
    operationId: "rejectWaitingAction",
    summary: "Reject an action; a short id is enough",
    method: "POST",
    path: "/approvals/{actionId}/reject",
    body: RejectActionInput,
    replies: [200, Decided],
    refuses: DECISION_REFUSALS,
    handle: ({ params: { actionId }, body }, call, world) =>
      decide(world, call, {
        text: actionId,
        how: (action) => call.commit(rejectAction, { params: paramsOf(action), body }),
      }),
  }),
];
