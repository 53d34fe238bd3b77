import { CARD_STATES, type CardState, renamedCardState } from "../../contract/cards/card-states.ts";
import type { Card } from "../../contract/cards/cards.ts";
import { digestHex } from "../../crypto/digest.ts";
import { instant, type Reading, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged, type LaterMembers, shownIn } from "../core/revision.ts";
import type { CardRecord } from "../records/card-records.ts";

/** The name of a state in the world's revision (spec/revisions.md#card-states). */
export const shownState = (view: View, state: CardState) =>
  isChanged(view, "cardProcessing") ? renamedCardState(state) : state;

/** The state with a name of the world's revision. */
export const namedState = (view: View, name: string) =>
  CARD_STATES.find((state) => shownState(view, state) === name);

const PROCESSOR_REF_LENGTH = 8;

/** The processor's name for a card; cards of earlier revisions have one too. */
const processorRefOf = ({ provisioned }: CardRecord) =>
  provisioned && `sim_proc_${digestHex(provisioned.issuerRef).slice(0, PROCESSOR_REF_LENGTH)}`;

const LATER_MEMBERS: LaterMembers<Card, CardRecord> = {
  panEmbedUrl: { since: "cardReveal", value: () => undefined },
  maxSpendPerTransaction: {
    since: "cardLimits",
    value: (_view, { maxSpendMinor }) => maxSpendMinor ?? null,
  },
  processorRef: { since: "cardLimits", value: (_view, card) => processorRefOf(card) },
};

/** Shows a card (spec/cards.md#card). */
export const showCard = (view: View, card: CardRecord): Card => {
  const shown: Card = {
    id: card.id,
    cardholderId: card.cardholderId,
    platformCardId: card.platformCardId,
    state: shownState(view, card.state),
    stateReason: card.stateReason ?? null,
    form: "VIRTUAL",
    ...card.provisioned,
    fundingSources: [...card.fundingSources],
    currency: card.currency,
    createdAt: instant(card.createdAtMs),
    updatedAt: instant(card.updatedAtMs),
  };
  return shownIn(view, shown, [card, LATER_MEMBERS]);
};

/** The limit that a card shows for one payment: one that is not shown does not count. */
export const shownLimit = (view: View, card: CardRecord): number | null | undefined =>
  card.maxSpendMinor === undefined ? undefined : showCard(view, card).maxSpendPerTransaction;

/** Input of a call whose path names a card. */
export interface ByCardPath {
  params: { cardId: string };
}

/** Finds the card that a path names, else 404. */
export const cardByPath: Reading<ByCardPath, CardRecord> = (view, { params: { cardId: id } }) =>
  view.get("Card", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "Card" });
