import type { Card, CardPatch } from "../../contract/cards/cards.ts";
import { defined } from "../../contract/core/defined.ts";
import { digestHex } from "../../crypto/digest.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import { type Draft, find, type Moment, type Rule, type View } from "../core/draft.ts";
import { assertInvariant } from "../core/invariant.ts";
import { refuse } from "../core/refusal.ts";
import { cardLifecycle } from "../lifecycles/card.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
import type { CardRecord } from "../records/card-records.ts";
import type { CustomerRecord } from "../records/records.ts";
import { revokeUnboundKeys } from "../wallets/delegated-keys.ts";
import type { SignedCall, SignedOperation } from "../wallets/signed-operations.ts";
import { providerNames } from "../wallets/wallet-activities.ts";
import { accountsNamed, fundingCurrency, noteSources } from "./card-funding.ts";
import { close, moveCard, tell } from "./card-moves.ts";
import { type ByCardPath, cardByPath, showCard, shownState } from "./card-view.ts";

const TRIGGERS = { ACTIVE: "unfreeze", FROZEN: "freeze", CLOSED: "close" } as const;

const requireMove = (view: View, card: CardRecord, wanted: keyof typeof TRIGGERS) => {
  const { id, state } = card;
  if (!findMove(cardLifecycle, state, TRIGGERS[wanted]))
    refuse("INVALID_STATE_TRANSITION", { id, cardState: shownState(view, state), wanted });
};

interface PatchInput extends ByCardPath {
  body: CardPatch;
}

const holderOf = (view: View, { cardholderId }: CardRecord): CustomerRecord => {
  const customer = view.get("Customer", cardholderId);
  assertInvariant(customer !== undefined, "the holder of a card", { cardholderId });
  return customer;
};

/** Finds the card of an update, whose new sources are allowed. */
const cardToChange = (view: View, { params, body }: PatchInput, moment: Moment): CardRecord => {
  const card = cardByPath(view, { params }, moment);
  const { fundingSources } = body;
  const { currency } = card;
  if (fundingSources) {
    const accounts = accountsNamed(view, fundingSources);
    fundingCurrency(view, accounts, { cardholder: holderOf(view, card), currency });
  }
  return card;
};

/** Refuses a new state that the card cannot have, and any change of a closed card. */
const requireChangeable = (view: View, card: CardRecord, { state }: CardPatch) => {
  if (state) requireMove(view, card, state);
  else if (card.state === "CLOSED") refuse("CARD_NOT_MUTABLE", { id: card.id });
};

/**
 * Wallets of the cardholder, whose sessions may sign (spec/cards.md#signature). The wallet that
 * funds the card first is asked, else the oldest one, else the first source.
 */
const signersOf = (view: View, { cardholderId, fundingSources }: CardRecord) => {
  const accounts = find(view, "InternalAccount", ["byOwner", cardholderId]);
  const wallets = accounts.filter(({ type }) => type === "EMBEDDED_WALLET");
  const funding = view.get("InternalAccount", fundingSources[0] ?? "");
  const wallet = wallets.find(({ id }) => id === funding?.id) ?? wallets[0] ?? funding;
  assertInvariant(wallet !== undefined, "an account of a cardholder", { cardholderId });
  return { wallet, wallets: wallets.map(({ id }) => id) };
};

/**
 * PATCH /cards/{id} by signed retry: changes state and sources together (spec/cards.md#update). The
 * state's event comes first, then that of the sources, both with the changed card. An unlisted move
 * is refused on the first call already.
 */
export const patchCard: SignedOperation<PatchInput & { call: SignedCall }, Card> = (
  view,
  input,
  now,
) => {
  const card = cardToChange(view, input, now);
  requireChangeable(view, card, input.body);
  const { wallet, wallets } = signersOf(view, card);
  return {
    toSign: {
      wallet,
      wallets,
      activity: {
        type: "ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2",
        parameters: {
          encoding: "PAYLOAD_ENCODING_HEXADECIMAL",
          hashFunction: "HASH_FUNCTION_NO_OP",
          payload: digestHex(canonicalJson({ cardId: card.id, ...input.body })),
          signWith: providerNames(wallet).signWith,
        },
      },
    },
    apply: (draft, moment) => showCard(draft, changeCard(draft, { card, ...input }, moment)),
  };
};

/** PATCH /cards/{id} at once, without a signature (spec/later-cards.md#updates). */
export const patchUnsigned: Rule<PatchInput, Card> = (draft, input, moment) => {
  const card = cardToChange(draft, input, moment);
  const { id, state } = card;
  if (state === "CLOSED" && input.body.state === "CLOSED") refuse("CARD_ALREADY_CLOSED", { id });
  requireChangeable(draft, card, input.body);
  return showCard(draft, changeCard(draft, { card, ...input }, moment));
};

const changeCard = (
  draft: Draft,
  { card, body }: { card: CardRecord; body: PatchInput["body"] },
  moment: Moment,
): CardRecord => {
  const { state, fundingSources, maxSpendPerTransaction: limit } = body;
  if (state === "CLOSED")
    return close(draft, card, { on: "close", reason: "CLOSED_BY_PLATFORM", moment });
  const { maxSpendMinor: limitBefore, ...unlimited } = card;
  const maxSpendMinor = limit === undefined ? limitBefore : (limit ?? undefined);
  const changed = {
    ...unlimited,
    ...defined({ maxSpendMinor }),
    ...(fundingSources && { fundingSources: [...fundingSources] }),
    updatedAtMs: moment.atMs,
  };
  draft.put("Card", changed);
  const moved = state ? moveCard(draft, changed, { on: TRIGGERS[state], moment }) : changed;
  if (fundingSources) {
    noteSources(draft, fundingSources);
    revokeUnboundKeys(draft, { before: card, after: fundingSources }, moment);
    tell(draft, { card: moved, what: "sources" }, moment);
  }
  return moved;
};

/** POST /_sim/cards/{id}/close: closes a card as the operator does (spec/cards.md#closing). */
export const closeByOperator: Rule<ByCardPath, Card> = (draft, input, moment) => {
  const card = cardByPath(draft, input, moment);
  const { id, state } = card;
  if (!findMove(cardLifecycle, state, "operatorClose"))
    refuse("INVALID_STATE_TRANSITION", {
      id,
      cardState: shownState(draft, state),
      wanted: "CLOSED",
    });
  const reason = "CLOSED_BY_GRID" as const;
  return showCard(draft, close(draft, card, { on: "operatorClose", reason, moment }));
};
