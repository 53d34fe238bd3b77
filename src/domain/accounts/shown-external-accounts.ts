import type { ExternalAccountType } from "../../contract/accounts/account-type-rows.ts";
import { accountTypeRow } from "../../contract/accounts/external-account-types.ts";
import {
  type AccountInfo,
  type ExternalAccount,
  type ExternalAccountStatus,
  railsOf,
} from "../../contract/accounts/external-accounts.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import type { View } from "../core/draft.ts";
import { type LaterMembers, revisionOf, shownIn } from "../core/revision.ts";
import type { ExternalAccountRecord } from "../records/records.ts";

/** Name of a bank that an account does not have, where its revision requires one. */
const UNKNOWN_BANK = "Unknown bank";

/** Banks that a BIC names (spec/later-accounts.md#accounts-of-earlier-revisions). */
const BANKS_BY_BIC: Readonly<Record<string, string>> = {
  DBSSSGSG: "DBS Bank",
  OCBCSGSG: "OCBC Bank",
  UOVBSGSG: "United Overseas Bank",
};

/** Statuses that the first revision has instead of later ones. */
const FIRST_STATUS: Partial<Record<ExternalAccountStatus, ExternalAccountStatus>> = {
  PENDING_OWNERSHIP_VERIFICATION: "PENDING",
  UNVERIFIED: "INACTIVE",
};

const LATER_MEMBERS: LaterMembers<ExternalAccount, ExternalAccountRecord> = {
  status: { since: "accountOwnership", value: (_view, { status }) => status },
  ownershipType: { since: "accountOwnership", value: (_view, account) => account.ownershipType },
};

/** The details without members that a revision took from their type. */
export const keptInfo = (info: AccountInfo, revision: Revision): AccountInfo => {
  const { fields } = accountTypeRow(info.accountType, revision);
  const lost = Object.keys(accountTypeRow(info.accountType).fields).filter(
    (member) => !Object.hasOwn(fields, member),
  );
  if (lost.every((member) => info[member] === undefined)) return info;
  return Object.fromEntries(
    Object.entries(info).filter(([member]) => !lost.includes(member)),
  ) as AccountInfo;
};

const bankNameOf = (info: AccountInfo, { fields, required }: ExternalAccountType) => {
  if (info.bankName !== undefined || !fields.bankName) return undefined;
  const bank = BANKS_BY_BIC[String(info.swiftCode).slice(0, 8)];
  return bank ?? (required.includes("bankName") ? UNKNOWN_BANK : undefined);
};

interface Individual {
  beneficiaryType?: string;
  countryOfResidence?: string;
  address?: { country?: string };
}

const beneficiaryOf = (info: AccountInfo, { individualNeeds }: ExternalAccountType) => {
  const beneficiary = info.beneficiary as Individual | undefined;
  if (beneficiary?.beneficiaryType !== "INDIVIDUAL") return undefined;
  const lacksCountry =
    individualNeeds.includes("countryOfResidence") && beneficiary.countryOfResidence === undefined;
  const countryOfResidence =
    beneficiary.address?.country ?? (info.iban as string | undefined)?.slice(0, 2);
  return lacksCountry && countryOfResidence !== undefined
    ? { ...beneficiary, countryOfResidence }
    : undefined;
};

/**
 * Details as a revision has them: an account of another one lacks members that this one requires
 * (spec/later-accounts.md#accounts-of-earlier-revisions).
 */
const infoIn = (info: AccountInfo, revision: Revision): AccountInfo => {
  const row = accountTypeRow(info.accountType, revision);
  const kept = keptInfo(info, revision);
  const bankName = bankNameOf(info, row);
  const beneficiary = beneficiaryOf(info, row);
  if (bankName === undefined && beneficiary === undefined) return kept;
  return { ...kept, ...(bankName && { bankName }), ...(beneficiary && { beneficiary }) };
};

/**
 * Rails of an account in a revision. One that no rail of this revision reaches keeps those that it
 * was made with.
 */
const railsIn = (info: AccountInfo, revision: Revision): PaymentRail[] => {
  const rails = railsOf(accountTypeRow(info.accountType, revision), infoIn(info, revision));
  return rails.length > 0 ? rails : railsOf(accountTypeRow(info.accountType), info);
};

/** The rails that an account takes in the revision of its world. */
export const railsOfAccount = (view: View, { accountInfo }: ExternalAccountRecord) =>
  railsIn(accountInfo, revisionOf(view));

/** Shows an account (spec/external-accounts.md#account-fields). */
export const showExternalAccount = (
  view: View,
  account: ExternalAccountRecord,
): ExternalAccount => {
  const {
    createdAtMs: _created,
    updatedAtMs: _updated,
    beneficiaryVerifiedName,
    ownershipType: _ownership,
    ...kept
  } = account;
  const revision = revisionOf(view);
  const rails = railsIn(account.accountInfo, revision);
  const shown: ExternalAccount = {
    ...kept,
    status: FIRST_STATUS[kept.status] ?? kept.status,
    ...(beneficiaryVerifiedName !== undefined && {
      beneficiaryVerifiedData: { fullName: beneficiaryVerifiedName },
    }),
    accountInfo: {
      ...infoIn(account.accountInfo, revision),
      ...(rails.length > 0 && { paymentRails: rails }),
    },
  };
  return shownIn(view, shown, [account, LATER_MEMBERS]);
};
