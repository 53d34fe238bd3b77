import * as z from "zod";
import { FIELD, type FieldRule, type PaymentRail } from "../core/account-fields.ts";
import { enumOf, inPascalCase } from "../core/named-shape.ts";
import { added, replaced, withVariants } from "../core/revised-shape.ts";
import {
  FIRST_REVISION,
  LATEST_REVISION,
  REVISIONS,
  type Revision,
} from "../core/revision-names.ts";
import { type CurrencyCode, currencyCodesOf } from "../money/currencies.ts";
import type { ExternalAccountType } from "./account-type-rows.ts";
import {
  type AccountTypeName,
  accountTypeRow,
  accountTypesOf,
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
  /** Members that a rail needs, where not every rail has them. */
  railsByFields?: ExternalAccountType["railsByFields"];
  /** Whether it has a `reference`, which ties a deposit to its target. */
  hasReference: boolean;
  /** Crypto network of the variant, as in `source.cryptoNetwork`. */
  network?: string;
}

/**
 * A variant like the external account of its name: a bank with rails and a reference, a wallet with
 * its asset.
 */
const likeAccount = (name: AccountTypeName, revision: Revision): InstructionType => {
  const { currencies, fields, required, rails, railsByFields } = accountTypeRow(name, revision);
  if (rails.length > 0)
    return {
      ...{ currencies, fields, required, rails, hasReference: true },
      ...(railsByFields && { railsByFields }),
    };
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

/** Variants that differ from the external account of their name, or have none. */
const writtenOut = (revision: Revision) => {
  const like = (name: AccountTypeName) => likeAccount(name, revision);
  const [usd, spark] = [like("USD_ACCOUNT"), like("SPARK_WALLET")];
  return {
    USD_ACCOUNT: { ...usd, fields: { ...usd.fields, bankName: FIELD.name } },
    BRL_ACCOUNT: only("qrCode", FIELD.sized(1, 512), { currencies: ["BRL"] }),
    COP_ACCOUNT: only("paymentUrl", FIELD.matching(/^https:\/\/[^\s]+$/), { currencies: ["COP"] }),
    INR_ACCOUNT: { ...like("INR_ACCOUNT"), hasReference: false },
    ARS_ACCOUNT: only("accountNumber", FIELD.matching(/^[0-9]{22}$/), { currencies: ["ARS"] }),
    SPARK_WALLET: { ...spark, fields: { ...spark.fields, invoice } },
    LIGHTNING: only("invoice", invoice, { currencies: ["BTC"], network: "LIGHTNING" }),
    EMBEDDED_WALLET: only("payloadToSign", { minLength: 1 }, { currencies: [] }),
  } satisfies Record<string, InstructionType>;
};

const bitcoin = only("address", FIELD.sized(14, 90), { currencies: ["BTC"], network: "BITCOIN" });

/** Variants that later revisions changed or brought (spec/later-accounts.md#payment-instructions). */
const writtenLater = () => {
  const like = (name: AccountTypeName) => likeAccount(name, LATEST_REVISION);
  const [usd, ethereum, swift] = [
    like("USD_ACCOUNT"),
    like("ETHEREUM_WALLET"),
    like("SWIFT_ACCOUNT"),
  ];
  const { SPARK_WALLET: spark, COP_ACCOUNT: payout } = writtenOut(LATEST_REVISION);
  return {
    USD_ACCOUNT: { ...usd, fields: { ...usd.fields, bankAddress: FIELD.sized(1, 255) } },
    SPARK_WALLET: { ...spark, fields: { ...spark.fields, assetType: FIELD.sized(1, 16) } },
    COP_ACCOUNT: {
      ...payout,
      fields: { bankName: FIELD.name, ...payout.fields },
      required: ["bankName", ...payout.required],
    },
    ETHEREUM_WALLET: {
      ...ethereum,
      currencies: ["USDC", "USDT"],
      fields: { ...ethereum.fields, assetType: { values: ["USDC", "USDT"] } },
    },
    SWIFT_ACCOUNT: {
      ...swift,
      currencies: [],
      fields: {
        accountHolderName: FIELD.name,
        ...swift.fields,
        bankAddress: FIELD.sized(1, 1024),
        reference: FIELD.name,
      },
      required: ["accountHolderName", ...swift.required],
      hasReference: false,
    },
    BITCOIN_L1: {
      ...bitcoin,
      fields: { ...bitcoin.fields, network: { values: ["BITCOIN"] } },
      required: ["address", "network"],
    },
  } satisfies Record<string, InstructionType>;
};

export type InstructionTypeName =
  | AccountTypeName
  | keyof ReturnType<typeof writtenOut>
  | keyof ReturnType<typeof writtenLater>;

type Types = Readonly<Record<InstructionTypeName, InstructionType>>;

const typesIn = (revision: Revision): Types => {
  const isFirst = revision === FIRST_REVISION;
  const isInstructed = (name: AccountTypeName) => !isFirst || name !== "SWIFT_ACCOUNT";
  return Object.fromEntries([
    ...accountTypesOf(revision)
      .filter(isInstructed)
      .map((name) => [name, likeAccount(name, revision)] as const),
    ...Object.entries<InstructionType>(writtenOut(revision)),
    ...(isFirst ? [] : Object.entries<InstructionType>(writtenLater())),
  ]) as unknown as Types;
};

const TYPES = new Map(REVISIONS.map((revision) => [revision, typesIn(revision)]));

/**
 * The variants of payment instructions of a revision, in the order in which they are offered
 * (spec/payment-instructions.md#variants).
 */
export const instructionTypesOf = (revision: Revision) => TYPES.get(revision) as Types;

/** The 45 variants of the first revision. */
export const INSTRUCTION_TYPES = instructionTypesOf(FIRST_REVISION);

export const INSTRUCTION_TYPE_NAMES = Object.keys(INSTRUCTION_TYPES) as InstructionTypeName[];

/** Variants by the currency that they fund (spec/payment-instructions.md#quote-instructions). */
export const fundingTypes = (
  currency: CurrencyCode,
  revision: Revision = FIRST_REVISION,
): readonly InstructionTypeName[] => BY_CURRENCY.get(revision)?.[currency] ?? [];

const byCurrency = (revision: Revision) => {
  const types = instructionTypesOf(revision);
  const names = Object.keys(types) as InstructionTypeName[];
  return Object.fromEntries(
    currencyCodesOf(revision).map((code) => [
      code,
      names.filter((name) => types[name].currencies.includes(code)),
    ]),
  ) as Partial<Record<CurrencyCode, readonly InstructionTypeName[]>>;
};

const BY_CURRENCY = new Map(REVISIONS.map((revision) => [revision, byCurrency(revision)]));

/**
 * Networks that carry a currency in, in the order of the variants; empty for fiat
 * (spec/payment-instructions.md#funding-networks).
 */
export const fundingNetworks = (
  currency: CurrencyCode,
  revision: Revision = FIRST_REVISION,
): string[] =>
  fundingTypes(currency, revision).flatMap(
    (name) => instructionTypesOf(revision)[name].network ?? [],
  );

/** One of the rails; a choice of several has a name: `SepaOrSepaInstantRail`. */
const railShape = (rails: readonly PaymentRail[]) =>
  rails.length > 1
    ? enumOf(`${rails.map(inPascalCase).join("Or")}Rail`, rails)
    : z.enum(rails as readonly [PaymentRail]);

const infoShape = (name: InstructionTypeName, revision: Revision) => {
  const { fields, required, rails, hasReference } = instructionTypesOf(revision)[name];
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

const laterInfo = (name: InstructionTypeName) =>
  added(
    "paymentForms",
    z.lazy(() => infoShape(name, LATEST_REVISION)),
  );

const infoOf = (name: InstructionTypeName) => {
  const first = infoShape(name, FIRST_REVISION);
  return replaced(first, laterInfo(name)) as unknown as typeof first;
};

const isLater = (name: InstructionTypeName) => !INSTRUCTION_TYPE_NAMES.includes(name);

const laterInfos = () =>
  (Object.keys(instructionTypesOf(LATEST_REVISION)) as InstructionTypeName[])
    .filter(isLater)
    .map(laterInfo);

/**
 * PaymentInstructions of a reply: one way to pay something
 * (spec/payment-instructions.md#item-fields).
 */
export const PaymentInstructions = z.lazy(() => {
  const [first, ...others] = INSTRUCTION_TYPE_NAMES.map(infoOf);
  const types = z.discriminatedUnion("accountType", [
    first as NonNullable<typeof first>,
    ...others,
  ]);
  const infos = withVariants(types, laterInfos()) as unknown as typeof types;
  return z
    .strictObject({
      accountOrWalletInfo: infos.meta({ id: "AccountOrWalletInfo" }),
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
