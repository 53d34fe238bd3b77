import type { Fields } from "./list.ts";

type Key = "status" | "type" | "code" | "id" | "is";

interface Term {
  key?: Key;
  value: string;
}

const KEYS: readonly string[] = ["status", "type", "code", "id", "is"];

const termOf = (word: string): Term => {
  const [, key = "", value = ""] = /^([a-z]+):(.*)$/.exec(word) ?? [];
  return KEYS.includes(key) ? { key: key as Key, value } : { value: word };
};

/** The terms of a filter; a row must match all of them. */
export const termsOf = (text: string) =>
  text.toLowerCase().split(/\s+/).filter(Boolean).map(termOf);

const has = (text: string | undefined, value: string) =>
  text?.toLowerCase().includes(value) === true;

const matchesTerm = ({ key, value }: Term, fields: Fields) => {
  const { id, status, type, code, isOpen, words } = fields;
  if (key === "status") return has(status, value);
  if (key === "type") return has(type, value);
  if (key === "code") return has(code, value.replace(/xx$/, ""));
  if (key === "id") return has(id, value.replace(/^…/, ""));
  if (key === "is") return value === "" || (value === "open") === isOpen;
  return [id, status, type, code, ...words].some((one) => has(one, value));
};

/** Whether a row matches every term. */
export const matches = (terms: readonly Term[], fields: Fields) =>
  terms.every((term) => matchesTerm(term, fields));
