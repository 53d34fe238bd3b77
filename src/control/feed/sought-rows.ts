import type { QuoteRecord, TransactionRecord } from "../../domain/records/records.ts";
import type { ListedRows } from "../../rows/world.ts";
import { statusOf } from "../../runtime/history.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { customerName, paidTo } from "../why/why-facts.ts";
import { customerRow } from "./holder-rows.ts";
import { showPosting } from "./ledger.ts";
import { internalAccountRow } from "./record-rows.ts";

/**
 * Rows of long lists as far as a filter reads them. A search goes through all records of a list, so
 * members that take long are getters, and those that no filter reads are missing.
 */
type Sought<Name extends keyof ListedRows> = ListedRows[Name] | undefined;

/** A payment with the quote that it was made from; a class, since getters of a literal are slow. */
class SoughtPayment {
  readonly id: string;
  readonly status: string;
  readonly kind: ListedRows["payments"]["kind"];
  private readonly state: WorldState;
  private readonly payment: TransactionRecord;
  private readonly quote: QuoteRecord | undefined;

  constructor(state: WorldState, payment: TransactionRecord, quote: QuoteRecord | undefined) {
    const isOutgoing = payment.type === "OUTGOING";
    this.state = state;
    this.payment = payment;
    this.quote = quote;
    this.id = (quote ?? payment).id;
    this.status = (quote ?? payment).status;
    this.kind = quote ? "QUOTE" : isOutgoing ? "TRANSFER" : "INCOMING";
  }

  get transactionId() {
    return this.payment.id;
  }

  get reason() {
    return this.payment.failureReason;
  }

  get memo() {
    return this.payment.description;
  }

  get to() {
    return paidTo(this.state, (this.quote ?? this.payment).destination);
  }

  get sends() {
    const { quote, payment } = this;
    if (quote) return { amount: quote.totalSendingMinor, currency: quote.sendingCurrency };
    return payment.type === "OUTGOING"
      ? { amount: payment.sentMinor, currency: payment.sendingCurrency }
      : undefined;
  }

  get receives() {
    const { quote, payment } = this;
    const amount = quote?.totalReceivingMinor ?? payment.receivedMinor;
    return { amount, currency: payment.receivingCurrency };
  }
}

/** A payment, or the quote that it was made from. */
export const soughtPayment = (state: WorldState, id: string): Sought<"payments"> => {
  const payment = state.get("Transaction", id);
  if (!payment) return undefined;
  const quoteId = payment.type === "OUTGOING" ? payment.quoteId : undefined;
  const quote = quoteId === undefined ? undefined : state.get("Quote", quoteId);
  if (quoteId !== undefined && !quote) return undefined;
  return new SoughtPayment(state, payment, quote) as unknown as Sought<"payments">;
};

/** A webhook by its record: its instants take longest to show. */
export const soughtDelivery = (state: WorldState, id: string): Sought<"deliveries"> => {
  const delivery = state.get("Delivery", id);
  if (!delivery) return undefined;
  const { state: progress, type, about, attempts } = delivery;
  const last = attempts.at(-1);
  const status = last?.httpStatus ?? null;
  return { id, state: progress, type, status, about, error: last?.error } as Sought<"deliveries">;
};

/** A customer, whose balances are added up when they are asked for. */
export const soughtCustomer = (state: WorldState, id: string): Sought<"customers"> => {
  const customer = state.get("Customer", id);
  if (!customer) return undefined;
  return {
    id,
    status: statusOf(customer),
    type: customer.customerType,
    platformCustomerId: customer.platformCustomerId,
    name: customerName(customer),
    get balances() {
      return customerRow(state, id)?.balances ?? [];
    },
  } as Sought<"customers">;
};

/** An internal account, whose holder and balance are looked up when they are asked for. */
export const soughtAccount = (state: WorldState, id: string): Sought<"internalAccounts"> => {
  const account = state.get("InternalAccount", id);
  if (!account) return undefined;
  const { type, status } = account;
  return {
    id,
    type,
    status,
    get holder() {
      return internalAccountRow(state, id)?.holder;
    },
    get balance() {
      const { currency } = account;
      return { amount: Number(state.balanceMinor(id, currency)), currency };
    },
  } as Sought<"internalAccounts">;
};

/** The posting at a position among all. */
export const soughtPosting = (state: WorldState, position: number): Sought<"postings"> =>
  state.postings.slice(position, position + 1).map(showPosting)[0];
