import * as z from "zod";
import type { FieldRule } from "../core/account-fields.ts";
import { Address } from "../core/addresses.ts";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, inPascalCase, named, sharedShape } from "../core/named-shape.ts";
import { CalendarDate, CountryCode, Email, PersonalText } from "../core/scalars.ts";
import {
  ACCOUNT_TYPE_NAMES,
  type AccountTypeName,
  accountTypeRow,
  type BeneficiaryField,
  type ExternalAccountType,
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

type AccountInfoMembers = Record<string, unknown>;

const hasAll = (info: AccountInfoMembers, members: readonly string[]) =>
  members.every((member) => info[member] !== undefined);

/**
 * Rails of an account: those whose members are present, or all of its type
 * (spec/external-accounts.md#rails-by-field).
 */
export const railsOf = (row: ExternalAccountType, info: AccountInfoMembers) =>
  row.railsByFields
    ? row.rails.filter((rail) => hasAll(info, row.railsByFields?.[rail] ?? []))
    : [...row.rails];

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
  if (row.railsByFields && railsOf(row, info).length === 0) {
    const [members] = Object.values(row.railsByFields);
    const missing = members?.find((member) => info[member] === undefined);
    const ways = Object.values(row.railsByFields).map((way) => way?.join(" with "));
    return { member: missing, says: ways.join(", or ") };
  }
  return undefined;
};

const accountInfoShape = (name: AccountTypeName) => {
  const row = accountTypeRow(name);
  const members = Object.fromEntries(
    Object.entries(row.fields).map(([member, rule]) => {
      const shape = fieldShape(rule);
      return [member, row.required.includes(member) ? shape : shape.optional()];
    }),
  );
  const beneficiary =
    row.individualNeeds === "none"
      ? {}
      : { beneficiary: beneficiaryShape(row.individualNeeds, row.individualMay ?? {}) };
  return z
    .looseObject({ accountType: z.literal(name), ...members, ...beneficiary })
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

/**
 * Members of `accountInfo`; members that no table names are stored and shown
 * (spec/external-accounts.md#create-request).
 */
export type AccountInfo = { accountType: AccountTypeName } & Record<string, unknown>;

/** Built when the first account is created: building 44 shapes would slow down every start. */
export const AccountInfoInput = named("ExternalAccountInfo", () => {
  const [first, ...others] = ACCOUNT_TYPE_NAMES.map(accountInfoShape);
  return z.discriminatedUnion("accountType", [first as NonNullable<typeof first>, ...others]);
});

const sharedInput = {
  currency: z.string(),
  platformAccountId: z.string().max(255).optional(),
  accountInfo: AccountInfoInput,
};

/** Body of POST /platform/external-accounts (spec/external-accounts.md#create-request). */
export const PlatformExternalAccountInput = named("PlatformExternalAccountInput", () =>
  z.object(sharedInput),
);

/**
 * Body of POST /customers/external-accounts; without `customerId` the account is the platform's
 * (spec/external-accounts.md#lists).
 */
export const CustomerExternalAccountInput = named("CustomerExternalAccountInput", () =>
  z.object({
    customerId: AnyId.nullable().optional(),
    defaultUmaDepositAccount: z.boolean().optional(),
    ...sharedInput,
  }),
);

export type ExternalAccountInput = z.infer<typeof CustomerExternalAccountInput>;

/** ExternalAccount of a reply (spec/external-accounts.md#account-fields). */
export const ExternalAccount = z.lazy(() =>
  z
    .object({
      id: idOf("ExternalAccount"),
      customerId: idOf("Customer").optional(),
      status: enumOf("ExternalAccountStatus", ["PENDING", "ACTIVE", "UNDER_REVIEW", "INACTIVE"]),
      platformAccountId: z.string().optional(),
      currency: z.string(),
      defaultUmaDepositAccount: z.boolean(),
      beneficiaryVerificationStatus: enumOf(
        "BeneficiaryVerificationStatus",
        VERIFICATION_STATUSES,
      ).optional(),
      beneficiaryVerifiedData: z.object({ fullName: z.string() }).optional(),
      accountInfo: AccountInfoInput as unknown as z.ZodType<AccountInfo>,
    })
    .meta({ id: "ExternalAccount" }),
);

export type ExternalAccount = z.infer<typeof ExternalAccount>;
