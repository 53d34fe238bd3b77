import type { Facts } from "../../contract/control/why.ts";
import { defined } from "../../contract/core/defined.ts";
import type { AgentActionRecord } from "../../domain/records/agent-records.ts";
import { primaryIdentifier } from "../../domain/records/primary-identifier.ts";
import type {
  CustomerRecord,
  DestinationRecord,
  ExternalAccountRecord,
  QuoteRecord,
  TransactionRecord,
} from "../../domain/records/records.ts";
import { statusOf } from "../../runtime/history.ts";
import type { WorldState } from "../../runtime/world-state.ts";

const nameIn = (value: unknown) => {
  const { fullName, legalName } = (value ?? {}) as { fullName?: string; legalName?: string };
  return fullName ?? legalName;
};

/** A customer's name: a person's, or a business's. */
export const customerName = (customer: CustomerRecord | undefined): string | undefined =>
  nameIn(customer) ?? nameIn(customer?.businessInfo);

/** Payees by their accounts: a search looks at the same few again and again. */
const payees = new WeakMap<ExternalAccountRecord, NonNullable<Facts["payee"]>>();

/** A payee by name, and by the last characters of its number. */
const payeeOf = (state: WorldState, id: string): NonNullable<Facts["payee"]> => {
  const account = state.get("ExternalAccount", id);
  if (!account) return { id };
  const known = payees.get(account);
  if (known) return known;
  const { field, value } = primaryIdentifier(account.accountInfo);
  const name = nameIn(account.accountInfo.beneficiary);
  const payee = { id, ...defined({ name }), identifier: `${field} …${value.slice(-4)}` };
  payees.set(account, payee);
  return payee;
};

/** The receiver of a payment. */
export const paidTo = (
  state: WorldState,
  destination: DestinationRecord,
): NonNullable<Facts["payee"]> =>
  destination.destinationType === "ACCOUNT"
    ? payeeOf(state, destination.accountId)
    : { id: destination.umaAddress };

const transactionFacts = (state: WorldState, record: TransactionRecord): Partial<Facts> => ({
  type: record.type,
  ...(record.type === "OUTGOING" && {
    sends: { amount: record.sentMinor, currency: record.sendingCurrency },
  }),
  receives: { amount: record.receivedMinor, currency: record.receivingCurrency },
  fees: {
    amount: record.feesMinor,
    currency: record.type === "OUTGOING" ? record.sendingCurrency : record.receivingCurrency,
  },
  payee: paidTo(state, record.destination),
});

const quoteFacts = (state: WorldState, record: QuoteRecord): Partial<Facts> => ({
  sends: { amount: record.totalSendingMinor, currency: record.sendingCurrency },
  receives: { amount: record.totalReceivingMinor, currency: record.receivingCurrency },
  fees: { amount: record.feesMinor, currency: record.sendingCurrency },
  payee: paidTo(state, record.destination),
});

/** The money that an action would move, or has moved. */
const actionFacts = (
  state: WorldState,
  { agentId, request }: AgentActionRecord,
): Partial<Facts> => {
  const name = state.get("Agent", agentId)?.name;
  const quote = request.type === "EXECUTE_QUOTE" ? state.get("Quote", request.quoteId) : undefined;
  return {
    type: request.type,
    ...defined({ name }),
    ...(quote && quoteFacts(state, quote)),
    ...(request.type !== "EXECUTE_QUOTE" && {
      sends: { amount: request.amountMinor, currency: request.currency },
      receives: { amount: request.amountMinor, currency: request.currency },
      payee: payeeOf(state, request.destinationAccountId),
    }),
  };
};

const accountFacts = (state: WorldState, id: string): Partial<Facts> | undefined => {
  const account = state.get("InternalAccount", id);
  if (!account) return undefined;
  const { type, currency } = account;
  return { type, balance: { amount: Number(state.balanceMinor(id, currency)), currency } };
};

const deliveryFacts = (state: WorldState, id: string): Partial<Facts> | undefined => {
  const delivery = state.get("Delivery", id);
  if (!delivery) return undefined;
  const { type, about } = delivery;
  return { type, status: delivery.state, ...defined({ about }) };
};

const recordOf = (state: WorldState, id: string) =>
  state.get("Transaction", id) ??
  state.get("Quote", id) ??
  state.get("AgentAction", id) ??
  state.get("Card", id) ??
  state.get("CardTransaction", id) ??
  state.get("Customer", id) ??
  state.get("Job", id) ??
  state.get("BeneficialOwner", id) ??
  state.get("Verification", id) ??
  state.get("InternalAccount", id) ??
  state.get("ExternalAccount", id) ??
  state.get("Invitation", id);

/** An invitation is known by its code, everything else by an id that begins with its kind. */
const kindOf = (state: WorldState, id: string) =>
  state.get("Invitation", id) ? "Invitation" : (id.split(":")[0] ?? id);

const nameOf = (state: WorldState, id: string): string | undefined => {
  const customer = state.get("Customer", id);
  const { firstName, lastName } = state.get("BeneficialOwner", id)?.personalInfo ?? {};
  return (
    customerName(customer) ??
    state.get("Agent", id)?.name ??
    (firstName && `${firstName} ${lastName}`)
  );
};

/** The head of a story: kind, status, and the facts that a person recognizes it by. */
export const factsOf = (state: WorldState, id: string): Facts => {
  const transaction = state.get("Transaction", id);
  const quote = state.get("Quote", id);
  const record = recordOf(state, id);
  const status = record && statusOf(record);
  const action = state.get("AgentAction", id);
  const name = nameOf(state, id);
  return {
    kind: kindOf(state, id),
    ...defined({ status, name }),
    ...(transaction && transactionFacts(state, transaction)),
    ...(quote && quoteFacts(state, quote)),
    ...(action && actionFacts(state, action)),
    ...accountFacts(state, id),
    ...deliveryFacts(state, id),
  };
};
