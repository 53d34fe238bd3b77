import {
  type InternalAccount,
  type InternalAccountStatus,
  type InternalAccountType,
  MAX_SANDBOX_FUND_MINOR,
} from "../../contract/accounts/internal-accounts.ts";
import type { PaymentInstructions } from "../../contract/accounts/payment-instructions.ts";
import { defined } from "../../contract/core/defined.ts";
import { CURRENCIES, type CurrencyCode, currencyObject } from "../../contract/money/currencies.ts";
import {
  type Draft,
  find,
  instant,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { type LaterMembers, revisionOf, shownIn } from "../core/revision.ts";
import { LEDGER_ACCOUNTS, postMovement } from "../money/ledger.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { holderKey, PLATFORM_OWNER } from "../records/tables.ts";
import { accountInstructions } from "./payment-instructions.ts";

/**
 * The currency whose customer account is the embedded wallet
 * (spec/internal-accounts.md#account-types).
 */
const WALLET_CURRENCY = "USDB";

/** Type of an account, by its owner and its currency (spec/currencies.md#account-currency). */
const accountType = (currency: CurrencyCode, customerId?: string): InternalAccountType => {
  if (customerId !== undefined && currency === WALLET_CURRENCY) return "EMBEDDED_WALLET";
  return CURRENCIES[currency].kind === "fiat" ? "INTERNAL_FIAT" : "INTERNAL_CRYPTO";
};

const regionOf = (view: View, { customerId }: InternalAccountRecord) =>
  customerId === undefined ? undefined : view.get("Customer", customerId)?.region;

/** Money that is held for merchants of cards, and can come back to the account. */
const heldMinor = (view: View, { id }: InternalAccountRecord) =>
  find(view, "CardTransaction", ["byHold", id]).reduce((sum, { heldMinor }) => sum + heldMinor, 0);

const amountOf = (
  { currency }: InternalAccountRecord,
  amount: number,
): InternalAccount["balance"] => ({ amount, currency: currencyObject(currency) });

const balanceOf = (view: View, { id, currency }: InternalAccountRecord) =>
  Number(view.balanceMinor(id, currency));

const LATER_MEMBERS: LaterMembers<InternalAccount, InternalAccountRecord> = {
  totalBalance: {
    since: "totalBalances",
    value: (view, account) =>
      amountOf(account, balanceOf(view, account) + heldMinor(view, account)),
  },
  status: { since: "failedAccounts", value: (_view, { status }) => status },
  fundingPaymentInstructions: {
    since: "paymentForms",
    value: (view, account) =>
      account.fundingPaymentInstructions ??
      accountInstructions(account, regionOf(view, account), revisionOf(view)),
  },
};

/** Shows an account (spec/internal-accounts.md#account-fields). */
export const showInternalAccount = (
  view: View,
  account: InternalAccountRecord,
): InternalAccount => {
  const shown: InternalAccount = {
    id: account.id,
    ...defined({ customerId: account.customerId }),
    type: account.type,
    status: account.status === "FAILED" ? "CLOSED" : account.status,
    balance: amountOf(account, balanceOf(view, account)),
    fundingPaymentInstructions: accountInstructions(account, regionOf(view, account)),
    ...defined({ privateEnabled: account.privateEnabled }),
    createdAt: instant(account.createdAtMs),
    updatedAt: instant(account.updatedAtMs),
  };
  return shownIn(view, shown, [account, LATER_MEMBERS]);
};

/**
 * Opens an account of a customer, or of the platform without a `customerId`
 * (spec/internal-accounts.md#opening-of-accounts).
 * @param owner.suffix ending of the id, for rules that read account ids
 */
export const openInternalAccount = (
  draft: Draft,
  { suffix, ...owner }: { currency: CurrencyCode; customerId?: string; suffix?: string },
  moment: Moment,
): InternalAccountRecord => {
  const type = accountType(owner.currency, owner.customerId);
  const account: InternalAccountRecord = {
    id: moment.newId("InternalAccount", suffix),
    ...owner,
    type,
    status: "ACTIVE",
    ...(type === "EMBEDDED_WALLET" && { privateEnabled: false }),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("InternalAccount", account);
  return account;
};

/** Sets an account's status; a change sends an event (spec/internal-accounts.md#account-status). */
export const setAccountStatus = (
  draft: Draft,
  { account, status }: { account: InternalAccountRecord; status: InternalAccountStatus },
  moment: Moment,
): InternalAccountRecord => {
  if (account.status === status) return account;
  const changed = { ...account, status, updatedAtMs: moment.atMs };
  draft.put("InternalAccount", changed);
  announceStatus(draft, changed, moment);
  return changed;
};

/** Sends the event of an account's status. */
export const announceStatus = (draft: Draft, account: InternalAccountRecord, moment: Moment) =>
  emit(draft, moment, {
    type: "INTERNAL_ACCOUNT.STATUS_UPDATED",
    data: showInternalAccount(draft, account),
  });

/**
 * Replaces the instructions that an account has by itself; a change sends an event
 * (spec/later-accounts.md#instructions-that-the-operator-sets).
 */
export const setFundingInstructions = (
  draft: Draft,
  {
    account,
    instructions,
  }: { account: InternalAccountRecord; instructions: PaymentInstructions[] },
  moment: Moment,
): InternalAccountRecord => {
  const shown = ({ fundingPaymentInstructions }: InternalAccount) =>
    JSON.stringify(fundingPaymentInstructions);
  const changed = {
    ...account,
    fundingPaymentInstructions: instructions,
    updatedAtMs: moment.atMs,
  };
  if (shown(showInternalAccount(draft, account)) === shown(showInternalAccount(draft, changed)))
    return account;
  draft.put("InternalAccount", changed);
  emit(draft, moment, {
    type: "INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED",
    data: showInternalAccount(draft, changed),
  });
  return changed;
};

/**
 * Sends the event of a balance change, and stamps the account
 * (spec/internal-accounts.md#balance-changes).
 */
export const announceBalance = (draft: Draft, accountId: string, moment: Moment) => {
  const account = draft.get("InternalAccount", accountId);
  if (!account) return;
  const stamped = { ...account, updatedAtMs: moment.atMs };
  draft.put("InternalAccount", stamped);
  emit(draft, moment, {
    type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    data: showInternalAccount(draft, stamped),
  });
};

/** The same where only the total changed: an account that shows none has nothing to tell. */
export const announceTotal = (draft: Draft, accountId: string, moment: Moment) => {
  const account = draft.get("InternalAccount", accountId);
  if (account && showInternalAccount(draft, account).totalBalance)
    announceBalance(draft, accountId, moment);
};

/** The account in a path; 404 if there is none. */
export const accountByPath: Reading<{ params: { accountId: string } }, InternalAccountRecord> = (
  view,
  { params: { accountId: id } },
) =>
  view.get("InternalAccount", id) ??
  refuse("REFERENCE_NOT_FOUND", { id, resource: "InternalAccount" });

/**
 * POST /sandbox/internal-accounts/{accountId}/fund: credits any internal account at once, without a
 * transaction (spec/internal-accounts.md#sandbox-funding).
 */
export const fundInternalAccount: Rule<
  { params: { accountId: string }; body: { amount: number } },
  InternalAccount
> = (draft, { params, body: { amount } }, moment) => {
  const { accountId } = params;
  const account = accountByPath(draft, { params }, moment);
  const { customerId } = account;
  if (customerId !== undefined && draft.get("Customer", customerId)?.isDeleted)
    refuse("CUSTOMER_DELETED_IN_PAYMENT", { field: "accountId", value: accountId });
  if (account.status !== "ACTIVE")
    refuse("ACCOUNT_NOT_ACTIVE", {
      field: "accountId",
      value: accountId,
      accountStatus: account.status,
    });
  if (amount > MAX_SANDBOX_FUND_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", { field: "amount", value: amount, max: MAX_SANDBOX_FUND_MINOR });
  const { currency } = account;
  postMovement(draft, [
    { account: LEDGER_ACCOUNTS.funding, currency, amountMinor: -BigInt(amount) },
    { account: accountId, currency, amountMinor: BigInt(amount) },
  ]);
  announceBalance(draft, accountId, moment);
  return showInternalAccount(draft, draft.get("InternalAccount", accountId) ?? account);
};

interface AccountFilters {
  currency?: string | undefined;
  customerId?: string | undefined;
  type?: InternalAccountType | undefined;
}

/**
 * GET /customers/internal-accounts: accounts with a customer only
 * (spec/internal-accounts.md#account-lists).
 */
export const listCustomerAccounts: Reading<ListInput<AccountFilters>, unknown> = (view, input) => {
  const { currency, customerId, type } = input.query;
  const held = (value: string | undefined) =>
    value === undefined ? undefined : holderKey("customer", value);
  const isUnfiltered = currency === undefined && customerId === undefined && type === undefined;
  return page(view, {
    kind: "InternalAccount",
    input,
    indexed: [
      ["byHolder", isUnfiltered ? holderKey("customer", "") : undefined],
      // The platform is not a customer, although it has an owner key in the index.
      ["byOwner", customerId === PLATFORM_OWNER ? "" : customerId],
      ["byCurrency", held(currency)],
      ["byType", held(type)],
    ],
    show: showInternalAccount,
  });
};

/** GET /platform/internal-accounts: not paged (spec/internal-accounts.md#account-lists). */
export const listPlatformAccounts: Reading<
  { query: AccountFilters },
  { data: InternalAccount[] }
> = (view, { query }) => {
  const accounts = find(view, "InternalAccount", ["byOwner", PLATFORM_OWNER]).filter(
    (account) =>
      (query.currency === undefined || account.currency === query.currency) &&
      (query.type === undefined || account.type === query.type),
  );
  return { data: accounts.reverse().map((account) => showInternalAccount(view, account)) };
};

/** Refuses a debit above the balance (spec/internal-accounts.md#balance-bounds). */
export const requireBalance = (view: View, account: InternalAccountRecord, neededMinor: number) => {
  const balance = Number(view.balanceMinor(account.id, account.currency));
  if (balance < neededMinor)
    refuse("INSUFFICIENT_BALANCE", {
      accountId: account.id,
      currency: account.currency,
      balance,
      needed: neededMinor,
    });
};
