import {
  fundingNetworks,
  fundingTypes,
  type InstructionType,
  type InstructionTypeName,
  instructionTypesOf,
  type PaymentInstructions,
} from "../../contract/accounts/payment-instructions.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import { FIRST_REVISION, type Revision } from "../../contract/core/revision-names.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import { shake256 } from "../../crypto/shake.ts";
import { BASE32 } from "../core/draft.ts";
import { HashText } from "../core/hash-text.ts";
import { refuse } from "../core/refusal.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import { FUNDING_VALUES, type Use } from "./funding-values.ts";

type Offered = keyof typeof FUNDING_VALUES;

/** The target of an instruction, and the reference that the payer states. */
interface Target extends Omit<Use, "asset"> {
  id: string;
  revision: Revision;
  /** The network that the payer named. */
  network?: string | undefined;
  currency: CurrencyCode;
  isPlatform: boolean;
  referenceFor: (draws: HashText) => string;
}

/** Conditions of variants that are not offered to every target. */
const OFFERED_IF: Partial<Record<InstructionTypeName, (target: Target) => boolean>> = {
  SLV_ACCOUNT: ({ region }) => region === "SV",
  // An invoice is for one payment, so an account cannot have one.
  LIGHTNING: ({ on }) => on === "quote",
  BITCOIN_L1: ({ network }) => network === "BITCOIN",
};

/**
 * Stablecoins that an account in another currency accepts too
 * (spec/internal-accounts.md#funding-instructions).
 */
const ALSO_TAKEN: Partial<Record<CurrencyCode, { accountType: Offered; asset: CurrencyCode }>> = {
  USD: { accountType: "SOLANA_WALLET", asset: "USDC" },
};

/**
 * Rails of a quote, for variants with slow rails: the money must arrive before the quote expires
 * (spec/payment-instructions.md#instant-rails). All rails of other variants count as instant.
 */
const QUOTE_RAILS: Partial<Record<InstructionTypeName, readonly PaymentRail[]>> = {
  DKK_ACCOUNT: ["SEPA_INSTANT"],
  EUR_ACCOUNT: ["SEPA_INSTANT"],
  SGD_ACCOUNT: ["PAYNOW", "FAST"],
  USD_ACCOUNT: ["RTP", "FEDNOW", "WIRE"],
};

/** Largest number of bytes that the values of one owner use. */
const DRAWN_BYTES = 192;

/**
 * The variants offered to a target: those for everyone, then the stablecoin, then the conditional
 * ones.
 */
const offersFor = (target: Target) => {
  const { currency, on, revision } = target;
  const early = fundingTypes(currency);
  const all = fundingTypes(currency, revision) as readonly Offered[];
  // Values are drawn in this order: those of the first revision stay as they are there.
  const types = [
    ...all.filter((type) => early.includes(type)),
    ...all.filter((type) => !early.includes(type)),
  ];
  const open = types.filter((type) => !OFFERED_IF[type]);
  const conditional = types.filter((type) => OFFERED_IF[type]?.(target));
  const own = (accountType: Offered) => ({ accountType, asset: currency });
  const also = on === "account" ? ALSO_TAKEN[currency] : undefined;
  return [...open.map(own), ...(also ? [also] : []), ...conditional.map(own)];
};

/** Values of the members that a variant has; all are drawn, so that each revision gives the same. */
const valuesOf = (
  accountType: Offered,
  { fields }: InstructionType,
  { draws, use }: { draws: HashText; use: Use },
) => {
  const values: Record<string, string> = {};
  for (const [member, value] of Object.entries(FUNDING_VALUES[accountType])) {
    const text = value(draws, use);
    if (text !== undefined && member in fields) values[member] = text;
  }
  return values;
};

/** Rails of a variant whose members it has values for. */
const railsWith = (
  { rails, railsByFields }: InstructionType,
  values: Readonly<Record<string, string>>,
) => rails.filter((rail) => (railsByFields?.[rail] ?? []).every((member) => member in values));

/**
 * Instructions for a target. All values come from a hash of its id, so every reading gives the same
 * (spec/payment-instructions.md#stable-values).
 */
