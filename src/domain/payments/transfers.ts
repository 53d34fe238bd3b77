import type { PaymentRail } from "../../contract/core/account-fields.ts";
import { defined } from "../../contract/core/defined.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type {
  IncomingTransaction,
  OutgoingTransaction,
} from "../../contract/payments/transactions.ts";
import type { TransferInput, TransferOutInput } from "../../contract/payments/transfers.ts";
import { requirePullable } from "../accounts/external-accounts.ts";
import { requireBalance } from "../accounts/internal-accounts.ts";
import { type Draft, drawReference, type Moment, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { requireReady } from "../customers/customer-status.ts";
import { partyIdsOf } from "../customers/customers.ts";
import { incomingPaymentLifecycle } from "../lifecycles/incoming-payment.ts";
import { outgoingPaymentLifecycle } from "../lifecycles/outgoing-payment.ts";
import { requireRoom } from "../money/ledger.ts";
import { takeRow } from "../outcomes/next-outcomes.ts";
import { outcomeFor, TRANSFER_IN_OUTCOMES, TRANSFER_OUT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type {
  CustomerRecord,
  ExternalAccountRecord,
  IncomingRecord,
  InternalAccountRecord,
  OutgoingRecord,
} from "../records/records.ts";
import { INCOMING_EFFECTS } from "./incoming-payments.ts";
import { rowName, runSteps } from "./outcome-steps.ts";
import { collect, OUTGOING_EFFECTS, startPayment } from "./outgoing-payments.ts";
import { keptRail, requireTakenRail } from "./settlement-forecasts.ts";
import { requireSize, requireVolume } from "./transaction-limits.ts";
import { showIncoming, showOutgoing } from "./transactions.ts";

const KIND_WORDS = { InternalAccount: "an internal account", ExternalAccount: "an external one" };

type AccountKind = keyof typeof KIND_WORDS;

const accountOf = <K extends AccountKind>(
  view: View,
  kind: K,
  { field, value }: { field: string; value: string },
) => {
  const other = kind === "InternalAccount" ? "ExternalAccount" : "InternalAccount";
  if (view.get(other, value))
    refuse("ACCOUNT_KIND_NOT_ALLOWED", {
      field,
      value,
      found: KIND_WORDS[other],
      expected: KIND_WORDS[kind],
    });
  return view.get(kind, value) ?? refuse("ACCOUNT_NOT_FOUND", { field, value });
};

/** Both ends of a transfer, and whose they are. */
export interface TransferEnds {
  internal: InternalAccountRecord;
  external: ExternalAccountRecord;
  customer: CustomerRecord | undefined;
}

const SOURCE = "source.accountId";
const DESTINATION = "destination.accountId";

/** Checks the accounts of both directions (spec/transfers.md#check-order). */
const endsOf = (
  view: View,
  { internal, external }: Omit<TransferEnds, "customer">,
  fields: { internal: string; external: string },
): TransferEnds => {
  if (internal.customerId !== external.customerId)
    refuse(
      "OWNER_MISMATCH",
      { field: DESTINATION, sourceOwner: internal.customerId, value: external.customerId },
      {
        says: "The two accounts belong to different owners",
        next: "Use two accounts of one owner: of a customer, or of the platform",
      },
    );
  const { customerId } = internal;
  const customer = customerId === undefined ? undefined : view.get("Customer", customerId);
  if (customer?.isDeleted)
    refuse("CUSTOMER_DELETED_IN_PAYMENT", { field: fields.internal, value: internal.id });
  for (const [account, field] of [
    [internal, fields.internal],
    [external, fields.external],
  ] as const)
    if (account.status !== "ACTIVE")
      refuse("ACCOUNT_NOT_ACTIVE", { field, value: account.id, accountStatus: account.status });
  if (customer) requireReady(view, customer);
  if (internal.currency !== external.currency)
    refuse(
      "INVALID_CURRENCY",
      { field: DESTINATION, currency: external.currency, value: internal.currency },
      {
        says: `One account holds ${internal.currency}, the other ${external.currency}`,
        next: "Use two accounts of one currency, or POST /quotes, which converts",
      },
    );
  return { internal, external, customer };
};

type Transferred = Pick<TransferInput, "source" | "destination">;
type TransferredOut = Pick<TransferOutInput, "source" | "destination">;

/** The accounts of a pull; refuses any others (spec/transfers.md#pullable-sources). */
export const transferInEnds = (view: View, { source, destination }: Transferred): TransferEnds => {
  const external = accountOf(view, "ExternalAccount", { field: SOURCE, value: source.accountId });
  const internal = accountOf(view, "InternalAccount", {
    field: DESTINATION,
    value: destination.accountId,
  });
  requirePullable(external, SOURCE);
  return endsOf(view, { internal, external }, { internal: DESTINATION, external: SOURCE });
};

/** The accounts of a payout; refuses any others (spec/transfers.md#account-kinds). */
export const transferOutEnds = (
  view: View,
  { source, destination }: TransferredOut,
): TransferEnds => {
  const internal = accountOf(view, "InternalAccount", { field: SOURCE, value: source.accountId });
  const external = accountOf(view, "ExternalAccount", {
    field: DESTINATION,
    value: destination.accountId,
  });
  if (internal.type === "EMBEDDED_WALLET")
    refuse("USE_QUOTE", { field: SOURCE, value: internal.id });
  requireTakenRail(view, external, destination.paymentRail);
  return endsOf(view, { internal, external }, { internal: SOURCE, external: DESTINATION });
};

/** Refuses an amount above the largest one (spec/transfers.md#amount). */
export const requireAmount = (amountMinor: number) => {
  if (amountMinor > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", { field: "amount", value: amountMinor, max: MAX_AMOUNT_MINOR });
};

const transferOf = (
  draft: Draft,
  { internal, customer }: TransferEnds,
  {
    amountMinor,
    agentId,
    moment,
  }: { amountMinor: number; agentId: string | undefined; moment: Moment },
) => ({
  id: moment.newId("Transaction"),
  ...partyIdsOf(draft, customer),
  ...defined({ agentId }),
  receivingCurrency: internal.currency,
  receivedMinor: amountMinor,
  feesMinor: 0,
  reference: drawReference(moment),
  createdAtMs: moment.atMs,
  updatedAtMs: moment.atMs,
});

const account = (accountId: string) => ({
  source: { sourceType: "ACCOUNT", accountId } as const,
  destination: { destinationType: "ACCOUNT", accountId } as const,
});

interface TransferCall {
  body: TransferInput;
}

/** A transfer between two accounts that were looked up and checked. */
export interface TransferStart {
  ends: TransferEnds;
  amountMinor: number;
  agentId: string | undefined;
}

/** Ids of the records that a transfer concerns. */
const transferAbout = ({ ends, agentId }: Pick<TransferStart, "ends" | "agentId">) => {
  const { internal, external, customer } = ends;
  return [internal.id, external.id, customer?.id, agentId];
};

/** Refuses a transfer in that would lift the internal account above the largest amount. */
export const requireRoomFor = (view: View, { internal }: TransferEnds, amountMinor: number) =>
  requireRoom(
    view,
    { account: internal.id, currency: internal.currency, amountMinor: BigInt(amountMinor) },
    "amount",
  );

/** Starts a transfer in; refuses an amount above a bound, or one that the account cannot hold. */
export const startTransferIn = (
  draft: Draft,
  { ends, amountMinor, agentId }: TransferStart,
  moment: Moment,
): IncomingRecord => {
  requireAmount(amountMinor);
  requireRoomFor(draft, ends, amountMinor);
  const { external, internal } = ends;
  const suffixOutcome = outcomeFor(TRANSFER_IN_OUTCOMES, scenarioSuffix(external.accountInfo));
  const about = transferAbout({ ends, agentId });
  const row = takeRow(draft, { table: "transferIn", row: suffixOutcome.row, about });
  const rows = [rowName("transferIn", row)];
  const transaction: IncomingRecord = {
    ...transferOf(draft, ends, { amountMinor, agentId, moment }),
    type: "INCOMING",
    status: incomingPaymentLifecycle.starts,
    source: account(external.id).source,
    destination: account(internal.id).destination,
    creditsAccountId: internal.id,
    course: { rows, step: 0 },
  };
  draft.put("Transaction", transaction);
  draft.decidedBy(rows[0] as string);
  return runSteps(draft, transaction, { effects: INCOMING_EFFECTS, moment });
};

/**
 * POST /transfer-in: pulls from an external account. The internal one is credited when the transfer
 * completes; a transfer that fails at its source has collected nothing.
 */
export const transferIn: Rule<TransferCall, IncomingTransaction> = (draft, { body }, moment) => {
  const { amount: amountMinor } = body;
  if (amountMinor === undefined)
    return refuse(
      "INVALID_AMOUNT",
      { field: "amount" },
      "amount is required: the balance of an external account is unknown",
    );
  const ends = transferInEnds(draft, body);
  const start = { ends, amountMinor, agentId: undefined };
  return showIncoming(draft, startTransferIn(draft, start, moment));
};

const wholeBalance = (draft: Draft, { id, currency }: InternalAccountRecord) => {
  const balance = Number(draft.balanceMinor(id, currency));
  if (balance === 0)
    refuse(
      "INVALID_AMOUNT",
      { field: "amount", balance, accountId: id },
      "Without amount the whole balance is sent, but the balance is 0",
    );
  return balance;
};

/** Starts a transfer out; refuses an amount above a bound, or above the balance. */
export const startTransferOut = (
  draft: Draft,
  { ends, amountMinor, agentId, paymentRail }: TransferStart & { paymentRail?: PaymentRail },
  moment: Moment,
): OutgoingRecord => {
  const { external, internal } = ends;
  const { currency } = internal;
  requireAmount(amountMinor);
  requireSize(draft, { currency, amountMinor, field: "amount" });
  requireBalance(draft, internal, amountMinor);
  requireVolume(draft, { currency, amountMinor }, moment);
  const suffixOutcome = outcomeFor(TRANSFER_OUT_OUTCOMES, scenarioSuffix(external.accountInfo));
  const about = transferAbout({ ends, agentId });
  const row = takeRow(draft, { table: "transferOut", row: suffixOutcome.row, about });
  const rows = [rowName("transferOut", row)];
  const transaction: OutgoingRecord = {
    ...transferOf(draft, ends, { amountMinor, agentId, moment }),
    type: "OUTGOING",
    status: outgoingPaymentLifecycle.starts,
    source: account(internal.id).source,
    destination: account(external.id).destination,
    sendingCurrency: internal.currency,
    sentMinor: amountMinor,
    debitsAccountId: internal.id,
    course: { rows, step: 0 },
    ...keptRail(draft, external, paymentRail),
  };
  startPayment(draft, transaction, moment);
  draft.decidedBy(rows[0] as string);
  const collected = collect(draft, transaction, { amountMinor, moment });
  return runSteps(draft, collected, { effects: OUTGOING_EFFECTS, moment });
};

/**
 * POST /transfer-out: debits the internal account at once and pays the external one. Without an
 * amount it sends the whole balance.
 */
export const transferOut: Rule<{ body: TransferOutInput }, OutgoingTransaction> = (
  draft,
  { body },
  moment,
) => {
  const ends = transferOutEnds(draft, body);
  const amountMinor = body.amount ?? wholeBalance(draft, ends.internal);
  const { paymentRail } = body.destination;
  const start = { ends, amountMinor, agentId: undefined, ...defined({ paymentRail }) };
  return showOutgoing(draft, startTransferOut(draft, start, moment));
};
