import type {
  AdviceInput,
  BalanceInquiryInput,
  TransactionRefInput,
} from "../../contract/cards/card-transactions.ts";
import { type Draft, find, type Moment, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { lastThree } from "../outcomes/card-outcomes.ts";
import type { CardRecord, CardTransactionRecord } from "../records/card-records.ts";
import { authorizationRow } from "./card-authorization-row.ts";
import {
  type Asked,
  type AuthorizationRequest,
  authorizePurchase,
  openTransaction,
  requested,
  requireRange,
  type SimulationAnswer,
  spendingDecline,
} from "./card-authorizations.ts";
import { expire, isOpen } from "./card-closing.ts";
import { canPay, releasePart, sourceMinor, takeBack } from "./card-money.ts";
import { pullOnce } from "./card-pulls.ts";
import { recordStep, simulationAnswer } from "./card-transaction-view.ts";
import { clearAmount, moved, namedTransaction, stateDetails } from "./card-transactions.ts";
import { type ByCardPath, cardByPath } from "./card-view.ts";

const wrongStatus = (...of: Parameters<typeof stateDetails>) =>
  refuse("WRONG_STATUS", stateDetails(...of));

const isApproved = ({ status }: CardTransactionRecord) => status === "AUTHORIZED";

/** POST …/simulate/balance_inquiry: an authorization of 0 (spec/later-cards.md#balance-inquiry). */
export const inquireBalance: Rule<ByCardPath & { body: BalanceInquiryInput }, SimulationAnswer> = (
  draft,
  { params, body },
  moment,
) => {
  const card = cardByPath(draft, { params }, moment);
  const asked: Asked = { amount: 0, currency: card.currency, merchant: body.merchant };
  const { transaction, approved } = openTransaction(draft, { card, asked }, moment);
  recordStep(draft, { ...transaction, ...(approved && { lastEventAtMs: moment.atMs }) }, moment);
  if (approved) recordStep(draft, expire(draft, transaction, moment), moment);
  return simulationAnswer(draft, transaction);
};

/** Authorizes by a rule, and clears what was approved in the same message. */
const clearedAtOnce =
  (authorized: typeof authorizePurchase): Rule<AuthorizationRequest, SimulationAnswer> =>
  (draft, input, moment) => {
    const request = requested(draft, input, moment);
    const transaction = authorized(draft, request, moment);
    if (isApproved(transaction))
      clearAmount(draft, transaction, { amount: request.asked.amount, moment });
    return simulationAnswer(draft, transaction);
  };

/** POST …/simulate/financial_authorization: a purchase that clears in one message. */
export const authorizeAndClear = clearedAtOnce(authorizePurchase);

const credited = (
  draft: Draft,
  { card, asked }: { card: CardRecord; asked: Asked },
  moment: Moment,
): CardTransactionRecord => {
  const request = { card, asked: { ...asked, isCredit: true as const } };
  const { transaction, approved } = openTransaction(draft, request, moment);
  const stamps = approved ? { lastEventAtMs: moment.atMs } : {};
  return recordStep(draft, { ...transaction, ...stamps }, moment);
};

/** POST …/simulate/credit_authorization: no money until it clears (spec/later-cards.md#credits). */
export const authorizeCredit: Rule<AuthorizationRequest, SimulationAnswer> = (
  draft,
  input,
  moment,
) => simulationAnswer(draft, credited(draft, requested(draft, input, moment), moment));

/** POST …/simulate/financial_credit_authorization: a credit that clears in one message. */
export const creditAtOnce = clearedAtOnce(credited);

/** The newest credit of a merchant that has not cleared at all. */
const openCredit = (view: View, { card, asked }: { card: CardRecord; asked: Asked }) =>
  find(view, "CardTransaction", ["byCard", card.id]).findLast(
    (one) =>
      one.isCredit &&
      isApproved(one) &&
      one.merchant.descriptor === asked.merchant.descriptor &&
      one.currency === asked.currency,
  );

/**
 * POST …/simulate/credit_authorization_advice: changes the open credit of the merchant, or begins
 * one (spec/later-cards.md#credits).
 */
export const adviseCredit: Rule<AuthorizationRequest, SimulationAnswer> = (
  draft,
  input,
  moment,
) => {
  const request = requested(draft, input, moment);
  const open = openCredit(draft, request);
  if (!open) return simulationAnswer(draft, credited(draft, request, moment));
  const stamps = { lastEventAtMs: moment.atMs, updatedAtMs: moment.atMs };
  const changed = { ...open, authorizedMinor: request.asked.amount, ...stamps };
  return simulationAnswer(draft, recordStep(draft, changed, moment));
};

const requireAdvisable = (view: View, transaction: CardTransactionRecord, amount: number) => {
  requireRange("amount", amount);
  if (!isOpen(transaction))
    wrongStatus(view, transaction, "only an open authorization takes an advice");
  const { settledMinor: min } = transaction;
  if (amount < min)
    refuse(
      "INVALID_AMOUNT",
      { field: "amount", value: amount, min },
      `At least ${min} must stay authorized, not ${amount}: what has cleared already`,
    );
};

/** The transaction with its hold at a new total; nothing where the raise is declined. */
const heldAnew = (
  draft: Draft,
  { card, transaction, amount }: AdvisedTotal,
  moment: Moment,
): CardTransactionRecord | undefined => {
  const { accountId, sourceCurrency: currency, settlements, heldMinor, merchant } = transaction;
  const totalMinor = sourceMinor(amount, transaction);
  const minor = totalMinor - settlements.minor - heldMinor;
  if (transaction.isCredit) return transaction;
  if (minor <= 0) return releasePart(draft, transaction, { minor: -minor, moment });
  const isDeclined =
    spendingDecline(draft, card, totalMinor) !== undefined ||
    !canPay(draft, accountId, { currency, minor });
  if (isDeclined) return undefined;
  const { outcome } = authorizationRow(transaction.setRow ?? lastThree(merchant.descriptor));
  return pullOnce(draft, transaction, { minor, pendingMs: outcome.pendingMs, moment });
};

interface AdvisedTotal {
  card: CardRecord;
  transaction: CardTransactionRecord;
  /** New total of the authorization, in the merchant's currency. */
  amount: number;
}

/**
 * POST …/simulate/authorization_advice: a new total of an open authorization. A raise that is
 * declined changes nothing (spec/later-cards.md#authorization-advice).
 */
export const adviseAuthorization: Rule<ByCardPath & { body: AdviceInput }, SimulationAnswer> = (
  draft,
  input,
  moment,
) => {
  const { amount } = input.body;
  const { card, transaction } = namedTransaction(draft, input, moment);
  requireAdvisable(draft, transaction, amount);
  const held = heldAnew(draft, { card, transaction, amount }, moment);
  if (!held) return simulationAnswer(draft, transaction);
  const isCleared = amount === held.settledMinor;
  const on = isCleared ? ("clearAll" as const) : undefined;
  const advised = { ...held, authorizedMinor: amount };
  return simulationAnswer(draft, moved(draft, advised, { on, moment }));
};

/**
 * POST …/simulate/return_reversal: takes a whole return back
 * (spec/later-cards.md#return-reversal).
 */
export const reverseReturn: Rule<ByCardPath & { body: TransactionRefInput }, SimulationAnswer> = (
  draft,
  input,
  moment,
) => {
  const { transaction: returned } = namedTransaction(draft, input, moment);
  if (returned.status !== "REFUNDED")
    wrongStatus(draft, returned, "only a whole return can be reversed");
  const { transaction, isPaid } = takeBack(draft, returned, moment);
  const status = isPaid ? ("SETTLED" as const) : ("EXCEPTION" as const);
  const stamps = { lastEventAtMs: moment.atMs, updatedAtMs: moment.atMs };
  return simulationAnswer(draft, recordStep(draft, { ...transaction, status, ...stamps }, moment));
};
