import { RECORD_KINDS, type RecordKind } from "../contract/control/record-kinds.ts";
import {
  RecordList,
  type RecordRow,
  RecordsQuery,
  WholeRecord,
} from "../contract/control/records.ts";
import type { JsonValue, MinorAmount } from "../contract/control/values.ts";
import { defined } from "../contract/core/defined.ts";
import { PAGE_LIMIT } from "../contract/core/lists.ts";
import { showInternalAccount } from "../domain/accounts/internal-accounts.ts";
import { showExternalAccount } from "../domain/accounts/shown-external-accounts.ts";
import { showAction } from "../domain/agents/agent-actions.ts";
import { showAgent } from "../domain/agents/agents.ts";
import { showCardTransaction } from "../domain/cards/card-transaction-view.ts";
import { showCard } from "../domain/cards/card-view.ts";
import { instant, type View } from "../domain/core/draft.ts";
import { refuse } from "../domain/core/refusal.ts";
import { showCustomer } from "../domain/customers/customer-view.ts";
import { showQuote } from "../domain/payments/quotes.ts";
import { showTransaction } from "../domain/payments/transactions.ts";
import { primaryIdentifier } from "../domain/records/primary-identifier.ts";
import type { Records } from "../domain/records/records.ts";
import type { WorldState } from "../runtime/world-state.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { findPresentId } from "./core/present-ids.ts";
import { factsOf } from "./why/why-facts.ts";

/** A record of each kind as the platform shows it. */
const SHOWN: {
  [K in RecordKind]: (view: View, record: Records[K], atMs: number) => unknown;
} = {
  Customer: showCustomer,
  InternalAccount: showInternalAccount,
  ExternalAccount: showExternalAccount,
  Quote: showQuote,
  Transaction: showTransaction,
  Card: showCard,
  CardTransaction: showCardTransaction,
  Agent: (_view, record, atMs) => showAgent(record, { atMs }),
  AgentAction: showAction,
};

/** The record that one of each kind belongs to. */
const ownerOf = (state: WorldState, kind: RecordKind, id: string): string | undefined => {
  if (kind === "InternalAccount") return state.get("InternalAccount", id)?.customerId;
  if (kind === "ExternalAccount") return state.get("ExternalAccount", id)?.customerId;
  if (kind === "Card") return state.get("Card", id)?.cardholderId;
  if (kind === "CardTransaction") return state.get("CardTransaction", id)?.cardId;
  if (kind === "Agent") return state.get("Agent", id)?.customerId;
  if (kind === "AgentAction") return state.get("AgentAction", id)?.agentId;
  const payment = state.get("Transaction", id);
  return payment?.type === "OUTGOING" ? payment.quoteId : undefined;
};

/** Words that a person knows a record by: its own name, or its number and its owner's name. */
const nameOf = (state: WorldState, kind: RecordKind, id: string): string | undefined => {
  const { name, payee } = factsOf(state, id);
  if (name !== undefined) return name;
  if (payee) return payee.name ?? payee.identifier;
  const purchase = state.get("CardTransaction", id);
  if (purchase) return purchase.merchant.descriptor;
  const owner = ownerOf(state, kind, id);
  const ownerName = owner === undefined ? undefined : factsOf(state, owner).name;
  const card = state.get("Card", id);
  if (card)
    return [ownerName, card.provisioned && `card …${card.provisioned.last4}`]
      .filter(Boolean)
      .join(", ");
  const external = state.get("ExternalAccount", id);
  if (!external) return ownerName;
  const { field, value } = primaryIdentifier(external.accountInfo);
  const { fullName, legalName } = (external.accountInfo.beneficiary ?? {}) as {
    fullName?: string;
    legalName?: string;
  };
  const number = `${field} …${value.slice(-4)}`;
  return [fullName ?? legalName ?? ownerName, number].filter(Boolean).join(", ");
};

/** The amount of a payment or a purchase, as its payer meets it. */
const amountOf = (state: WorldState, id: string): MinorAmount | undefined => {
  const purchase = state.get("CardTransaction", id);
  if (purchase) return { amount: purchase.authorizedMinor, currency: purchase.currency };
  const { sends, receives } = factsOf(state, id);
  return sends ?? receives;
};

const rowOf = (state: WorldState, kind: RecordKind, id: string): RecordRow[] => {
  const record = state.get(kind, id);
  if (!record) return [];
  const { status, type, balance } = factsOf(state, id);
  const { createdAtMs } = record as { createdAtMs?: number };
  const row = defined({
    name: nameOf(state, kind, id),
    status,
    type,
    balance,
    amount: amountOf(state, id),
    owner: ownerOf(state, kind, id),
  });
  return [
    { id, kind, ...row, ...(createdAtMs !== undefined && { createdAt: instant(createdAtMs) }) },
  ];
};

const isSought = ({ id, name = "" }: RecordRow, q: string) =>
  id.toLowerCase().includes(q) || name.toLowerCase().includes(q);

