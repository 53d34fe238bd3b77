import { accountTypeRow } from "../../contract/accounts/external-account-types.ts";
import type {
  AccountInfo,
  ExternalAccount,
  ExternalAccountInput,
  ExternalAccountStatus,
} from "../../contract/accounts/external-accounts.ts";
import { defined } from "../../contract/core/defined.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { type CurrencyCode, isCurrencyCode } from "../../contract/money/currencies.ts";
import {
  type Draft,
  find,
  type Moment,
  type Reading,
  type Rule,
  type View,
} from "../core/draft.ts";
import { emit } from "../core/events.ts";
import { type ListInput, page } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { revisionOf } from "../core/revision.ts";
import { refuseCustomerInBody } from "../core/unknown-customers.ts";
import { chooseRow, refuseByRow, useRow } from "../outcomes/next-outcomes.ts";
import {
  BENEFICIARY_VERIFICATION_OUTCOMES,
  OTHER_HOLDER_NAME,
  outcomeFor,
  type VerificationOutcome,
} from "../outcomes/outcomes.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import { primaryIdentifier } from "../records/primary-identifier.ts";
import type { ExternalAccountRecord } from "../records/records.ts";
import { holderKey, identityKey, PLATFORM_OWNER } from "../records/tables.ts";
import { withCustodian } from "./exchange-directory.ts";
import { keptInfo, showExternalAccount } from "./shown-external-accounts.ts";

const beneficiaryName = (info: AccountInfo) => {
  const beneficiary = info.beneficiary as { fullName?: string; legalName?: string } | undefined;
  return beneficiary?.fullName ?? beneficiary?.legalName ?? "";
};

const withLastWordAsInitial = (name: string) => {
  const words = name.split(" ");
  const last = words.pop() ?? "";
  return [...words, `${last.slice(0, 1)}.`].join(" ");
};

const REPORTED_NAMES: Record<VerificationOutcome["reports"], (name: string) => string | undefined> =
  {
    submitted: (name) => name,
    initial: withLastWordAsInitial,
    other: () => OTHER_HOLDER_NAME,
    nothing: () => undefined,
  };

const outcomeOf = (row: string | undefined) =>
  outcomeFor<VerificationOutcome>(BENEFICIARY_VERIFICATION_OUTCOMES, row);

/**
 * Result of name verification for a new account; wallets have no name to verify
 * (spec/external-accounts.md#name-verification).
 */
const verify = (draft: Draft, info: AccountInfo, about: readonly (string | undefined)[]) => {
  const table = "beneficiaryVerification" as const;
  const suffixOutcome = outcomeOf(scenarioSuffix(info));
  const isNamed = accountTypeRow(info.accountType).individualNeeds !== "none";
  // An account without a name is only ever refused.
  const takes = (row: string) => isNamed || outcomeOf(row).outcome.status === "REFUSED";
  const chosen = chooseRow(draft, { table, row: suffixOutcome.row, about, takes });
  const { outcome } = outcomeOf(chosen.row);
  const { status } = outcome;
  const rule = ruleName(table, chosen.row);
  if (status === "REFUSED") {
    const { field, value } = primaryIdentifier(info);
    const words = chosen.setBy === undefined ? `${field} ending 105` : `The outcome ${rule}`;
    return refuseByRow(chosen, "INVALID_BANK_ACCOUNT", {
      details: { field: `accountInfo.${field}`, value, rule },
      words: `${words} simulates an invalid account`,
    });
  }
  if (!isNamed) return {};
  useRow(draft, chosen);
  draft.decidedBy(rule);
  const name = REPORTED_NAMES[outcome.reports](beneficiaryName(info));
  return {
    beneficiaryVerificationStatus: status,
    ...defined({ beneficiaryVerifiedName: name }),
  };
};

const currencyOf = (
  info: AccountInfo,
  { currency, revision }: { currency: string; revision: Revision },
): CurrencyCode => {
  const { currencies } = accountTypeRow(info.accountType, revision);
  if (isCurrencyCode(currency) && currencies.includes(currency)) return currency;
  return refuse(
    "INVALID_CURRENCY",
    { field: "currency", value: currency, currency, expected: currencies },
    `Expected ${info.accountType} to hold ${currencies.join(" or ")} but found ${currency}`,
  );
};

const clearDefaultDeposit = (draft: Draft, customerId: string) => {
  for (const account of find(draft, "ExternalAccount", ["byOwner", customerId]))
    if (account.defaultUmaDepositAccount)
      draft.put("ExternalAccount", { ...account, defaultUmaDepositAccount: false });
};

