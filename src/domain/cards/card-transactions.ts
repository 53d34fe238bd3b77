import type {
  AuthorizationInput,
  CardTransaction,
  ClearingInput,
  DeclineCode,
  ReturnInput,
} from "../../contract/cards/card-transactions.ts";
import { defined } from "../../contract/core/defined.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import {
  type CurrencyCode,
  currencyObject,
  isCurrencyCode,
} from "../../contract/money/currencies.ts";
import { type Draft, HEX, instant, type Moment, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { type LaterMembers, shownIn } from "../core/revision.ts";
import { setTimer, type TimerEffect } from "../core/schedule.ts";
import {
  type CardTransactionTrigger,
  cardTransactionLifecycle,
} from "../lifecycles/card-transaction.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import { requireRoom } from "../money/ledger.ts";
import { lastThree } from "../outcomes/card-outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { CardRecord, CardTransactionRecord } from "../records/card-records.ts";
import { authorizationRow, takeAuthorizationRow } from "./card-authorization-row.ts";
import { expire, isOpen } from "./card-closing.ts";
import {
  canPay,
  isPayable,
  payBack,
  pull,
  releaseHold,
  settle,
  sourceMinor,
} from "./card-money.ts";
import { cardByPath } from "./card-view.ts";

const totals = ({ count, minor }: { count: number; minor: number }) => ({
  count,
  totalAmount: minor,
});

/** Shows a card transaction (spec/card-transactions.md#card-transaction). */
export const showCardTransaction = (
  view: View,
  transaction: CardTransactionRecord,
): CardTransaction => {
  const { currency: code, declineCode, settledMinor, refundedMinor, lastEventAtMs } = transaction;
  const currency = currencyObject(code);
  const { mcc, country, descriptor } = transaction.merchant;
  const shown: CardTransaction = {
    id: transaction.id,
    cardId: transaction.cardId,
    issuerTransactionToken: transaction.issuerToken,
    status: transaction.status,
    ...(declineCode && { declineCode }),
    merchant: { descriptor, ...(mcc && { mcc }), ...(country && { country }) },
    authorizedAmount: { amount: transaction.authorizedMinor, currency },
    ...(isCleared(transaction) && { settledAmount: { amount: settledMinor, currency } }),
    ...(transaction.refunds.count > 0 && { refundedAmount: { amount: refundedMinor, currency } }),
    accountId: transaction.accountId,
    pullSummary: {
      ...totals(transaction.pulls),
      pendingCount: transaction.pendingUntilMs.length,
    },
    refundSummary: totals(transaction.refunds),
    settlementSummary: totals(transaction.settlements),
    authorizedAt: instant(transaction.createdAtMs),
    ...(lastEventAtMs !== undefined && { lastEventAt: instant(lastEventAtMs) }),
    createdAt: instant(transaction.createdAtMs),
    updatedAt: instant(transaction.updatedAtMs),
  };
  return shownIn(view, shown, [transaction, LATER_MEMBERS]);
};

/** The customer who holds the card of a transaction. */
const holderOf = (view: View, { cardId }: CardTransactionRecord) => {
  const card = view.get("Card", cardId);
  return card && view.get("Customer", card.cardholderId);
};

const LATER_MEMBERS: LaterMembers<CardTransaction, CardTransactionRecord> = {
  type: { since: "transactionDirections", value: () => "CARD" },
  direction: { since: "transactionDirections", value: () => "DEBIT" },
  customerId: {
    since: "transactionDirections",
    value: (view, transaction) => holderOf(view, transaction)?.id ?? "",
  },
  platformCustomerId: {
    since: "transactionDirections",
    value: (view, transaction) => holderOf(view, transaction)?.platformCustomerId ?? "",
  },
};

/** Whether a transaction has a settled amount to show, even if it is 0. */
const isCleared = ({ status, settlements }: CardTransactionRecord) =>
  settlements.count > 0 || status === "SETTLED";

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

const requireRange = (field: string, value: number) => {
  if (value > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", { field, value, max: MAX_AMOUNT_MINOR });
};

/** The first source that can pay the whole amount (spec/card-transactions.md#source-selection). */
const payingSource = (view: View, { fundingSources, currency }: CardRecord, minor: number) =>
  fundingSources.find((accountId) => canPay(view, accountId, { currency, minor }));

const NOT_ACTIVE: Partial<Record<CardRecord["state"], DeclineCode>> = {
  FROZEN: "CARD_PAUSED",
  PENDING_KYC: "CARD_NOT_ACTIVE",
  PENDING_ISSUE: "CARD_NOT_ACTIVE",
  CLOSED: "CARD_NOT_ACTIVE",
};

/** Declines every authorization on a deleted customer's card, in any state. */
const deletionDecline = (view: View, { cardholderId }: CardRecord): DeclineCode | undefined =>
  view.get("Customer", cardholderId)?.isDeleted ? "CARD_CLOSED" : undefined;

const TOKEN_LENGTH = 8;
const NOTHING = { count: 0, minor: 0 } as const;

interface ByPath {
  params: { cardId: string };
}

/** Pulls once, confirmed at once or after a delay. */
const pullOnce = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, pendingMs, moment }: { minor: number; pendingMs: number | undefined; moment: Moment },
): CardTransactionRecord => {
  const pulled = pull(draft, transaction, { minor, moment });
  if (pendingMs === undefined) return pulled;
  const pendingUntilMs = [...pulled.pendingUntilMs, moment.atMs + pendingMs];
  waitForConfirmation(draft, { id: pulled.id, pendingUntilMs }, moment);
  return { ...pulled, pendingUntilMs };
};

