import type { CardRow, CustomerRow } from "../../contract/control/feed-rows.ts";
import { defined } from "../../contract/core/defined.ts";
import { shownState } from "../../domain/cards/card-view.ts";
import { find, instant } from "../../domain/core/draft.ts";
import type { Change } from "../../runtime/change.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { factsOf } from "../why/why-facts.ts";

const balancesOf = (state: WorldState, customerId: string) => {
  const sums = new Map<string, bigint>();
  for (const { id, currency } of find(state, "InternalAccount", ["byOwner", customerId]))
    sums.set(currency, (sums.get(currency) ?? 0n) + state.balanceMinor(id, currency));
  return [...sums]
    .filter(([, minor]) => minor !== 0n)
    .map(([currency, minor]) => ({ amount: Number(minor), currency }));
};

/** A customer as watchers see it. */
export const customerRow = (state: WorldState, id: string): CustomerRow | undefined => {
  const customer = state.get("Customer", id);
  if (!customer) return undefined;
  const { name, status } = factsOf(state, id);
  return {
    id,
    version: state.seq,
    ...defined({ name, status }),
    type: customer.customerType,
    platformCustomerId: customer.platformCustomerId,
    createdAt: instant(customer.createdAtMs),
    balances: balancesOf(state, id),
  };
};

const fundingOf = (state: WorldState, accountId = "") => {
  const account = state.get("InternalAccount", accountId);
  if (!account) return undefined;
  const { id, currency } = account;
  return { id, amount: Number(state.balanceMinor(id, currency)), currency };
};

/** A card as watchers see it. */
export const cardRow = (state: WorldState, id: string): CardRow | undefined => {
  const card = state.get("Card", id);
  if (!card) return undefined;
  const { cardholderId, fundingSources } = card;
  const { name } = factsOf(state, cardholderId);
  return {
    id,
    version: state.seq,
    state: shownState(state, card.state),
    ...defined({ reason: card.stateReason, lastFour: card.provisioned?.last4 }),
    holder: { id: cardholderId, ...defined({ name }) },
    ...defined({ account: fundingOf(state, fundingSources[0]) }),
    accountCount: fundingSources.length,
    createdAt: instant(card.createdAtMs),
  };
};

/** The customers and cards whose rows a change may alter: a row shows names and balances too. */
export const holdersIn = (state: WorldState, { put = [], post = [] }: Change) => {
  const accounts = new Set(post.map(([account]) => account));
  const owners = [...accounts].flatMap((id) => state.get("InternalAccount", id)?.customerId ?? []);
  const written = put.flatMap(([kind, { id }]) => (kind === "Customer" ? [id] : []));
  const cards = [
    ...put.flatMap(([kind, { id }]) => (kind === "Card" ? [id] : [])),
    ...[...accounts].flatMap((id) => state.ids("Card", "byAccount", id).slice()),
    ...written.flatMap((id) => state.ids("Card", "byCardholder", id).slice()),
  ];
  return { customers: [...new Set([...written, ...owners])], cards: [...new Set(cards)] };
};
