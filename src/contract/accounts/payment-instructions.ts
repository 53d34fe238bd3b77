import * as z from "zod";
import { FIELD, type FieldRule, type PaymentRail } from "../core/account-fields.ts";
import { enumOf, inPascalCase } from "../core/named-shape.ts";
import { CURRENCY_CODES, type CurrencyCode } from "../money/currencies.ts";
import {
  ACCOUNT_TYPE_NAMES,
  type AccountTypeName,
  accountTypeRow,
  EXTERNAL_ACCOUNT_TYPES,
} from "./external-account-types.ts";
import { fieldShape } from "./external-accounts.ts";

/** The members of a payment instruction of one `accountType`. */
export interface InstructionType {
  /** Currencies that it accepts; `assetType`, if present, is one of them. */
  currencies: readonly CurrencyCode[];
  /** Members besides `accountType`, `paymentRails` and `reference`. */
  fields: Record<string, FieldRule>;
  required: readonly string[];
  /** Empty: the variant has no `paymentRails`. */
  rails: readonly PaymentRail[];
  /** Whether it has a `reference`, which ties a deposit to its target. */
  hasReference: boolean;
  /** Crypto network of the variant, as in `source.cryptoNetwork`. */
  network?: string;
}

/**
 * A variant like the external account of its name: a bank with rails and a reference, a wallet with
 * its asset.
 */
const likeAccount = (name: AccountTypeName): InstructionType => {
  const { currencies, fields, required, rails } = accountTypeRow(name);
  if (rails.length > 0) return { currencies, fields, required, rails, hasReference: true };
  return {
    currencies,
    fields: { assetType: { values: currencies }, ...fields },
    required: ["assetType", ...required],
    rails,
    hasReference: false,
    network: name.replace("_WALLET", ""),
  };
};

/** A variant with a single member. */
const only = (
  member: string,
  rule: FieldRule,
  rest: { currencies: readonly CurrencyCode[]; network?: string },
): InstructionType => ({
  fields: { [member]: rule },
  required: [member],
  rails: [],
  hasReference: false,
  ...rest,
});

const { invoice } = EXTERNAL_ACCOUNT_TYPES.LIGHTNING.fields;
const usd = likeAccount("USD_ACCOUNT");
const spark = likeAccount("SPARK_WALLET");

/** Variants that differ from the external account of their name, or have none. */
const WRITTEN_OUT = {
  USD_ACCOUNT: { ...usd, fields: { ...usd.fields, bankName: FIELD.name } },
  BRL_ACCOUNT: only("qrCode", FIELD.sized(1, 512), { currencies: ["BRL"] }),
  COP_ACCOUNT: only("paymentUrl", FIELD.matching(/^https:\/\/[^\s]+$/), { currencies: ["COP"] }),
  INR_ACCOUNT: { ...likeAccount("INR_ACCOUNT"), hasReference: false },
  ARS_ACCOUNT: only("accountNumber", FIELD.matching(/^[0-9]{22}$/), { currencies: ["ARS"] }),
  SPARK_WALLET: { ...spark, fields: { ...spark.fields, invoice } },
  LIGHTNING: only("invoice", invoice, { currencies: ["BTC"], network: "LIGHTNING" }),
  EMBEDDED_WALLET: only("payloadToSign", { minLength: 1 }, { currencies: [] }),
} satisfies Record<string, InstructionType>;

export type InstructionTypeName =
  | Exclude<AccountTypeName, "SWIFT_ACCOUNT">
  | keyof typeof WRITTEN_OUT;

const isInstructed = (name: AccountTypeName) => name !== "SWIFT_ACCOUNT";

/**
 * The 45 variants of payment instructions, in the order in which they are offered
 * (spec/payment-instructions.md#variants).
 */
export const INSTRUCTION_TYPES = Object.fromEntries([
  ...ACCOUNT_TYPE_NAMES.filter(isInstructed).map((name) => [name, likeAccount(name)] as const),
  ...Object.entries<InstructionType>(WRITTEN_OUT),
]) as Record<InstructionTypeName, InstructionType>;

export const INSTRUCTION_TYPE_NAMES = Object.keys(INSTRUCTION_TYPES) as InstructionTypeName[];

/** Variants by the currency that they fund (spec/payment-instructions.md#quote-instructions). */
export const FUNDING_TYPES = Object.fromEntries<readonly InstructionTypeName[]>(
  CURRENCY_CODES.map((code) => [
    code,
    INSTRUCTION_TYPE_NAMES.filter((name) => INSTRUCTION_TYPES[name].currencies.includes(code)),
  ]),
) as Record<CurrencyCode, readonly InstructionTypeName[]>;

/**
 * Networks that carry a currency in, in the order of the variants; empty for fiat
 * (spec/payment-instructions.md#funding-networks).
 */
export const fundingNetworks = (currency: CurrencyCode): string[] =>
  FUNDING_TYPES[currency].flatMap((name) => INSTRUCTION_TYPES[name].network ?? []);

/** One of the rails; a choice of several has a name: `SepaOrSepaInstantRail`. */
const railShape = (rails: readonly PaymentRail[]) =>
  rails.length > 1
    ? enumOf(`${rails.map(inPascalCase).join("Or")}Rail`, rails)
    : z.enum(rails as readonly [PaymentRail]);

const infoShape = (name: InstructionTypeName) => {
  const { fields, required, rails, hasReference } = INSTRUCTION_TYPES[name];
  const members = Object.fromEntries(
    Object.entries(fields).map(([member, rule]) => {
      const shape = fieldShape(rule);
      return [member, required.includes(member) ? shape : shape.optional()];
    }),
  );
  return z
    .strictObject({
      accountType: z.literal(name),
      ...(rails.length > 0 && { paymentRails: z.array(railShape(rails)).min(1) }),
      ...members,
      ...(hasReference && { reference: fieldShape(FIELD.name) }),
    })
    .meta({ id: `${inPascalCase(name)}Instructions` });
};

/**
 * PaymentInstructions of a reply: one way to pay something
 * (spec/payment-instructions.md#item-fields).
 */
export const PaymentInstructions = z.lazy(() => {
  const [first, ...others] = INSTRUCTION_TYPE_NAMES.map(infoShape);
  return z
    .strictObject({
      accountOrWalletInfo: z
        .discriminatedUnion("accountType", [first as NonNullable<typeof first>, ...others])
        .meta({ id: "AccountOrWalletInfo" }),
      instructionsNotes: z.string().optional(),
      isPlatformAccount: z.boolean().optional(),
    })
    .meta({ id: "PaymentInstructions" });
});

/** An item's `accountOrWalletInfo`, with the members of the variant that `accountType` names. */
export type InstructionInfo = { accountType: InstructionTypeName } & Record<string, unknown>;

export interface PaymentInstructions extends z.infer<typeof PaymentInstructions> {
  accountOrWalletInfo: InstructionInfo;
}
