import type { Card, CardInput } from "../../contract/cards/cards.ts";
import { defined } from "../../contract/core/defined.ts";
import { digestHex } from "../../crypto/digest.ts";
import {
  type Draft,
  HEX,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { setTimer, type TimerEffect } from "../core/schedule.ts";
import { refuseCustomerInBody } from "../core/unknown-customers.ts";
import { statusOf } from "../customers/customer-status.ts";
import { cardLifecycle } from "../lifecycles/card.ts";
import { findMove } from "../lifecycles/lifecycle.ts";
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
import { accountsNamed, fundingCurrency, noteSources } from "./card-funding.ts";
import { moveCard } from "./card-moves.ts";
import { type ByCardPath, cardByPath, namedState, showCard } from "./card-view.ts";

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
  if (body.threeDSecurePassword !== undefined)
    refuse("THREE_D_SECURE_UNSUPPORTED", { field: "threeDSecurePassword" });
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
    ...defined({ maxSpendMinor: body.maxSpendPerTransaction }),
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

/** GET /cards/{id}. */
export const getCard: Reading<ByCardPath, Card> = (view, input, moment) =>
  showCard(view, cardByPath(view, input, moment));

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
