import { FIELD, type FieldRule, type PaymentRail } from "../core/account-fields.ts";
import { inPascalCase } from "../core/named-shape.ts";
import type { Revision } from "../core/revision-names.ts";
import { hasChange, type RevisionChange } from "../core/revisions.ts";
import type { CurrencyCode } from "../money/currencies.ts";

const { accountNumber, name, phone, swift } = FIELD;

/**
 * Members of an INDIVIDUAL beneficiary that a type can require
 * (spec/external-accounts.md#beneficiary).
 */
export type BeneficiaryField = "address" | "phoneNumber" | "countryOfResidence";

/** The members of one `accountType`, and their meaning. */
export interface ExternalAccountType {
  currencies: readonly CurrencyCode[];
  fields: Record<string, FieldRule>;
  required: readonly string[];
  /** Exactly one of these members is required. */
  exactlyOneOf?: readonly string[];
  /** At least one of these members is required. */
  oneOrMoreOf?: readonly string[];
  /** A member that some values of another member make required. */
  requiredWhen?: { member: string; values: readonly string[]; needs: string };
  /**
   * Rails that depend on members: a rail is offered if all of its members are present
   * (spec/external-accounts.md#rails-by-field).
   */
  railsByFields?: Partial<Record<PaymentRail, readonly string[]>>;
  /** Rails to a BUSINESS beneficiary alone. */
  businessRails?: readonly PaymentRail[];
  /** Empty for a wallet, which has neither rails nor beneficiary. */
  rails: readonly PaymentRail[];
  /** "none" for wallets; otherwise the required members of an INDIVIDUAL besides its name. */
  individualNeeds: "none" | readonly BeneficiaryField[];
  /** Optional members of an INDIVIDUAL to which the type gives a form. */
  individualMay?: Record<string, FieldRule>;
  /**
   * The first of these members that is present holds the identifier
   * (spec/external-accounts.md#identifier).
   */
  identifiedBy: readonly string[];
  /** It may have a `vaspName`, and a beneficiary whose members are those of a wallet's. */
  hasCustody?: true;
  /** The change that brought the type: earlier revisions have no such accounts. */
  since?: RevisionChange;
  /** Differences of the type since a change (spec/later-accounts.md#bank-accounts). */
  later?: LaterType;
}

/** Differences of a type since a change: members that it gained and lost, and other properties. */
export interface LaterType
  extends Partial<Omit<ExternalAccountType, "fields" | "since" | "later">> {
  since: RevisionChange;
  adds?: Record<string, FieldRule>;
  loses?: readonly string[];
}

type Extras = Partial<
  Pick<
    ExternalAccountType,
    | "oneOrMoreOf"
    | "requiredWhen"
    | "railsByFields"
    | "businessRails"
    | "individualNeeds"
    | "individualMay"
  >
>;

interface BankRow extends Extras {
  must?: Record<string, FieldRule>;
  may?: Record<string, FieldRule>;
  rails: readonly PaymentRail[];
  by: readonly string[];
}

/** A bank account, whose members with a rule in `must` are required. */
export const bank = (
  currency: CurrencyCode | readonly CurrencyCode[],
  { must = {}, may = {}, by, ...rest }: BankRow,
): ExternalAccountType => ({
  currencies: typeof currency === "string" ? [currency] : currency,
  fields: { ...must, ...may },
  required: Object.keys(must),
  identifiedBy: by,
  individualNeeds: [],
  ...rest,
});

/** A crypto wallet: since a change it may name its holder and its custodian. */
export const wallet = (
  currencies: readonly CurrencyCode[],
  address: FieldRule,
): ExternalAccountType => ({
  currencies,
  fields: { address },
  required: ["address"],
  rails: [],
  individualNeeds: "none",
  identifiedBy: ["address"],
  later: { since: "walletCustody", hasCustody: true },
});

/** A type with what a change made of it. */
export const changed = (
  row: ExternalAccountType,
  later: Omit<LaterType, "since">,
): ExternalAccountType => ({ ...row, later: { since: "accountForms", ...later } });

/** A type that a change brought. */
export const brought = (row: ExternalAccountType): ExternalAccountType => ({
  ...row,
  since: "accountForms",
});

/** The row as a revision has it; nothing where it is still unknown. */
export const rowIn = (
  row: ExternalAccountType,
  revision: Revision,
): ExternalAccountType | undefined => {
  const { since, later, ...first } = row;
  if (since && !hasChange(revision, since)) return undefined;
  if (!later || !hasChange(revision, later.since)) return first;
  const { since: _change, adds, loses = [], ...others } = later;
  const kept = Object.entries(first.fields).filter(([member]) => !loses.includes(member));
  return { ...first, ...others, fields: { ...Object.fromEntries(kept), ...adds } };
};

/** A named bank, an account number and a BIC. */
export const swiftBank = (
  currency: CurrencyCode,
  rails: readonly PaymentRail[] = ["BANK_TRANSFER"],
) =>
  bank(currency, {
    must: { bankName: name, accountNumber, swiftCode: swift },
    rails,
    by: ["accountNumber"],
  });

/** A phone number at a named provider. */
export const mobileMoney = (currency: CurrencyCode, phoneNumber: FieldRule = phone) =>
  bank(currency, {
    must: { phoneNumber, provider: name },
    rails: ["MOBILE_MONEY"],
    by: ["phoneNumber"],
  });

/** A phone number at a named provider of one of several countries. */
export const regionalMoney = (currency: CurrencyCode, regions: readonly string[]) =>
  bank(currency, {
    must: {
      phoneNumber: phone,
      provider: name,
      region: { name: `${inPascalCase(currency)}Region`, values: regions },
    },
    rails: ["MOBILE_MONEY"],
    by: ["phoneNumber"],
  });