/** Sets the timer for the next confirmation of a pull. */
const waitForConfirmation = (
  draft: Draft,
  { id: subject, pendingUntilMs }: Pick<CardTransactionRecord, "id" | "pendingUntilMs">,
  moment: Moment,
) => {
  const [dueAtMs] = pendingUntilMs;
  if (dueAtMs !== undefined) setTimer(draft, { name: "card.confirm", subject, dueAtMs }, moment);
};

/**
 * POST /sandbox/cards/{id}/simulate/authorization (spec/card-transactions.md#authorization). A
 * decline is a 200 with a code, and is neither cleared nor returned. A FROZEN card declines before
 * any ending. On other cards a declining ending counts first, the rest only if card and source can
 * pay (spec/card-transactions.md#declines).
 */
export const authorize: Rule<ByPath & { body: AuthorizationInput }, CardTransaction> = (
  draft,
  { params, body },
  moment,
) => {
  const card = cardByPath(draft, { params }, moment);
  const { amount, merchant } = body;
  const currency = merchantCurrency(body.currency, card);
  requireRange("amount", amount);
  const minor = sourceMinor(amount, { currency, sourceCurrency: card.currency });
  const isFrozen = card.state === "FROZEN";
  const deleted = deletionDecline(draft, card);
  const isDecided = !isFrozen && deleted === undefined;
  const { descriptor } = merchant;
  const { row, outcome, setRow } = takeAuthorizationRow(draft, card, { descriptor, isDecided });
  if (!isFrozen) draft.decidedBy(ruleName("cardAuthorization", row));
  const source = payingSource(draft, card, minor);
  const declineCode =
    deleted ??
    (isFrozen ? undefined : outcome.declines) ??
    NOT_ACTIVE[card.state] ??
    (source ? undefined : "INSUFFICIENT_FUNDS");
  const born: CardTransactionRecord = {
    id: moment.newId("CardTransaction"),
    cardId: card.id,
    issuerToken: `sim_txn_${moment.draw("card-transaction-token", TOKEN_LENGTH, HEX)}`,
    ...defined({ setRow }),
    status: cardTransactionLifecycle.starts,
    merchant: {
      descriptor: merchant.descriptor,
      ...defined({ mcc: merchant.mcc, country: merchant.country }),
    },
    currency,
    authorizedMinor: amount,
    settledMinor: 0,
    refundedMinor: 0,
    accountId: source ?? card.fundingSources[0] ?? card.lastSource ?? "",
    sourceCurrency: card.currency,
    pulls: NOTHING,
    pendingUntilMs: [],
    refunds: NOTHING,
    settlements: NOTHING,
    heldMinor: 0,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  const authorized = ((): CardTransactionRecord => {
    if (declineCode) {
      const accountId = card.fundingSources[0] ?? card.lastSource ?? "";
      return { ...born, status: "DECLINED", declineCode, accountId };
    }
    if (outcome.fails) return { ...born, status: "EXCEPTION" };
    const { pendingMs } = outcome;
    const pulled = pullOnce(draft, born, { minor, pendingMs, moment });
    return { ...pulled, lastEventAtMs: moment.atMs };
  })();
  draft.put("CardTransaction", authorized);
  return showCardTransaction(draft, authorized);
};

/** Timer `card.confirm`: confirms a pending pull (spec/card-transactions.md#pending-pulls). */
export const confirmPull = (draft: Draft, subject: string, moment: Moment): TimerEffect => {
  const transaction = draft.get("CardTransaction", subject);
  if (!transaction) return {};
  // Fired early by hand, it confirms the pull that it was set for.
  const [dueAtMs = moment.atMs] = transaction.pendingUntilMs;
  const confirmedMs = Math.max(moment.atMs, dueAtMs);
  const pendingUntilMs = transaction.pendingUntilMs.filter((untilMs) => untilMs > confirmedMs);
  waitForConfirmation(draft, { id: subject, pendingUntilMs }, moment);
  draft.put("CardTransaction", {
    ...transaction,
    pendingUntilMs,
    lastEventAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  });
  return { from: transaction.status, to: transaction.status };
};

/** Finds the transaction that a body names; 404 unless it is of this card. */
const transactionOf = (view: View, cardId: string, id: string): CardTransactionRecord => {
  const transaction = view.get("CardTransaction", id);
  return transaction?.cardId === cardId
    ? transaction
    : refuse(
        "TRANSACTION_NOT_FOUND",
        {
          id,
          field: "cardTransactionId",
          resource: "CardTransaction",
        },
        {
          says: `The card has no transaction ${id}`,
          next: "POST /sandbox/cards/{cardId}/simulate/authorization returns the id of a new one",
        },
      );
};

const wrongState = ({ id: value, status }: CardTransactionRecord, why: string) =>
  refuse("CARD_TRANSACTION_STATE", {
    field: "cardTransactionId",
    value,
    transactionStatus: status,
    why,
  });

const requireClearable = (transaction: CardTransactionRecord) => {
  const { status, endedByClose } = transaction;
  const isLate = endedByClose && findMove(cardTransactionLifecycle, status, "clearAll");
  if (!isOpen(transaction) && !isLate)
    wrongState(transaction, "only an open authorization can be cleared");
};

/**
 * Pulls the amount that a clearing needs beyond its hold (spec/card-transactions.md#extra-pulls).
 * Pulls nothing if the balance is too small. Debits an account that was frozen after the
 * authorization too.
 */
const pullMore = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: { minor: number; moment: Moment },
): CardTransactionRecord | undefined => {
  const { accountId, sourceCurrency, merchant, setRow } = transaction;
  if (draft.balanceMinor(accountId, sourceCurrency) < BigInt(minor)) return undefined;
  const { row, outcome } = authorizationRow(setRow ?? lastThree(merchant.descriptor));
  draft.decidedBy(ruleName("cardAuthorization", row));
  const { pendingMs } = outcome;
  return pullOnce(draft, transaction, { minor, pendingMs, moment });
};

