import type { AnyTransaction } from "../../contract/payments/transactions.ts";
import { showCardTransaction } from "../cards/card-transaction-view.ts";
import { find, type Reading, type View } from "../core/draft.ts";
import { type ListedKind, type ListInput, page, pageOfTwo, toMs } from "../core/lists.ts";
import { isChanged } from "../core/revision.ts";
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

/** A card transaction that a path names, where the revision has it there. */
const cardTransactionAt = (view: View, id: string): CardTransactionRecord | undefined =>
  isChanged(view, "cardTransactionsListed") ? view.get("CardTransaction", id) : undefined;

interface ByPath {
  params: { transactionId: string };
}

/** The holder of the card that made a card transaction. */
export const cardholderOf = (view: View, { cardId }: CardTransactionRecord): string | undefined =>
  view.get("Card", cardId)?.cardholderId;

/** GET /transactions/{transactionId}: a payment, or a card transaction. */
export const getTransaction: Reading<ByPath, AnyTransaction> = (view, input, moment) => {
  const purchase = cardTransactionAt(view, input.params.transactionId);
  return purchase
    ? showCardTransaction(view, purchase)
    : showTransaction(view, transactionByPath(view, input, moment));
};

/** The customer whom a transaction is of, of either kind; 404 when there is none. */
export const customerOfTransaction: Reading<ByPath, string | undefined> = (view, input, moment) => {
  const purchase = cardTransactionAt(view, input.params.transactionId);
  return purchase
    ? cardholderOf(view, purchase)
    : transactionByPath(view, input, moment).customerId;
};

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

/**
 * GET /transactions (spec/transactions.md#list-filters). Filters combine with AND; a reference
 * matches that of the payment and that of its refund.
 */
export const listTransactions: Reading<ListInput<TransactionFilters>, unknown> = (view, input) => {
  const { query } = input;
  const payments = {
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
  const purchases = isChanged(view, "cardTransactionsListed")
    ? listedPurchases(view, query)
    : undefined;
  return purchases ? pageOfTwo(view, payments, purchases) : page(view, payments);
};
