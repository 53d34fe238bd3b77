import type { ClearingInput, ReturnInput } from "../../contract/cards/card-transactions.ts";
import type { Draft, Moment, Reading, Rule, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import {
  type CardTransactionTrigger,
  cardTransactionLifecycle,
} from "../lifecycles/card-transaction.ts";
import { findMove, moveOf } from "../lifecycles/lifecycle.ts";
import { requireRoom } from "../money/ledger.ts";
import { lastThree } from "../outcomes/card-outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { CardRecord, CardTransactionRecord } from "../records/card-records.ts";
import { authorizationRow } from "./card-authorization-row.ts";
import { requireRange, type SimulationAnswer } from "./card-authorizations.ts";
import { expire, isOpen } from "./card-closing.ts";
import { payBack, payCredit, releaseHold, settle, sourceMinor } from "./card-money.ts";
import { pullOnce } from "./card-pulls.ts";
import { recordStep, shownStatus, simulationAnswer } from "./card-transaction-view.ts";
import { type ByCardPath, cardByPath } from "./card-view.ts";

/** Finds the card of a path, and the transaction that a body names; 404 unless it is of this card. */
export const namedTransaction: Reading<
  ByCardPath & { body: { cardTransactionId: string } },
  { card: CardRecord; transaction: CardTransactionRecord }
> = (view, { params, body: { cardTransactionId: id } }, moment) => {
  const card = cardByPath(view, { params }, moment);
  const transaction = view.get("CardTransaction", id);
  return transaction?.cardId === card.id
    ? { card, transaction }
    : refuse(
        "TRANSACTION_NOT_FOUND",
        { id, field: "cardTransactionId", resource: "CardTransaction" },
        {
          says: `The card has no transaction ${id}`,
          next: "POST /sandbox/cards/{cardId}/simulate/authorization returns the id of a new one",
        },
      );
};

/** Details of the refusal of a transaction in a wrong state. */
export const stateDetails = (view: View, transaction: CardTransactionRecord, why: string) => ({
  field: "cardTransactionId",
  value: transaction.id,
  transactionStatus: shownStatus(view, transaction),
  why,
});

const wrongState = (...of: Parameters<typeof stateDetails>) =>
  refuse("CARD_TRANSACTION_STATE", stateDetails(...of));

const requireClearable = (view: View, transaction: CardTransactionRecord) => {
  const { status, endedByClose } = transaction;
  const isLate = endedByClose && findMove(cardTransactionLifecycle, status, "clearAll");
  if (!isOpen(transaction) && !isLate)
    wrongState(view, transaction, "only an open authorization can be cleared");
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

/** Moves a transaction along its lifecycle, or leaves it where it is, and tells of it. */
export const moved = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { on, moment }: { on: CardTransactionTrigger | undefined; moment: Moment },
): CardTransactionRecord => {
  const record = {
    ...transaction,
    status: on ? moveOf(cardTransactionLifecycle, transaction.status, on).to : transaction.status,
    lastEventAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  return recordStep(draft, record, moment);
};

/** Pays a credit that clears; the account must have room. */
const settleCredit = (
  draft: Draft,
  transaction: CardTransactionRecord,
  { minor, moment }: { minor: number; moment: Moment },
): CardTransactionRecord => {
  const { accountId: account, sourceCurrency: currency } = transaction;
  requireRoom(draft, { account, currency, amountMinor: BigInt(minor) }, "amount");
  return payCredit(draft, transaction, { minor, moment });
};

/**
 * Clears an amount of an open or late transaction. What is beyond the hold is pulled again; if that
 * fails, the operator pays the merchant. A credit is paid to its account.
 */
export const clearAmount = (
  draft: Draft,
  record: CardTransactionRecord,
  { amount, moment }: { amount: number; moment: Moment },
): CardTransactionRecord => {
  const { endedByClose: isLate, ...transaction } = record;
  const settledMinor = transaction.settledMinor + amount;
  requireRange("amount", settledMinor);
  const minor = sourceMinor(settledMinor, transaction) - transaction.settlements.minor;
  const isWhole = isLate || settledMinor >= transaction.authorizedMinor;
  const on = isWhole ? "clearAll" : "clearPart";
  if (transaction.isCredit) {
    const paid = settleCredit(draft, transaction, { minor, moment });
    return moved(draft, { ...paid, settledMinor }, { on, moment });
  }
  const shortMinor = minor - transaction.heldMinor;
  const pulled =
    shortMinor > 0 ? pullMore(draft, transaction, { minor: shortMinor, moment }) : transaction;
  const settled = settle(draft, pulled ?? transaction, { minor, moment });
  return moved(draft, { ...settled, settledMinor }, { on: pulled ? on : "except", moment });
};

/**
 * POST /sandbox/cards/{id}/simulate/clearing (spec/card-transactions.md#clearing). A transaction
 * that the card's closing ended takes one late clearing above 0, with its own pull
 * (spec/card-transactions.md#late-clearing).
 */
export const clear: Rule<ByCardPath & { body: ClearingInput }, SimulationAnswer> = (
  draft,
  input,
  moment,
) => {
  const { amount } = input.body;
  const { transaction } = namedTransaction(draft, input, moment);
  requireRange("amount", amount);
  requireClearable(draft, transaction);
  const cleared =
    amount === 0
      ? recordStep(draft, expire(draft, transaction, moment), moment)
      : clearAmount(draft, transaction, { amount, moment });
  return simulationAnswer(draft, cleared);
};

const returnable = ({ settledMinor, refundedMinor }: CardTransactionRecord) =>
  settledMinor - refundedMinor;

const requireReturnable = (view: View, transaction: CardTransactionRecord, amount: number) => {
  if (transaction.isCredit) wrongState(view, transaction, "a merchant's credit is not returned");
  const isSettled = findMove(cardTransactionLifecycle, transaction.status, "returnPart");
  if (!isSettled) wrongState(view, transaction, "only settled amounts can be returned");
  if (returnable(transaction) === 0)
    wrongState(view, transaction, "all that settled was already returned");
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
export const returnPayment: Rule<ByCardPath & { body: ReturnInput }, SimulationAnswer> = (
  draft,
  input,
  moment,
) => {
  const { amount } = input.body;
  const { transaction } = namedTransaction(draft, input, moment);
  requireRange("amount", amount);
  requireReturnable(draft, transaction, amount);
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
  return simulationAnswer(
    draft,
    moved(draft, rest, { on: isAll ? "returnAll" : "returnPart", moment }),
  );
};
