import { describe, expect, test } from "vitest";
import {
  CURRENCIES,
  CURRENCY_CODES,
  currencyObject,
  isCurrencyCode,
} from "../../../src/contract/money/currencies.ts";
import { Currency } from "../../../src/contract/money/money.ts";

/** The published currencies (spec/currencies.md#currency-codes). */
const PUBLISHED = [
  { code: "USD", name: "United States Dollar", symbol: "$", decimals: 2 },
  { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
  { code: "MXN", name: "Mexican Peso", symbol: "$", decimals: 2 },
  { code: "BRL", name: "Brazilian Real", symbol: "R$", decimals: 2 },
  { code: "INR", name: "Indian Rupee", symbol: "₹", decimals: 2 },
  { code: "BTC", name: "Bitcoin", symbol: "₿", decimals: 8 },
  { code: "USDB", name: "USDB", symbol: "USDB", decimals: 6 },
  { code: "USDC", name: "USD Coin", symbol: "USDC", decimals: 6 },
  { code: "USDT", name: "Tether USD", symbol: "USDT", decimals: 6 },
  { code: "GBP", name: "Pound Sterling", symbol: "£", decimals: 2 },
  { code: "CAD", name: "Canadian Dollar", symbol: "$", decimals: 2 },
  { code: "DKK", name: "Danish Krone", symbol: "kr", decimals: 2 },
  { code: "AED", name: "UAE Dirham", symbol: "AED", decimals: 2 },
  { code: "HKD", name: "Hong Kong Dollar", symbol: "$", decimals: 2 },
  { code: "SGD", name: "Singapore Dollar", symbol: "$", decimals: 2 },
  { code: "IDR", name: "Indonesian Rupiah", symbol: "Rp", decimals: 2 },
  { code: "MYR", name: "Malaysian Ringgit", symbol: "RM", decimals: 2 },
  { code: "PHP", name: "Philippine Peso", symbol: "₱", decimals: 2 },
  { code: "THB", name: "Thai Baht", symbol: "฿", decimals: 2 },
  { code: "VND", name: "Vietnamese Dong", symbol: "₫", decimals: 0 },
  { code: "NGN", name: "Nigerian Naira", symbol: "₦", decimals: 2 },
  { code: "KES", name: "Kenyan Shilling", symbol: "KSh", decimals: 2 },
  { code: "ZAR", name: "South African Rand", symbol: "R", decimals: 2 },
  { code: "TZS", name: "Tanzanian Shilling", symbol: "TSh", decimals: 2 },
  { code: "UGX", name: "Ugandan Shilling", symbol: "USh", decimals: 0 },
  { code: "RWF", name: "Rwandan Franc", symbol: "FRw", decimals: 0 },
  { code: "ZMW", name: "Zambian Kwacha", symbol: "ZK", decimals: 2 },
  { code: "MWK", name: "Malawian Kwacha", symbol: "MK", decimals: 2 },
  { code: "BWP", name: "Botswana Pula", symbol: "P", decimals: 2 },
  { code: "XOF", name: "West African CFA Franc", symbol: "CFA", decimals: 0 },
  { code: "XAF", name: "Central African CFA Franc", symbol: "FCFA", decimals: 0 },
  { code: "BDT", name: "Bangladeshi Taka", symbol: "৳", decimals: 2 },
  { code: "PKR", name: "Pakistani Rupee", symbol: "₨", decimals: 2 },
  { code: "COP", name: "Colombian Peso", symbol: "$", decimals: 2 },
  { code: "ARS", name: "Argentine Peso", symbol: "$", decimals: 2 },
  { code: "EGP", name: "Egyptian Pound", symbol: "E£", decimals: 2 },
  { code: "GHS", name: "Ghanaian Cedi", symbol: "GH₵", decimals: 2 },
  { code: "GTQ", name: "Guatemalan Quetzal", symbol: "Q", decimals: 2 },
  { code: "HTG", name: "Haitian Gourde", symbol: "G", decimals: 2 },
  { code: "JMD", name: "Jamaican Dollar", symbol: "$", decimals: 2 },
] as const;

describe("the currency", () => {
  test.each(PUBLISHED)("$code is $name, $symbol, with $decimals decimals", (row) => {
    const { code } = row;
    expect(currencyObject(code)).toEqual(row);
    expect(Currency.safeParse(currencyObject(code)).success).toBe(true);
    expect(isCurrencyCode(code)).toBe(true);
  });

  test("registry holds these forty and no other", () => {
    expect([...CURRENCY_CODES].sort()).toEqual(PUBLISHED.map(({ code }) => code as string).sort());
    expect(PUBLISHED.length).toBe(40);
  });

  test("registry tells crypto from fiat", () => {
    const crypto = CURRENCY_CODES.filter((code) => CURRENCIES[code].kind === "crypto");
    expect(crypto.sort()).toEqual(["BTC", "USDB", "USDC", "USDT"]);
  });
});

describe("no currency is", () => {
  test.each(["usd", "US", "USDX", "", " USD", "XYZ", "toString", "constructor", "__proto__"])(
    "%j",
    (code) => {
      expect(isCurrencyCode(code)).toBe(false);
    },
  );
});
