import type {
  AuthorizationInput,
  CardSimulation,
  CardTransaction,
  DeclineReason,
} from "../../contract/cards/card-transactions.ts";
import { defined } from "../../contract/core/defined.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { type CurrencyCode, isCurrencyCode } from "../../contract/money/currencies.ts";
import { type Draft, HEX, type Moment, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { cardTransactionLifecycle } from "../lifecycles/card-transaction.ts";
import type { PullOutcome } from "../outcomes/card-outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { CardRecord, CardTransactionRecord } from "../records/card-records.ts";
import { mayFund } from "../wallets/delegated-keys.ts";
import { takeAuthorizationRow } from "./card-authorization-row.ts";
import { canPay, isPayable, sourceMinor } from "./card-money.ts";
import { pullOnce } from "./card-pulls.ts";
import { recordStep, simulationAnswer } from "./card-transaction-view.ts";
import { type ByCardPath, cardByPath, shownLimit } from "./card-view.ts";

/** The answer of a simulation, in either form. */
export type SimulationAnswer = CardTransaction | CardSimulation;

const merchantCurrency = ({ code }: { code: string }, card: CardRecord): CurrencyCode =>
  isCurrencyCode(code) && isPayable(code, card.currency)
    ? code
    : refuse(
        "INVALID_CURRENCY",
        { field: "currency.code", value: code, currency: code, expected: card.currency },
        {
          says: `The card is in ${card.currency} and cannot pay ${code}`,
          next: `Use ${card.currency}`,
        },
      );

/** Refuses an amount above the largest one. */
export const requireRange = (field: string, value: number) => {
  if (value > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", { field, value, max: MAX_AMOUNT_MINOR });
};

/** The first source that can pay the whole amount (spec/card-transactions.md#source-selection). */
const payingSource = (view: View, { id, fundingSources, currency }: CardRecord, minor: number) =>
  fundingSources.find(
    (accountId) =>
      mayFund(view, { cardId: id, accountId }) && canPay(view, accountId, { currency, minor }),
  );

const NOT_ACTIVE: Partial<Record<CardRecord["state"], DeclineReason>> = {
  FROZEN: "CARD_PAUSED",
  PENDING_KYC: "CARD_NOT_ACTIVE",
  PENDING_ISSUE: "CARD_NOT_ACTIVE",
  CLOSED: "CARD_NOT_ACTIVE",
};

/** Declines every authorization on a deleted customer's card, in any state. */
const deletionDecline = (view: View, { cardholderId }: CardRecord): DeclineReason | undefined =>
  view.get("Customer", cardholderId)?.isDeleted ? "CARD_CLOSED" : undefined;

/** Declines what is above the card's own limit (spec/later-cards.md#limits). */
const limitDecline = (view: View, card: CardRecord, minor: number): DeclineReason | undefined => {
  const limit = shownLimit(view, card) ?? Number.POSITIVE_INFINITY;
  return minor > limit ? "SPEND_LIMIT_EXCEEDED" : undefined;
};

/** The reason why a card may not spend an amount, whatever its sources hold. */
export const spendingDecline = (
  view: View,
  card: CardRecord,
  minor: number,
): DeclineReason | undefined =>
  deletionDecline(view, card) ?? NOT_ACTIVE[card.state] ?? limitDecline(view, card, minor);

const TOKEN_LENGTH = 8;
const NOTHING = { count: 0, minor: 0 } as const;

/** The request of a merchant to a card. */
export interface Asked {
  amount: number;
  currency: CurrencyCode;
  merchant: AuthorizationInput["merchant"];
  /** The merchant pays. */
  isCredit?: true;
}

/** The request in a body. */
export const askedBy = (card: CardRecord, body: AuthorizationInput): Asked => {
  const currency = merchantCurrency(body.currency, card);
  requireRange("amount", body.amount);
  return { amount: body.amount, currency, merchant: body.merchant };
};

const declineOf = (
  draft: Draft,
  card: CardRecord,
  { asked, minor, outcome }: { asked: Asked; minor: number; outcome: PullOutcome },
): DeclineReason | undefined =>
  deletionDecline(draft, card) ??
  (card.state === "FROZEN" ? undefined : outcome.declines) ??
  NOT_ACTIVE[card.state] ??
  (asked.isCredit ? undefined : limitDecline(draft, card, minor)) ??
  (asked.isCredit || payingSource(draft, card, minor) ? undefined : "INSUFFICIENT_FUNDS");

/** A new transaction, with what its pull takes where it is approved. */
interface Opened {
  transaction: CardTransactionRecord;
  approved?: { minor: number; pendingMs: number | undefined };
}

/**
 * Makes the transaction of a request and decides about it; nothing is pulled yet. A FROZEN card
 * declines before any ending. On other cards a declining ending counts first, the rest only if card
 * and source can pay (spec/card-transactions.md#declines).
 */
export const openTransaction = (
  draft: Draft,
  { card, asked }: { card: CardRecord; asked: Asked },
  moment: Moment,
): Opened => {
  const { amount, currency, merchant, isCredit } = asked;
  const minor = sourceMinor(amount, { currency, sourceCurrency: card.currency });
  const isFrozen = card.state === "FROZEN";
  const isDecided = !isFrozen && deletionDecline(draft, card) === undefined;
  const { descriptor } = merchant;
  const { row, outcome, setRow } = takeAuthorizationRow(draft, card, { descriptor, isDecided });
  if (!isFrozen) draft.decidedBy(ruleName("cardAuthorization", row));
  const declineCode = declineOf(draft, card, { asked, minor, outcome });
  const source = isCredit ? undefined : payingSource(draft, card, minor);
  const firstSource = card.fundingSources[0] ?? card.lastSource ?? "";
  const born: CardTransactionRecord = {
    id: moment.newId("CardTransaction"),
    cardId: card.id,
    issuerToken: `sim_txn_${moment.draw("card-transaction-token", TOKEN_LENGTH, HEX)}`,
    ...defined({ setRow }),
    status: cardTransactionLifecycle.starts,
    ...defined({ isCredit }),
    merchant: { descriptor, ...defined({ mcc: merchant.mcc, country: merchant.country }) },
    currency,
    authorizedMinor: amount,
    settledMinor: 0,
    refundedMinor: 0,
    accountId: declineCode ? firstSource : (source ?? firstSource),
    sourceCurrency: card.currency,
    pulls: NOTHING,
    pendingUntilMs: [],
    refunds: NOTHING,
    settlements: NOTHING,
    heldMinor: 0,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  if (declineCode) return { transaction: { ...born, status: "DECLINED", declineCode } };
  if (outcome.fails) return { transaction: { ...born, status: "EXCEPTION" } };
  return { transaction: born, approved: { minor, pendingMs: outcome.pendingMs } };
};

/** Authorizes a purchase: pulls its amount, and tells of it. */
export const authorizePurchase = (
  draft: Draft,
  request: { card: CardRecord; asked: Asked },
  moment: Moment,
): CardTransactionRecord => {
  const { transaction, approved } = openTransaction(draft, request, moment);
  if (!approved) return recordStep(draft, transaction, moment);
  const pulled = pullOnce(draft, transaction, { ...approved, moment });
  return recordStep(draft, { ...pulled, lastEventAtMs: moment.atMs }, moment);
};

/** Input of a simulation that begins a transaction. */
export type AuthorizationRequest = ByCardPath & { body: AuthorizationInput };

/** The card and the request of a simulation that begins a transaction. */
export const requested = (
  draft: Draft,
  { params, body }: AuthorizationRequest,
  moment: Moment,
): { card: CardRecord; asked: Asked } => {
  const card = cardByPath(draft, { params }, moment);
  return { card, asked: askedBy(card, body) };
};

/**
 * POST /sandbox/cards/{cardId}/simulate/authorization (spec/card-transactions.md#authorization). A
 * decline is answered as an approval is, and is neither cleared nor returned.
 */
export const authorize: Rule<AuthorizationRequest, SimulationAnswer> = (draft, input, moment) =>
  simulationAnswer(draft, authorizePurchase(draft, requested(draft, input, moment), moment));