/** Ids of a kind, or of all kinds one kind after the other, the newest first. */
const idsOf = (state: WorldState, kinds: readonly RecordKind[]) =>
  kinds.flatMap((kind) =>
    state
      .ids(kind, "all", "")
      .slice()
      .reverse()
      .map((id) => ({ kind, id })),
  );

const listOf = (
  state: WorldState,
  query: { kind?: RecordKind; type?: string; q?: string; cursor?: string; limit?: number },
): RecordList => {
  const { kind, type, q = "", cursor, limit = PAGE_LIMIT.default } = query;
  const ids = idsOf(state, kind === undefined ? RECORD_KINDS : [kind]);
  const after = cursor === undefined ? -1 : ids.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && after < 0)
    refuse("INVALID_INPUT", { field: "cursor", value: cursor });
  const rows: RecordRow[] = [];
  const sought = q.trim().toLowerCase();
  let hasMore = false;
  for (const entry of ids.slice(after + 1)) {
    const matches = rowOf(state, entry.kind, entry.id).filter(
      (row) => isSought(row, sought) && (type === undefined || row.type === type),
    );
    if (matches.length === 0) continue;
    if (rows.length === limit) {
      hasMore = true;
      break;
    }
    rows.push(...matches);
  }
  return {
    data: rows,
    hasMore,
    ...(hasMore && { nextCursor: rows.at(-1)?.id ?? "" }),
    counts: Object.fromEntries(
      RECORD_KINDS.map((recordKind) => [recordKind, state.count(recordKind)]),
    ),
  };
};

const isKind = (kind: string): kind is RecordKind =>
  (RECORD_KINDS as readonly string[]).includes(kind);

/** Records that belong to one, by the indexes that name it. */
const belongingTo = (state: WorldState, kind: RecordKind, id: string): RecordRow[] => {
  const rows = (of: RecordKind, ids: Iterable<string>) =>
    [...ids].reverse().flatMap((recordId) => rowOf(state, of, recordId));
  if (kind === "Customer")
    return [
      ...rows("InternalAccount", state.ids("InternalAccount", "byOwner", id).slice()),
      ...rows("ExternalAccount", state.ids("ExternalAccount", "byOwner", id).slice()),
      ...rows("Card", state.ids("Card", "byCardholder", id).slice()),
      ...rows("Agent", state.ids("Agent", "byCustomer", id).slice()),
    ];
  if (kind === "InternalAccount") return rows("Card", state.ids("Card", "byAccount", id).slice());
  if (kind === "Card")
    return [
      ...rows("InternalAccount", state.get("Card", id)?.fundingSources ?? []),
      ...rows("CardTransaction", state.ids("CardTransaction", "byCard", id).slice()),
    ];
  if (kind === "Agent") return rows("AgentAction", state.ids("AgentAction", "byAgent", id).slice());
  const payment = kind === "Quote" ? state.get("Quote", id)?.transactionId : undefined;
  return payment === undefined ? [] : rows("Transaction", [payment]);
};

const relatedTo = (state: WorldState, kind: RecordKind, id: string) => {
  const owner = ownerOf(state, kind, id);
  const ownerKind = owner?.split(":")[0] ?? "";
  return [
    ...(owner !== undefined && isKind(ownerKind) ? rowOf(state, ownerKind, owner) : []),
    ...belongingTo(state, kind, id),
  ];
};

const shown = <K extends RecordKind>(
  state: WorldState,
  { kind, id }: { kind: K; id: string },
  atMs: number,
) => {
  const record = state.get(kind, id) as Records[K];
  return JSON.parse(JSON.stringify(SHOWN[kind](state, record, atMs))) as JsonValue;
};

/** Records as a person browses them, without credentials (spec/console.md#records). */
export const recordEndpoints = [
  endpoint({
    operationId: "records",
    summary:
      "Customers, accounts, payments, cards and agents, newest first; q is part of a name or id",
    method: "GET",
    path: "/records",
    query: RecordsQuery,
    replies: [200, RecordList],
    refuses: [],
    handle: ({ query }, call, { engine }) =>
      call.read(() => listOf(engine.state, defined(query)), undefined),
  }),
  endpoint({
    operationId: "record",
    summary: "One record as in the API's response, and its related records",
    method: "GET",
    path: "/records/{recordId}",
    replies: [200, WholeRecord],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { recordId } }, call, world) =>
      call.read((): WholeRecord => {
        const { state, clock } = world.engine;
        const id = findPresentId(world, recordId, RECORD_KINDS);
        const kind = RECORD_KINDS.find((name) => state.get(name, id) !== undefined);
        const [row] = kind ? rowOf(state, kind, id) : [];
        if (!kind || !row) return refuse("ID_NOT_FOUND", { id });
        const { createdAt: _createdAt, amount: _amount, ...rest } = row;
        return {
          ...rest,
          record: shown(state, { kind, id }, clock.now()),
          related: relatedTo(state, kind, id),
        };
      }, undefined),
  }),
];