/** Creates an account after checks in a fixed order (spec/external-accounts.md#create-errors). */
const create = (draft: Draft, input: ExternalAccountInput, moment: Moment): ExternalAccount => {
  const { currency, platformAccountId, customerId, ownershipType } = input;
  const { platformAccountId: nestedId, paymentRails: _asked, ...members } = input.accountInfo;
  const revision = revisionOf(draft);
  const accountInfo = withCustodian(draft, keptInfo(members as AccountInfo, revision));
  const customer = customerId == null ? undefined : draft.get("Customer", customerId);
  if (customerId != null && (!customer || customer.isDeleted))
    return refuseCustomerInBody(draft, { field: "customerId", value: customerId });
  const held = currencyOf(accountInfo, { currency, revision });
  const identity = identityKey(customerId ?? PLATFORM_OWNER, { accountInfo, currency: held });
  const [existingAccountId] = draft.ids("ExternalAccount", "byIdentity", identity);
  if (existingAccountId) refuse("EXTERNAL_ACCOUNT_EXISTS", { existingAccountId });
  const verified = verify(draft, accountInfo, [customerId ?? undefined]);
  const isDefault = input.defaultUmaDepositAccount === true && customerId != null;
  if (isDefault) clearDefaultDeposit(draft, customerId);
  const liftedId = platformAccountId ?? (typeof nestedId === "string" ? nestedId : undefined);
  const account: ExternalAccountRecord = {
    id: moment.newId("ExternalAccount"),
    ...(customerId != null && { customerId }),
    status: "ACTIVE",
    ...defined({ ownershipType, platformAccountId: liftedId }),
    currency: held,
    defaultUmaDepositAccount: isDefault,
    ...verified,
    accountInfo,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("ExternalAccount", account);
  return showExternalAccount(draft, account);
};

/**
 * Sets an account's status; a change sends an event
 * (spec/later-accounts.md#statuses-of-external-accounts).
 */
export const setExternalAccountStatus = (
  draft: Draft,
  { account, status }: { account: ExternalAccountRecord; status: ExternalAccountStatus },
  moment: Moment,
): ExternalAccountRecord => {
  if (account.status === status) return account;
  const changed = { ...account, status, updatedAtMs: moment.atMs };
  draft.put("ExternalAccount", changed);
  emit(draft, moment, {
    type: "EXTERNAL_ACCOUNT.STATUS_UPDATED",
    data: showExternalAccount(draft, changed),
  });
  return changed;
};

/** POST /customers/external-accounts (spec/external-accounts.md#create-request). */
export const createCustomerExternalAccount: Rule<
  { body: ExternalAccountInput },
  ExternalAccount
> = (draft, { body }, moment) => create(draft, body, moment);

/** POST /platform/external-accounts: the same without a customer. */
export const createPlatformExternalAccount: Rule<
  { body: Omit<ExternalAccountInput, "customerId" | "defaultUmaDepositAccount"> },
  ExternalAccount
> = (draft, { body }, moment) => create(draft, body, moment);

type Scope = "customer" | "platform";

/** Finds an external account of a customer, or one of the platform; else 404. */
export const accountInScope = (view: View, id: string, scope: Scope): ExternalAccountRecord => {
  const account = view.get("ExternalAccount", id);
  const isInScope =
    account && (account.customerId === undefined ? "platform" : "customer") === scope;
  return isInScope ? account : refuse("REFERENCE_NOT_FOUND", { id, resource: "ExternalAccount" });
};

/** The account of either scope in a path; 404 if there is none. */
export const externalAccountByPath: Reading<
  { params: { externalAccountId: string } },
  ExternalAccountRecord
> = (view, { params: { externalAccountId: id } }) =>
  view.get("ExternalAccount", id) ??
  refuse("REFERENCE_NOT_FOUND", { id, resource: "ExternalAccount" });

/**
 * GET of one external account; an id of the other scope is unknown
 * (spec/external-accounts.md#lists).
 */
export const getExternalAccount =
  (scope: Scope): Reading<{ params: { externalAccountId: string } }, ExternalAccount> =>
  (view, { params }) =>
    showExternalAccount(view, accountInScope(view, params.externalAccountId, scope));

interface AccountFilters {
  currency?: string | undefined;
  customerId?: string | undefined;
}

/** GET of the external accounts of a scope (spec/external-accounts.md#lists). */
export const listExternalAccounts =
  (scope: Scope): Reading<ListInput<AccountFilters>, unknown> =>
  (view, input) => {
    const { currency } = input.query;
    const customerId = scope === "customer" ? input.query.customerId : undefined;
    const isUnfiltered = currency === undefined && customerId === undefined;
    return page(view, {
      kind: "ExternalAccount",
      input,
      indexed: [
        ["byHolder", isUnfiltered ? holderKey(scope, "") : undefined],
        ["byOwner", customerId === PLATFORM_OWNER ? "" : customerId],
        ["byCurrency", currency === undefined ? undefined : holderKey(scope, currency)],
      ],
      show: showExternalAccount,
    });
  };

/**
 * DELETE of one external account (spec/external-accounts.md#deletion). Quotes to it can no longer
 * be executed; payments in progress continue.
 */
export const deleteExternalAccount =
  (scope: Scope): Rule<{ params: { externalAccountId: string } }, void> =>
  (draft, { params }) =>
    draft.del("ExternalAccount", accountInScope(draft, params.externalAccountId, scope).id);

/**
 * Refuses to pull from a wallet; every bank account can be pulled from
 * (spec/transfers.md#pullable-sources).
 */
export const requirePullable = ({ id, accountInfo }: ExternalAccountRecord, field: string) => {
  if (accountTypeRow(accountInfo.accountType).individualNeeds === "none")
    refuse("SOURCE_NOT_PULLABLE", { field, value: id, accountType: accountInfo.accountType });
};
