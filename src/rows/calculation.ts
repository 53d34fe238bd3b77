import type { AmountRounding, Calculation, FeePart } from "../contract/control/calculation.ts";
import { CURRENCIES, isCurrencyCode } from "../contract/money/currencies.ts";
import {
  decimalText,
  exactText,
  over,
  parseRational,
  powerOfTen,
  rational,
  times,
} from "../domain/core/rational.ts";
import { money } from "../text/layout.ts";

/** One line of a calculation: `variable fee · 0.3 % of 250.00 USD · -0.75 USD`. */
export interface CalculationLine {
  name: string;
  /** The sum behind the amount, where there is one. */
  says?: string;
  /** The exact value, and the direction of its rounding. */
  rounding?: string;
  amount: string;
}

/** Decimals of a rate that are always shown. */
const RATE_DECIMALS = 4;
/** Decimals that are shown of a value without an end. */
const ENDLESS_DECIMALS = 6;

const padded = (text: string) => {
  const [whole = "", part] = text.split(".");
  return part === undefined ? whole : `${whole}.${part.padEnd(RATE_DECIMALS, "0")}`;
};

const isDecimal = (text: string) => !text.includes("/");

/** A rate as the factor of a sum: `× 0.9200`, or `÷ 17.2500` where that is the exact one. */
export const rateText = (rate: string): string => {
  if (isDecimal(rate)) return `× ${padded(rate)}`;
  const value = parseRational(rate);
  const inverse = over(rational(1n), value);
  const text = exactText(inverse);
  if (isDecimal(text)) return `÷ ${padded(text)}`;
  return value.n < value.d
    ? `÷ ${decimalText(inverse, ENDLESS_DECIMALS)}`
    : `× ${decimalText(value, ENDLESS_DECIMALS)}`;
};

const invertedText = (rate: string) => {
  const text = rateText(rate);
  return (text.startsWith("×") ? "÷" : "×") + text.slice(1);
};

/** An exact amount in major units: `543.478260… USD`. */
const exactMoney = (exact: string, code: string) => {
  const decimals = isCurrencyCode(code) ? CURRENCIES[code].decimals : 0;
  const major = times(parseRational(exact), powerOfTen(-decimals));
  const [whole = "", part = ""] = decimalText(major, decimals + RATE_DECIMALS).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${grouped}${part && `.${part}`} ${code}`;
};

const roundingText = (rounding: AmountRounding | undefined, code: string) =>
  rounding && { rounding: `${exactMoney(rounding.exact, code)}, rounded ${rounding.how}` };

/** The share of a variable fee in percent, exact: `0.3 %`. */
const percent = (share: string) => `${exactText(times(parseRational(share), rational(100n)))} %`;

const feeLine = (
  { part, amount, of, share, rounding }: FeePart,
  { conversion, areFeesOnTop }: Calculation,
): CalculationLine => {
  const base = of && money(of.amount, of.currency);
  const isConverted = of !== undefined && of.currency !== amount.currency;
  const says =
    share !== undefined
      ? `${percent(share)} of ${base}`
      : isConverted && conversion && `${base} ${invertedText(conversion.rate)}`;
  return {
    name: `${part} fee`,
    ...(says && { says }),
    ...roundingText(rounding, amount.currency),
    amount: `${areFeesOnTop ? "+" : "-"}${money(amount.amount, amount.currency)}`,
  };
};

/** The rate in a sum: `249.04 USD × 0.9200 = 229.11 EUR`. */
export const conversionText = ({ conversion }: Calculation): string | undefined => {
  if (!conversion) return undefined;
  const { from, to, rate } = conversion;
  return `${money(from.amount, from.currency)} ${rateText(rate)} = ${money(to.amount, to.currency)}`;
};

/** The exact value of the side that was computed; of the sending one with its sum. */
const conversionRounding = ({ conversion }: Calculation) => {
  if (!conversion?.rounding) return undefined;
  const { from, to, rate, computed, rounding } = conversion;
  if (computed === "to") return roundingText(rounding, to.currency);
  const exact = exactMoney(rounding.exact, from.currency);
  const sum = `${money(to.amount, to.currency)} ${invertedText(rate)} = ${exact}`;
  return { rounding: `${sum}, rounded ${rounding.how}` };
};

const conversionLine = (calculation: Calculation): CalculationLine[] => {
  const { conversion } = calculation;
  const says = conversionText(calculation);
  if (!conversion || says === undefined) return [];
  const amount = money(conversion.to.amount, conversion.to.currency);
  return [{ name: "converted", says, ...conversionRounding(calculation), amount }];
};

/** The steps behind the amounts of a payment, in words. */
export const calculationLines = (calculation: Calculation): CalculationLine[] => {
  const { sends, receives, fees, areFeesOnTop, conversion, lockedSide } = calculation;
  const given = (side: typeof lockedSide) => (lockedSide === side ? { says: "as requested" } : {});
  const ends = {
    sends: { name: "sends", ...given("SENDING"), amount: money(sends.amount, sends.currency) },
    receives: {
      name: "receives",
      ...given("RECEIVING"),
      amount: money(receives.amount, receives.currency),
    },
  };
  const parts = fees.map((fee) => feeLine(fee, calculation));
  if (areFeesOnTop) return [ends.receives, ...parts, { ...ends.sends, name: "sender pays" }];
  const last =
    fees.length === 0 && !conversion && lockedSide === undefined
      ? { ...ends.receives, says: "no fee, no conversion" }
      : ends.receives;
  return [ends.sends, ...parts, ...conversionLine(calculation), last];
};
