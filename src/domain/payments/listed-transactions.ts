import type { AnyTransaction } from "../../contract/payments/transactions.ts";
import { showCardTransaction } from "../cards/card-transaction-view.ts";
import { find, type Reading, type View } from "../core/draft.ts";
import { type ListedKind, type ListInput, page, pageOfTwo, toMs } from "../core/lists.ts";
import type { CardTransactionRecord } from "../records/card-records.ts";
import { customerKey } from "../records/tables.ts";
import { showTransaction, transactionByPath } from "./transactions.ts";

interface TransactionFilters {
  customerId?: string | undefined;
  platformCustomerId?: string | undefined;
  accountIdentifier?: string | undefined;
  senderAccountIdentifier?: string | undefined;
  receiverAccountIdentifier?: string | undefined;
  reference?: string | undefined;
  status?: string | undefined;
  type?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

interface ByPath {
  params: { transactionId: string };
}

/** The holder of the card that made a card transaction. */
export const cardholderOf = (view: View, { cardId }: CardTransactionRecord): string | undefined =>
  view.get("Card", cardId)?.cardholderId;

/** A transaction that a path names, and whose customer's it is. */
export interface FoundTransaction {
  customerId: string | undefined;
  show(): AnyTransaction;
}

/** Finds a payment; 404 when there is none. */
export const paymentAt: Reading<ByPath, FoundTransaction> = (view, input, moment) => {
  const payment = transactionByPath(view, input, moment);
  return { customerId: payment.customerId, show: () => showTransaction(view, payment) };
};

/** Finds a card transaction, or a payment (spec/later-cards.md#list). */
export const anyTransactionAt: Reading<ByPath, FoundTransaction> = (view, input, moment) => {
  const purchase = view.get("CardTransaction", input.params.transactionId);
  if (!purchase) return paymentAt(view, input, moment);
  return {
    customerId: cardholderOf(view, purchase),
    show: () => showCardTransaction(view, purchase),
  };
};

/** GET /transactions/{transactionId}: what a search finds there. */
export const getTransaction =
  (found: typeof paymentAt): Reading<ByPath, AnyTransaction> =>
  (...of) =>
    found(...of).show();

/** Holders of cards whom the filters leave; nothing where they leave all. */
const holdersAmong = (
  view: View,
  { customerId, platformCustomerId }: TransactionFilters,
): ReadonlySet<string> | undefined => {
  if (platformCustomerId === undefined)
    return customerId === undefined ? undefined : new Set([customerId]);
  const named = view.ids("Customer", "byPlatformCustomerId", customerKey(true, platformCustomerId));
  return new Set(named.slice().filter((id) => customerId === undefined || id === customerId));
};

/** Cards of holders; nothing for all cards. */
const cardsOf = (view: View, holders: ReadonlySet<string> | undefined) =>
  holders &&
  new Set(
    [...holders].flatMap((id) => find(view, "Card", ["byCardholder", id])).map(({ id }) => id),
  );

const CARD_STATUSES: readonly string[] = ["REFUNDED"];

/** Card transactions that the filters leave (spec/later-cards.md#list). */
const listedPurchases = (
  view: View,
  query: TransactionFilters,
): ListedKind<"CardTransaction", AnyTransaction> | undefined => {
  const { type, status, reference, senderAccountIdentifier, receiverAccountIdentifier } = query;
  const isOfPayments =
    [type, reference, senderAccountIdentifier, receiverAccountIdentifier].some(
      (filter) => filter !== undefined,
    ) ||
    (status !== undefined && !CARD_STATUSES.includes(status));
  if (isOfPayments) return undefined;
  const cards = cardsOf(view, holdersAmong(view, query));
  if (cards?.size === 0) return undefined;
  const [onlyCard] = cards?.size === 1 ? cards : [];
  const where = (one: CardTransactionRecord) =>
    (cards === undefined || cards.has(one.cardId)) &&
    (status === undefined || one.status === status) &&
    (query.accountIdentifier === undefined || one.accountId === query.accountIdentifier);
  const severalCards = onlyCard === undefined ? cards : undefined;
  const isFiltered = [severalCards, status, query.accountIdentifier].some(
    (one) => one !== undefined,
  );
  return {
    kind: "CardTransaction",
    indexed: [["byCard", onlyCard]],
    createdMs: { from: toMs(query.startDate), to: toMs(query.endDate) },
    ...(isFiltered && { where }),
    show: showCardTransaction,
  };
};

/** The payments of a list. */
const listedPayments = (input: ListInput<TransactionFilters>) => {
  const { query } = input;
  return {
    kind: "Transaction" as const,
    input,
    indexed: [
      ["byCustomer", query.customerId],
      ["byPlatformCustomer", query.platformCustomerId],
      ["byAccount", query.accountIdentifier],
      ["bySender", query.senderAccountIdentifier],
      ["byReceiver", query.receiverAccountIdentifier],
      ["byReference", query.reference],
      ["byStatus", query.status],
      ["byType", query.type],
    ] as const,
    createdMs: { from: toMs(query.startDate), to: toMs(query.endDate) },
    show: showTransaction as ListedKind<"Transaction", AnyTransaction>["show"],
  };
};

/** A list of transactions, of payments alone or of all kinds. */
export type TransactionList = Reading<ListInput<TransactionFilters>, unknown>;

/**
 * GET /transactions (spec/transactions.md#list-filters). Filters combine with AND; a reference
 * matches that of the payment and that of its refund.
 */
export const listTransactions: TransactionList = (view, input) => page(view, listedPayments(input));

/** GET /transactions with card transactions between the payments (spec/later-cards.md#list). */
export const listAllTransactions: TransactionList = (view, input, moment) => {
  const purchases = listedPurchases(view, input.query);
  return purchases
    ? pageOfTwo(view, listedPayments(input), purchases)
    : listTransactions(view, input, moment);
};
