import {
  CARD_STATES,
  type CardState,
  type CardStateReason,
  renamedCardState,
} from "../../contract/cards/card-states.ts";
import type { Card, CardInput, CardPatch, CardReveal } from "../../contract/cards/cards.ts";
import { digestHex } from "../../crypto/digest.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import {
  type Draft,
  find,
  HEX,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { assertInvariant } from "../core/invariant.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged, type LaterMembers, shownIn } from "../core/revision.ts";
import { clearTimer, setTimer, type TimerEffect } from "../core/schedule.ts";
import { refuseCustomerInBody } from "../core/unknown-customers.ts";
import { settingsInForce } from "../core/world-settings.ts";
import { statusOf } from "../customers/customer-status.ts";
import { type CardTrigger, cardLifecycle } from "../lifecycles/card.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import {
  CARD_ISSUE_OUTCOMES,
  type CardIssueOutcome,
  lastThree,
} from "../outcomes/card-outcomes.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor } from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { CardRecord } from "../records/card-records.ts";
import type { CustomerRecord } from "../records/records.ts";
import { revokeUnboundKeys } from "../wallets/delegated-keys.ts";
import type { SignedCall, SignedOperation } from "../wallets/signed-operations.ts";
import { providerNames } from "../wallets/wallet-activities.ts";
import { endOpenTransactions } from "./card-closing.ts";
import { accountsNamed, fundingCurrency, noteSources } from "./card-funding.ts";

/** The name of a state in the world's revision (spec/revisions.md#card-states). */
export const shownState = (view: View, state: CardState) =>
  isChanged(view, "cardProcessing") ? renamedCardState(state) : state;

/** The state with a name of the world's revision. */
const namedState = (view: View, name: string) =>
  CARD_STATES.find((state) => shownState(view, state) === name);

