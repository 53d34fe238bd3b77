import { FIRST_REVISION, type Revision } from "../core/revision-names.ts";
import { hasChange, type RevisionChange } from "../core/revisions.ts";

/**
 * Every currency of the service (spec/currencies.md#currency-codes). `decimals` is the number of
 * decimals of a major unit.
 */
export const CURRENCIES = {
  USD: { name: "United States Dollar", symbol: "$", decimals: 2, kind: "fiat" },
  EUR: { name: "Euro", symbol: "€", decimals: 2, kind: "fiat" },
  MXN: { name: "Mexican Peso", symbol: "$", decimals: 2, kind: "fiat" },
  BRL: { name: "Brazilian Real", symbol: "R$", decimals: 2, kind: "fiat" },
  INR: { name: "Indian Rupee", symbol: "₹", decimals: 2, kind: "fiat" },
  BTC: { name: "Bitcoin", symbol: "₿", decimals: 8, kind: "crypto" },
  USDB: { name: "USDB", symbol: "USDB", decimals: 6, kind: "crypto" },
  USDC: { name: "USD Coin", symbol: "USDC", decimals: 6, kind: "crypto" },
  USDT: { name: "Tether USD", symbol: "USDT", decimals: 6, kind: "crypto" },
  GBP: { name: "Pound Sterling", symbol: "£", decimals: 2, kind: "fiat" },
  CAD: { name: "Canadian Dollar", symbol: "$", decimals: 2, kind: "fiat" },
  DKK: { name: "Danish Krone", symbol: "kr", decimals: 2, kind: "fiat" },
  AED: { name: "UAE Dirham", symbol: "AED", decimals: 2, kind: "fiat" },
  HKD: { name: "Hong Kong Dollar", symbol: "$", decimals: 2, kind: "fiat" },
  SGD: { name: "Singapore Dollar", symbol: "$", decimals: 2, kind: "fiat" },
  IDR: { name: "Indonesian Rupiah", symbol: "Rp", decimals: 2, kind: "fiat" },
  MYR: { name: "Malaysian Ringgit", symbol: "RM", decimals: 2, kind: "fiat" },
  PHP: { name: "Philippine Peso", symbol: "₱", decimals: 2, kind: "fiat" },
  THB: { name: "Thai Baht", symbol: "฿", decimals: 2, kind: "fiat" },
  VND: { name: "Vietnamese Dong", symbol: "₫", decimals: 0, kind: "fiat" },
  NGN: { name: "Nigerian Naira", symbol: "₦", decimals: 2, kind: "fiat" },
  KES: { name: "Kenyan Shilling", symbol: "KSh", decimals: 2, kind: "fiat" },
  ZAR: { name: "South African Rand", symbol: "R", decimals: 2, kind: "fiat" },
  TZS: { name: "Tanzanian Shilling", symbol: "TSh", decimals: 2, kind: "fiat" },
  UGX: { name: "Ugandan Shilling", symbol: "USh", decimals: 0, kind: "fiat" },
  RWF: { name: "Rwandan Franc", symbol: "FRw", decimals: 0, kind: "fiat" },
  ZMW: { name: "Zambian Kwacha", symbol: "ZK", decimals: 2, kind: "fiat" },
  MWK: { name: "Malawian Kwacha", symbol: "MK", decimals: 2, kind: "fiat" },
  BWP: { name: "Botswana Pula", symbol: "P", decimals: 2, kind: "fiat" },
  XOF: { name: "West African CFA Franc", symbol: "CFA", decimals: 0, kind: "fiat" },
  XAF: { name: "Central African CFA Franc", symbol: "FCFA", decimals: 0, kind: "fiat" },
  BDT: { name: "Bangladeshi Taka", symbol: "৳", decimals: 2, kind: "fiat" },
  PKR: { name: "Pakistani Rupee", symbol: "₨", decimals: 2, kind: "fiat" },
  COP: { name: "Colombian Peso", symbol: "$", decimals: 2, kind: "fiat" },
  ARS: { name: "Argentine Peso", symbol: "$", decimals: 2, kind: "fiat" },
  EGP: { name: "Egyptian Pound", symbol: "E£", decimals: 2, kind: "fiat" },
  GHS: { name: "Ghanaian Cedi", symbol: "GH₵", decimals: 2, kind: "fiat" },
  GTQ: { name: "Guatemalan Quetzal", symbol: "Q", decimals: 2, kind: "fiat" },
  HTG: { name: "Haitian Gourde", symbol: "G", decimals: 2, kind: "fiat" },
  JMD: { name: "Jamaican Dollar", symbol: "$", decimals: 2, kind: "fiat" },
  CNY: { name: "Chinese Yuan", symbol: "¥", decimals: 2, kind: "fiat", since: "accountForms" },
} as const satisfies Record<string, CurrencyRow>;

interface CurrencyRow {
  name: string;
  symbol: string;
  decimals: number;
  kind: "fiat" | "crypto";
  /** The change that brought it; earlier revisions do not know it. */
  since?: RevisionChange;
}

export type CurrencyCode = keyof typeof CURRENCIES;

/** Tells whether a revision has a currency. */
export const isCurrencyOf = (revision: Revision, code: string): code is CurrencyCode => {
  if (!isCurrencyCode(code)) return false;
  const { since }: CurrencyRow = CURRENCIES[code];
  return since === undefined || hasChange(revision, since);
};

/** The currencies that a revision has. */
export const currencyCodesOf = (revision: Revision): CurrencyCode[] =>
  (Object.keys(CURRENCIES) as CurrencyCode[]).filter((code) => isCurrencyOf(revision, code));

/** A currency of any revision. */
export const isCurrencyCode = (code: string): code is CurrencyCode =>
  Object.hasOwn(CURRENCIES, code);

/** The currencies of the first revision. */
export const CURRENCY_CODES = currencyCodesOf(FIRST_REVISION);

/** A currency as replies show it (spec/currencies.md#currency-object). */
export const currencyObject = (code: CurrencyCode) => {
  const { name, symbol, decimals } = CURRENCIES[code];
  return { code, name, symbol, decimals };
};
