import * as z from "zod";
import type { FieldRule } from "../core/account-fields.ts";
import { Address } from "../core/addresses.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, inPascalCase, named, sharedShape } from "../core/named-shape.ts";
import {
  added,
  addedValue,
  replaced,
  revised,
  withValues,
  withVariants,
} from "../core/revised-shape.ts";
import { FIRST_REVISION, LATEST_REVISION, type Revision } from "../core/revision-names.ts";
import { CalendarDate, CountryCode, Email, PersonalText } from "../core/scalars.ts";
import type { BeneficiaryField, ExternalAccountType } from "./account-type-rows.ts";
import {
  ACCOUNT_TYPE_NAMES,
  type AccountTypeName,
  accountTypeChange,
  accountTypeRow,
  accountTypesOf,
} from "./external-account-types.ts";

export const VERIFICATION_STATUSES = [
  "MATCHED",
  "PARTIAL_MATCH",
  "NOT_MATCHED",
  "UNSUPPORTED",
  "CHECKED_BY_RECEIVING_FI",
  "PENDING",
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** The schema of one member. */
export const fieldShape = (rule: FieldRule) =>
  rule.name === undefined ? formOf(rule) : sharedShape(rule.name, () => formOf(rule));

const formOf = (rule: FieldRule) => {
  if (rule.values) return z.enum(rule.values as [string, ...string[]]);
  let text = z.string();
  if (rule.minLength !== undefined) text = text.min(rule.minLength);
  if (rule.maxLength !== undefined) text = text.max(rule.maxLength);
  return rule.pattern ? text.regex(rule.pattern) : text;
};

const BENEFICIARY_FIELD_SHAPES = {
  address: Address,
  phoneNumber: PersonalText,
  countryOfResidence: CountryCode,
} satisfies Record<BeneficiaryField, z.ZodType>;

const optionalShapes = (rules: Record<string, FieldRule>) =>
  Object.fromEntries(
    Object.entries(rules).map(([member, rule]) => [member, fieldShape(rule).optional()]),
  );

const BusinessBeneficiary = named("BusinessBeneficiary", () =>
  z.looseObject({
    beneficiaryType: z.literal("BUSINESS"),
    legalName: PersonalText,
    registrationNumber: PersonalText.optional(),
    taxId: PersonalText.optional(),
    email: Email.optional(),
    phoneNumber: PersonalText.optional(),
    countryOfResidence: CountryCode.optional(),
    address: Address.optional(),
  }),
);

/** Name of a beneficiary with the members that a type adds: `BeneficiaryNeedingAddress`. */
const beneficiaryKind = (needs: readonly string[], may: readonly string[]) => {
  const joined = (members: readonly string[]) =>
    members.map((member) => member.charAt(0).toUpperCase() + member.slice(1)).join("And");
  const needing = needs.length > 0 ? `Needing${joined(needs)}` : "";
  return `Beneficiary${needing}${may.length > 0 ? `With${joined(may)}` : ""}`;
};

/**
 * Beneficiary of a bank account (spec/external-accounts.md#beneficiary). The type's row adds to an
 * INDIVIDUAL.
 */
const beneficiaryShape = (needs: readonly BeneficiaryField[], may: Record<string, FieldRule>) => {
  const conditional = (field: BeneficiaryField) =>
    needs.includes(field)
      ? BENEFICIARY_FIELD_SHAPES[field]
      : BENEFICIARY_FIELD_SHAPES[field].optional();
  const kind = beneficiaryKind(needs, Object.keys(may));
  const individual = sharedShape(`Individual${kind}`, () =>
    z.looseObject({
      beneficiaryType: z.literal("INDIVIDUAL"),
      fullName: PersonalText,
      birthDate: CalendarDate.optional(),
      nationality: CountryCode.optional(),
      email: Email.optional(),
      phoneNumber: conditional("phoneNumber"),
      countryOfResidence: conditional("countryOfResidence"),
      address: conditional("address"),
      ...optionalShapes(may),
    }),
  );
  return sharedShape(kind, () =>
    z.discriminatedUnion("beneficiaryType", [individual, BusinessBeneficiary]),
  );
};

/** Beneficiary of a crypto wallet (spec/later-accounts.md#wallets). */
const WalletBeneficiary = named("WalletBeneficiary", () =>
  z.discriminatedUnion("beneficiaryType", [
    z
      .looseObject({
        beneficiaryType: z.literal("INDIVIDUAL"),
        fullName: PersonalText,
        countryOfResidence: CountryCode,
      })
      .meta({ id: "IndividualWalletBeneficiary" }),
    BusinessBeneficiary,
  ]),
);

const holderShapes = ({ individualNeeds, individualMay, hasCustody }: ExternalAccountType) => {
  if (individualNeeds !== "none")
    return { beneficiary: beneficiaryShape(individualNeeds, individualMay ?? {}) };
  if (!hasCustody) return {};
  return { beneficiary: WalletBeneficiary.optional(), vaspName: PersonalText.optional() };
};

type AccountInfoMembers = Record<string, unknown>;

const hasAll = (info: AccountInfoMembers, members: readonly string[]) =>
  members.every((member) => info[member] !== undefined);

const isBusiness = ({ beneficiary }: AccountInfoMembers) =>
  (beneficiary as { beneficiaryType?: string } | undefined)?.beneficiaryType === "BUSINESS";

/**
 * Rails of an account: those whose members are present, or all of its type
 * (spec/external-accounts.md#rails-by-field).
 */
export const railsOf = (row: ExternalAccountType, info: AccountInfoMembers) =>
  row.rails.filter(
    (rail) =>
      hasAll(info, row.railsByFields?.[rail] ?? []) &&
      (!row.businessRails?.includes(rail) || isBusiness(info)),
  );

/** The first problem of a combination of members, if there is one. */
const combinationProblem = (row: ExternalAccountType, info: AccountInfoMembers) => {
  const present = row.exactlyOneOf?.filter((member) => info[member] !== undefined);
  if (present && present.length !== 1)
    return {
      member: row.exactlyOneOf?.[0],
      says: `exactly one of ${row.exactlyOneOf?.join(", ")}`,
    };
  if (row.oneOrMoreOf?.every((member) => info[member] === undefined))
    return { member: row.oneOrMoreOf[0], says: `one of ${row.oneOrMoreOf.join(", ")}` };
  const when = row.requiredWhen;
  if (when?.values.includes(String(info[when.member])) && info[when.needs] === undefined)
    return { member: when.needs, says: `${when.needs} for ${when.member} ${info[when.member]}` };
  return row.railsByFields && railsOf(row, info).length === 0
    ? railProblem(row.railsByFields, info)
    : undefined;
};

/** The problem of an account that no rail of its type reaches. */
const railProblem = (
  ways: NonNullable<ExternalAccountType["railsByFields"]>,
  info: AccountInfoMembers,
) => {
  const [members = []] = Object.values(ways);
  const missing = members.find((member) => info[member] === undefined);
  const words = Object.values(ways).map((way) => way?.join(" with "));
  return missing === undefined
    ? { member: "beneficiary", says: "a BUSINESS beneficiary for a bank account" }
    : { member: missing, says: [...new Set(words)].join(", or ") };
};

const accountInfoShape = (name: AccountTypeName, revision: Revision) => {
  const row = accountTypeRow(name, revision);
  const members = Object.fromEntries(
    Object.entries(row.fields).map(([member, rule]) => {
      const shape = fieldShape(rule);
      return [member, row.required.includes(member) ? shape : shape.optional()];
    }),
  );
  return z
    .looseObject({ accountType: z.literal(name), ...members, ...holderShapes(row) })
    .check((ctx) => {
      const problem = combinationProblem(row, ctx.value as AccountInfoMembers);
      if (problem)
        ctx.issues.push({
          code: "custom",
          path: [problem.member ?? "accountType"],
          message: `Expected ${problem.says}`,
          input: ctx.value,
        });
    })
    .meta({ id: `${inPascalCase(name)}Info` });
};

/** The shape of a type in the first revision, with that of the latest one behind it. */
const infoOfType = (name: AccountTypeName) => {
  const first = accountInfoShape(name, FIRST_REVISION);
  const change = accountTypeChange(name);
  if (!change) return first;
  const later = z.lazy(() => accountInfoShape(name, LATEST_REVISION));
  return replaced(first, added(change, later)) as unknown as typeof first;
};

/** Shapes of the types that later revisions brought. */
const laterInfos = () =>
  accountTypesOf(LATEST_REVISION)
    .filter((name) => !ACCOUNT_TYPE_NAMES.includes(name))
    .map((name) =>
      added(
        "accountForms",
        z.lazy(() => accountInfoShape(name, LATEST_REVISION)),
      ),
    );

/**
 * Members of `accountInfo`; members that no table names are stored and shown
 * (spec/external-accounts.md#create-request).
 */
export type AccountInfo = { accountType: AccountTypeName } & Record<string, unknown>;

/** Built when the first account is created: building 44 shapes would slow down every start. */
export const AccountInfoInput = named("ExternalAccountInfo", () => {
  const [first, ...others] = ACCOUNT_TYPE_NAMES.map(infoOfType);
  const types = z.discriminatedUnion("accountType", [
    first as NonNullable<typeof first>,
    ...others,
  ]);
  return withVariants(types, laterInfos()) as unknown as typeof types;
});

/** Owners of an external account, as its creator says. */
export const OWNERSHIP_TYPES = ["FIRST_PARTY", "THIRD_PARTY"] as const;
export type OwnershipType = (typeof OWNERSHIP_TYPES)[number];

const ownership = {
  ownershipType: added("accountOwnership", enumOf("OwnershipType", OWNERSHIP_TYPES).optional()),
};

export const EXTERNAL_ACCOUNT_STATUSES = ["PENDING", "ACTIVE", "UNDER_REVIEW", "INACTIVE"] as const;

/** Statuses of a wallet whose owner must prove that it is theirs. */
export const OWNERSHIP_STATUSES = ["PENDING_OWNERSHIP_VERIFICATION", "UNVERIFIED"] as const;

export type ExternalAccountStatus =
  | (typeof EXTERNAL_ACCOUNT_STATUSES)[number]
  | (typeof OWNERSHIP_STATUSES)[number];

/** Status of an external account, with those of later revisions. */
export const ExternalAccountStatus = withValues(
  enumOf("ExternalAccountStatus", EXTERNAL_ACCOUNT_STATUSES),
  {
    PENDING_OWNERSHIP_VERIFICATION: addedValue("accountOwnership"),
    UNVERIFIED: addedValue("accountOwnership"),
  },
);

const sharedInput = {
  currency: z.string(),
  platformAccountId: z.string().max(255).optional(),
  accountInfo: AccountInfoInput,
};

/** Body of POST /platform/external-accounts (spec/external-accounts.md#create-request). */
export const PlatformExternalAccountInput = named("PlatformExternalAccountInput", () =>
  revised(z.object(sharedInput), ownership),
);

/**
 * Body of POST /customers/external-accounts; without `customerId` the account is the platform's
 * (spec/external-accounts.md#lists).
 */
export const CustomerExternalAccountInput = named("CustomerExternalAccountInput", () =>
  revised(
    z.object({
      customerId: AnyId.nullable().optional(),
      defaultUmaDepositAccount: z.boolean().optional(),
      ...sharedInput,
    }),
    ownership,
  ),
);

export type ExternalAccountInput = z.infer<typeof CustomerExternalAccountInput>;

/** ExternalAccount of a reply (spec/external-accounts.md#account-fields). */
export const ExternalAccount = z.lazy(() =>
  revised(
    z.object({
      id: idOf("ExternalAccount"),
      customerId: idOf("Customer").optional(),
      status: ExternalAccountStatus,
      platformAccountId: z.string().optional(),
      currency: z.string(),
      defaultUmaDepositAccount: z.boolean(),
      beneficiaryVerificationStatus: enumOf(
        "BeneficiaryVerificationStatus",
        VERIFICATION_STATUSES,
      ).optional(),
      beneficiaryVerifiedData: z.object({ fullName: z.string() }).optional(),
      accountInfo: AccountInfoInput as unknown as z.ZodType<AccountInfo>,
    }),
    ownership,
  ).meta({ id: "ExternalAccount" }),
);

export type ExternalAccount = z.infer<typeof ExternalAccount>;
