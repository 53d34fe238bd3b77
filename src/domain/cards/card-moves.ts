import type { CardStateReason } from "../../contract/cards/card-states.ts";
import type { Draft, Moment } from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { clearTimer } from "../core/schedule.ts";
import { settingsInForce } from "../core/world-settings.ts";
import { type CardTrigger, cardLifecycle } from "../lifecycles/card.ts";
import { moveOf } from "../lifecycles/lifecycle.ts";
import type { CardRecord } from "../records/card-records.ts";
import { revokeUnboundKeys } from "../wallets/delegated-keys.ts";
import { endOpenTransactions } from "./card-closing.ts";
import { showCard } from "./card-view.ts";

/** Event names in both spellings, for `--card-events` (spec/events.md#card-event-spelling). */
const EVENT_NAMES = {
  lower: { state: "card.state_change", sources: "card.funding_source_change" },
  upper: { state: "CARD.STATE_CHANGE", sources: "CARD.FUNDING_SOURCE_CHANGE" },
} as const;

/** Tells of a change of a card, with the spelling that is in force. */
export const tell = (
  draft: Draft,
  { card, what }: { card: CardRecord; what: "state" | "sources" },
  moment: Moment,
) => {
  const { cardEvents } = settingsInForce(draft);
  emit(draft, moment, { type: EVENT_NAMES[cardEvents][what], data: showCard(draft, card) });
};

/** Moves a card along its lifecycle and tells of it. */
export const moveCard = (
  draft: Draft,
  card: CardRecord,
  { on, moment, set = {} }: { on: CardTrigger; moment: Moment; set?: Partial<CardRecord> },
): CardRecord => {
  const move = moveOf(cardLifecycle, card.state, on);
  const moved = { ...card, ...set, state: move.to, updatedAtMs: moment.atMs };
  draft.put("Card", moved);
  if (move.emits) tell(draft, { card: moved, what: "state" }, moment);
  return moved;
};

/** Closes a card: ends its open transactions and empties its sources (spec/cards.md#closing). */
export const close = (
  draft: Draft,
  card: CardRecord,
  {
    on,
    reason,
    moment,
  }: { on: "close" | "operatorClose"; reason: CardStateReason; moment: Moment },
): CardRecord => {
  endOpenTransactions(draft, card.id, moment);
  for (const name of ["card.activate", "card.reject"] as const) clearTimer(draft, name, card.id);
  const [lastSource = ""] = card.fundingSources;
  const set = { stateReason: reason, fundingSources: [], lastSource };
  revokeUnboundKeys(draft, { before: card, after: [] }, moment);
  return moveCard(draft, card, { on, moment, set });
};