const LATER_MEMBERS: LaterMembers<Card, CardRecord> = {
  panEmbedUrl: { since: "cardReveal", value: () => undefined },
  maxSpendPerTransaction: {
    since: "cardLimits",
    value: (_view, { maxSpendMinor }) => maxSpendMinor ?? null,
  },
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

/** Event names in both spellings, for `--card-events` (spec/events.md#card-event-spelling). */
const EVENT_NAMES = {
  lower: { state: "card.state_change", sources: "card.funding_source_change" },
  upper: { state: "CARD.STATE_CHANGE", sources: "CARD.FUNDING_SOURCE_CHANGE" },
} as const;

const tell = (
  draft: Draft,
  { card, what }: { card: CardRecord; what: "state" | "sources" },
  moment: Moment,
) => {
  const { cardEvents } = settingsInForce(draft);
  emit(draft, moment, { type: EVENT_NAMES[cardEvents][what], data: showCard(draft, card) });
};

const moveCard = (
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

const cardholderOf = (view: View, cardholderId: string): CustomerRecord => {
  const field = "cardholderId";
  const customer = view.get("Customer", cardholderId);
  if (!customer || customer.isDeleted)
    return refuseCustomerInBody(view, { field, value: cardholderId });
  return customer;
};

const requireApproved = (customer: CustomerRecord) => {
  const customerStatus = statusOf(customer);
  if (customerStatus !== "APPROVED")
    refuse("CARDHOLDER_KYC_NOT_APPROVED", {
      field: "cardholderId",
      value: customer.id,
      customerStatus,
    });
};

const PLATFORM_CARD_ID_LENGTH = 16;

/**
 * POST /cards: makes a card in PENDING_ISSUE (spec/cards.md#issue). Its ending decides when the
 * issuer acts, if ever (spec/cards.md#issue-outcomes).
 */
export const createCard: Rule<{ body: CardInput }, Card> = (draft, { body }, moment) => {
  const cardholder = cardholderOf(draft, body.cardholderId);
  const accounts = accountsNamed(draft, body.fundingSources);
  requireApproved(cardholder);
  const currency = fundingCurrency(draft, accounts, { cardholder });
  const { platformCardId: value } = body;
  if (value !== undefined && draft.ids("Card", "byPlatformCardId", value).length > 0)
    refuse("PLATFORM_CARD_ID_EXISTS", { field: "platformCardId", value });
  const card: CardRecord = {
    id: moment.newId("Card"),
    cardholderId: cardholder.id,
    platformCardId: value ?? moment.draw("platform-card-id", PLATFORM_CARD_ID_LENGTH, HEX),
    state: cardLifecycle.starts,
    fundingSources: [...body.fundingSources],
    currency,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Card", card);
  const ending = lastThree(value ?? cardholder.id);
  const suffixOutcome = outcomeFor<CardIssueOutcome>(CARD_ISSUE_OUTCOMES, ending);
  const about = [cardholder.id, ...body.fundingSources];
  const row = takeRow(draft, { table: "cardIssue", row: suffixOutcome.row, about });
  const { outcome } = outcomeFor<CardIssueOutcome>(CARD_ISSUE_OUTCOMES, row);
  noteSources(draft, body.fundingSources);
  draft.decidedBy(ruleName("cardIssue", row));
  const { timer: name, afterMs } = outcome;
  if (name) setTimer(draft, { name, subject: card.id, dueAtMs: moment.atMs + afterMs }, moment);
  return showCard(draft, card);
};

const LAST4_RANGE = 10_000n;
const YEARS_VALID = 4;
const ISSUER_REF_LENGTH = 8;

const last4Of = (platformCardId: string) =>
  String(BigInt(`0x${digestHex(platformCardId)}`) % LAST4_RANGE).padStart(4, "0");

/** Timer `card.activate`: the issuer provisions the card (spec/cards.md#provisioned-values). */
export const activateCard = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const card = draft.get("Card", subject);
  if (!card || !findMove(cardLifecycle, card.state, "activate")) return {};
  const [year = "", month = ""] = instant(card.createdAtMs).split("-");
  const issuerRef = `sim_card_${moment.draw("card-issuer-ref", ISSUER_REF_LENGTH, HEX)}`;
  const provisioned = {
    brand: "VISA",
    last4: last4Of(card.platformCardId),
    expMonth: Number(month),
    expYear: Number(year) + YEARS_VALID,
    panEmbedUrl: `https://issuer.sandbox.test/pan?card=${issuerRef}`,
    issuerRef,
  } as const;
  const { state } = moveCard(draft, card, { on: "activate", moment, set: { provisioned } });
  return { from: card.state, to: state };
};

/** Timer `card.reject`: closes the card for good; a new card needs another `platformCardId`. */
export const rejectCard = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const card = draft.get("Card", subject);
  if (!card || !findMove(cardLifecycle, card.state, "reject")) return {};
  const set = { stateReason: "ISSUER_REJECTED" } as const;
  const { state } = moveCard(draft, card, { on: "reject", moment, set });
  return { from: card.state, to: state };
};

interface ByPath {
  params: { cardId: string };
}

/** Finds the card that a path names, else 404. */
export const cardByPath: Reading<ByPath, CardRecord> = (view, { params: { cardId: id } }) =>
  view.get("Card", id) ?? refuse("REFERENCE_NOT_FOUND", { id, resource: "Card" });

/** GET /cards/{id}. */
export const getCard: Reading<ByPath, Card> = (view, input, moment) =>
  showCard(view, cardByPath(view, input, moment));

/**
 * POST /cards/{id}/reveal: where to see the number of a card (spec/revisions.md#reveal). Refuses one
 * that has none yet.
 */
export const revealCard: Reading<ByPath, CardReveal> = (view, input, moment) => {
  const { id, provisioned, state } = cardByPath(view, input, moment);
  const cardState = shownState(view, state);
  if (!provisioned)
    return refuse(
      "REFERENCE_NOT_FOUND",
      { id, resource: "Card", cardState },
      {
        says: `The card ${id} is ${cardState} and has no number`,
        next: "Reveal it once it is ACTIVE",
      },
    );
  return { panEmbedUrl: provisioned.panEmbedUrl };
};

interface CardFilters {
  cardholderId?: string | undefined;
  accountId?: string | undefined;
  platformCardId?: string | undefined;
  state?: string | undefined;
}

/** GET /cards (spec/cards.md#list). */
export const listCards: Reading<ListInput<CardFilters>, unknown> = (view, input) => {
  const { cardholderId, accountId, platformCardId, state } = input.query;
  return page(view, {
    kind: "Card",
    input,
    indexed: [
      ["byCardholder", cardholderId],
      ["byAccount", accountId],
      ["byPlatformCardId", platformCardId],
      ["byState", state && namedState(view, state)],
    ],
    show: showCard,
  });
};

const TRIGGERS = { ACTIVE: "unfreeze", FROZEN: "freeze", CLOSED: "close" } as const;

const requireMove = (view: View, card: CardRecord, wanted: keyof typeof TRIGGERS) => {
  const { id, state } = card;
  if (!findMove(cardLifecycle, state, TRIGGERS[wanted]))
    refuse("INVALID_STATE_TRANSITION", { id, cardState: shownState(view, state), wanted });
};

/** Closes a card: ends its open transactions and empties its sources (spec/cards.md#closing). */
const close = (
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

interface PatchInput extends ByPath {
  body: CardPatch;
  call: SignedCall;
}

const holderOf = (view: View, { cardholderId }: CardRecord): CustomerRecord => {
  const customer = view.get("Customer", cardholderId);
  assertInvariant(customer !== undefined, "the holder of a card", { cardholderId });
  return customer;
};

/** Finds the card of an update, if the update is allowed. */
const changeable = (view: View, { params, body }: PatchInput, moment: Moment): CardRecord => {
  const card = cardByPath(view, { params }, moment);
  const { state, fundingSources } = body;
  const { id, currency } = card;
  if (fundingSources) {
    const accounts = accountsNamed(view, fundingSources);
    fundingCurrency(view, accounts, { cardholder: holderOf(view, card), currency });
  }
  if (state) requireMove(view, card, state);
  else if (card.state === "CLOSED") refuse("CARD_NOT_MUTABLE", { id });
  return card;
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
export const patchCard: SignedOperation<PatchInput, Card> = (view, input, now) => {
  const card = changeable(view, input, now);
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

const changeCard = (
  draft: Draft,
  { card, body }: { card: CardRecord; body: PatchInput["body"] },
  moment: Moment,
): CardRecord => {
  const { state, fundingSources } = body;
  if (state === "CLOSED")
    return close(draft, card, { on: "close", reason: "CLOSED_BY_PLATFORM", moment });
  const changed = {
    ...card,
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
export const closeByOperator: Rule<ByPath, Card> = (draft, input, moment) => {
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