const instructionsFor = (target: Target): PaymentInstructions[] => {
  const { id, on, region, invoice, isPlatform, referenceFor } = target;
  const types = instructionTypesOf(target.revision);
  const draws = new HashText(shake256(id, DRAWN_BYTES));
  const reference = referenceFor(draws);
  return offersFor(target).map(({ accountType, asset }) => {
    const { hasReference } = types[accountType];
    const use = { on, asset, region, invoice };
    const values = valuesOf(accountType, types[accountType], { draws, use });
    const instant = on === "quote" ? QUOTE_RAILS[accountType] : undefined;
    const offered = instant ?? railsWith(types[accountType], values);
    return {
      accountOrWalletInfo: {
        accountType,
        ...(offered.length > 0 && { paymentRails: offered }),
        ...values,
        ...(hasReference && { reference }),
      },
      ...(hasReference && { instructionsNotes: `Put ${reference} in the memo line` }),
      isPlatformAccount: isPlatform,
    };
  });
};

const shown = new Map<string, PaymentInstructions[]>();
const MAX_SHOWN = 1000;

type Account = Pick<InternalAccountRecord, "id" | "currency" | "type" | "customerId">;

/**
 * Instructions for paying into an internal account
 * (spec/internal-accounts.md#funding-instructions). The latest ones are cached, since each balance
 * change shows them; callers must not modify them.
 */
export const accountInstructions = (
  account: Account,
  region?: string,
  revision: Revision = FIRST_REVISION,
): PaymentInstructions[] => {
  const { id, currency, customerId } = account;
  const isPlatform = customerId === undefined;
  const key = `${id} ${currency} ${isPlatform} ${region} ${revision}`;
  const known = shown.get(key);
  if (known) return known;
  const items = instructionsFor({
    id,
    currency,
    revision,
    on: "account",
    region,
    invoice: undefined,
    isPlatform,
    referenceFor: (draws) => `FUND-${draws.fill("######", BASE32)}`,
  });
  if (shown.size >= MAX_SHOWN) shown.clear();
  shown.set(key, items);
  return items;
};

const isOver = (network: string, revision: Revision) => (item: PaymentInstructions) =>
  instructionTypesOf(revision)[item.accountOrWalletInfo.accountType].network === network;

/**
 * Instructions for paying a quote just in time (spec/payment-instructions.md#quote-instructions).
 * They have instant rails only and the payment's own reference, and one network if the quote names
 * one.
 */
export const quoteInstructions = (quote: {
  id: string;
  currency: CurrencyCode;
  cryptoNetwork?: string;
  region?: string;
  /** The Lightning invoice that pays the quote, if there is one. */
  invoice?: string;
  reference: string;
  isPlatform: boolean;
  revision?: Revision;
}): PaymentInstructions[] => {
  const { cryptoNetwork, reference, region, invoice, revision = FIRST_REVISION, ...rest } = quote;
  const items = instructionsFor({
    ...rest,
    revision,
    network: cryptoNetwork,
    on: "quote",
    region,
    invoice,
    referenceFor: () => reference,
  });
  return cryptoNetwork === undefined ? items : items.filter(isOver(cryptoNetwork, revision));
};

/**
 * Refuses a network that cannot carry a currency in
 * (spec/payment-instructions.md#funding-networks). Bitcoin's own chain is a valid choice without
 * instructions here, so it is 501.
 */
export const requireFundingNetwork = (
  currency: CurrencyCode,
  cryptoNetwork: string | undefined,
  revision: Revision = FIRST_REVISION,
): void => {
  if (cryptoNetwork === undefined) return;
  const allowed = fundingNetworks(currency, revision);
  if (allowed.includes(cryptoNetwork)) return;
  if (currency === "BTC" && cryptoNetwork === "BITCOIN")
    refuse("NOT_IMPLEMENTED", { what: "Funding a quote over BITCOIN" });
  const ways = allowed.length > 0 ? allowed.join(" or ") : "left out";
  refuse(
    "INVALID_INPUT",
    { field: "source.cryptoNetwork", value: cryptoNetwork, allowed },
    `Expected source.cryptoNetwork of ${currency} to be ${ways} but found ${cryptoNetwork}`,
  );
};
