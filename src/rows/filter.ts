import type { MinorAmount } from "../contract/control/values.ts";
import { CURRENCIES, isCurrencyCode } from "../contract/money/currencies.ts";
import type { Fields } from "./list.ts";

type Key = "status" | "type" | "code" | "id" | "is";

/** One word of a filter. */
export interface Term {
  key?: Key;
  value: string;
  /** Set when an amount may be meant: its digits without groups, or part of a currency's code. */
  amount?: { digits: string } | { code: string };
}

const KEYS: Readonly<Record<string, Key>> = {
  status: "status",
  type: "type",
  kind: "type",
  code: "code",
  id: "id",
  is: "is",
};

const CODES = Object.keys(CURRENCIES);

const amountIn = (value: string): Pick<Term, "amount"> => {
  if (/^[-+]?[\d,]*\.?\d+$|^[-+]?[\d,]+\.$/.test(value))
    return { amount: { digits: value.replace(/[,+]/g, "") } };
  const code = value.toUpperCase();
  return CODES.some((one) => one.includes(code)) ? { amount: { code } } : {};
};

const termOf = (word: string): Term => {
  const [, name = "", given = ""] = /^([a-z]+):(.*)$/.exec(word) ?? [];
  const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  if (key !== undefined) return { key, value: given.replace(/^…/, "") };
  // Ids are copied as they are shown, with an ellipsis.
  const value = word.replace(/^…|^\.{3}/, "");
  return { value, ...amountIn(value) };
};

/** The terms of a filter; a row must match all of them. */
export const termsOf = (text: string): Term[] =>
  text.toLowerCase().split(/\s+/).filter(Boolean).map(termOf);

const has = (text: string | undefined, value: string) =>
  text?.toLowerCase().includes(value) === true;

/** `1250.00` for 125,000 US cents. */
const plainAmount = ({ amount, currency }: MinorAmount) => {
  const decimals = isCurrencyCode(currency) ? CURRENCIES[currency].decimals : 0;
  if (decimals === 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  const sign = amount < 0 ? "-" : "";
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const matchesAmount = (sought: NonNullable<Term["amount"]>, amount: MinorAmount | undefined) => {
  if (amount === undefined) return false;
  return "code" in sought
    ? amount.currency.includes(sought.code)
    : plainAmount(amount).includes(sought.digits);
};

const matchesTerm = ({ key, value, amount }: Term, fields: Fields) => {
  const { id, status, type, code } = fields;
  if (key === "status") return has(status, value);
  if (key === "type") return has(type, value);
  if (key === "code") return has(code, value.replace(/xx$/, ""));
  if (key === "id") return has(id, value);
  if (key === "is") return value === "" || (value === "open") === fields.isOpen;
  if (has(id, value) || has(status, value) || has(type, value) || has(code, value)) return true;
  if (fields.words?.().some((one) => has(one, value))) return true;
  return amount !== undefined && fields.amounts?.().some((one) => matchesAmount(amount, one));
};

/** Whether a row matches every term. */
export const matches = (terms: readonly Term[], fields: Fields) =>
  terms.every((term) => matchesTerm(term, fields));