const moved = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { on, moment }: { on: CardTransactionTrigger; moment: Moment },
): CardTransactionRecord => {
  const record = {
    ...transaction,
    status: moveOf(cardTransactionLifecycle, transaction.status, on).to,
    lastEventAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("CardTransaction", record);
  return record;
};

/**
 * POST /sandbox/cards/{id}/simulate/clearing (spec/card-transactions.md#clearing). An amount beyond
 * the hold is pulled again; if that fails, the operator pays the merchant. A transaction that the
 * card's closing ended takes one late clearing above 0, with its own pull
 * (spec/card-transactions.md#late-clearing).
 */
export const clear: Rule<ByPath & { body: ClearingInput }, CardTransaction> = (
  draft,
  { params, body },
  moment,
) => {
  const { cardTransactionId, amount } = body;
  const card = cardByPath(draft, { params }, moment);
  const record = transactionOf(draft, card.id, cardTransactionId);
  requireRange("amount", amount);
  requireClearable(record);
  const { endedByClose: isLate, ...transaction } = record;
  if (amount === 0) {
    const expired = expire(draft, record, moment);
    draft.put("CardTransaction", expired);
    return showCardTransaction(draft, expired);
  }
  const settledMinor = transaction.settledMinor + amount;
  requireRange("amount", settledMinor);
  const before = transaction.settlements.minor;
  const neededMinor = sourceMinor(settledMinor, transaction) - before;
  const shortMinor = neededMinor - transaction.heldMinor;
  const pulled =
    shortMinor > 0 ? pullMore(draft, transaction, { minor: shortMinor, moment }) : transaction;
  const settled = {
    ...settle(draft, pulled ?? transaction, { minor: neededMinor, moment }),
    settledMinor,
  };
  if (!pulled) return showCardTransaction(draft, moved(draft, settled, { on: "except", moment }));
  const isWhole = isLate || settledMinor >= transaction.authorizedMinor;
  const on = isWhole ? "clearAll" : "clearPart";
  return showCardTransaction(draft, moved(draft, settled, { on, moment }));
};

const returnable = ({ settledMinor, refundedMinor }: CardTransactionRecord) =>
  settledMinor - refundedMinor;

const requireReturnable = (transaction: CardTransactionRecord, amount: number) => {
  const isSettled = findMove(cardTransactionLifecycle, transaction.status, "returnPart");
  if (!isSettled) wrongState(transaction, "only settled amounts can be returned");
  if (returnable(transaction) === 0)
    wrongState(transaction, "all that settled was already returned");
  const max = returnable(transaction);
  if (amount > max)
    refuse(
      "INVALID_AMOUNT",
      { field: "amount", value: amount, max },
      `At most ${max} can be returned, not ${amount}: what has settled and was not returned yet`,
    );
};

/**
 * POST /sandbox/cards/{id}/simulate/return, on a closed card too
 * (spec/card-transactions.md#return).
 */
export const returnPayment: Rule<ByPath & { body: ReturnInput }, CardTransaction> = (
  draft,
  { params, body },
  moment,
) => {
  const { cardTransactionId, amount } = body;
  const card = cardByPath(draft, { params }, moment);
  const transaction = transactionOf(draft, card.id, cardTransactionId);
  requireRange("amount", amount);
  requireReturnable(transaction, amount);
  const { accountId, sourceCurrency, settlements, refunds } = transaction;
  const refundedMinor = transaction.refundedMinor + amount;
  const keptMinor = sourceMinor(transaction.settledMinor - refundedMinor, transaction);
  // Rounding: a return between two clearings may already have given back all of this one.
  const minor = Math.max(0, settlements.minor - refunds.minor - keptMinor);
  requireRoom(
    draft,
    { account: accountId, currency: sourceCurrency, amountMinor: BigInt(minor) },
    "amount",
  );
  const paid = { ...payBack(draft, transaction, { minor, moment }), refundedMinor };
  const isAll = returnable(paid) === 0;
  const rest = isAll ? releaseHold(draft, paid, moment) : paid;
  return showCardTransaction(
    draft,
    moved(draft, rest, { on: isAll ? "returnAll" : "returnPart", moment }),
  );
};
