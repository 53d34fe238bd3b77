import type { Revision } from "./revision-names.ts";

/** The word in place of which a brand stands, as everything that is stored has it. */
export const OWN_BRAND = "service";

/**
 * Words on the wire that carry the brand (spec/brand.md#words). `{brand}` is the word as it is
 * written in a name, `{Brand}` with a capital, `{BRAND}` in capitals.
 */
export const BRANDED_WORDS = [
  { at: "request header", word: "{Brand}-Wallet-Signature" },
  { at: "request header, in lowercase", word: "{lower}-wallet-signature" },
  { at: "webhook header", word: "X-{Brand}-Signature" },
  { at: "webhook header, in lowercase", word: "x-{lower}-signature" },
  { at: "member of rate details", word: "{brand}ApiMultiplier" },
  { at: "member of rate details", word: "{brand}ApiFixedFee" },
  { at: "member of rate details", word: "{brand}ApiVariableFeeRate" },
  { at: "member of rate details", word: "{brand}ApiVariableFeeAmount" },
  { at: "error code", word: "{BRAND}_SWITCH_ERROR" },
  { at: "device code", word: "{BRAND}-AGENT-" },
  { at: "device code, in lowercase", word: "{lower}-agent-" },
] as const;

/** Letters and digits, the first of them a letter: the word stands in names of members. */
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]{0,31}$/;

/** In words, a text that is a brand. */
export const BRAND_FORM = "a word of at most 32 letters and digits that begins with a letter";

/** Tests if a text can stand in place of the brand. */
export const isBrandWord = (text: string): boolean => IDENTIFIER.test(text);

const small = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A word of the table in the form that a brand gives it. */
export const brandedWord = (word: string, brand: string): string =>
  word
    .replace("{brand}", small(brand))
    .replace("{Brand}", capital(brand))
    .replace("{BRAND}", brand.toUpperCase())
    .replace("{lower}", brand.toLowerCase());

const replacing = (from: string, to: string) => {
  const pairs = BRANDED_WORDS.map(({ word }): [string, string] => [
    brandedWord(word, from),
    brandedWord(word, to),
  ]);
  const words = new Map(pairs);
  const pattern = new RegExp([...words.keys()].join("|"), "g");
  return (text: string) => text.replace(pattern, (match) => words.get(match) ?? match);
};

const inwardValue = (value: unknown, inward: (text: string) => string): unknown => {
  if (typeof value === "string") return inward(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inwardValue(item, inward));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [inward(name), inwardValue(member, inward)]),
  );
};

/** A brand with what its clients expect, as a brand file has it (spec/brand.md#file). */
export interface BrandFile {
  $schema?: string | undefined;
  /** Word in place of `service`. */
  word: string;
  /** Domains of the sandbox's people. */
  umaDomains?: readonly string[] | undefined;
  /** The credential of a new wallet. */
  walletCredential?: "none" | "email" | undefined;
  /** Form of the signature header. */
  signature?: "base64" | "json" | undefined;
  /** Spelling of the two card events. */
  cardEvents?: "lower" | "upper" | undefined;
  revision?: Revision | undefined;
  /** Versions of the API by further paths that they are mounted at. */
  paths?: Readonly<Record<string, string>> | undefined;
  /** Sets of variables that `service-sim env` prints, each with the value that it is given. */
  env?: readonly Readonly<Record<string, string>>[] | undefined;
}

/** The brand of a world, as the report of its settings shows it. */
export type WorldBrand = Pick<BrandFile, "word" | "paths" | "env">;

/** The two ways of a brand: what is stored never carries it, what is on the wire always does. */
export interface Brand {
  readonly word: string;
  /** Name of the header with a wallet's signature, in small letters. */
  readonly walletHeader: string;
  /** Name of the header with a webhook's signature. */
  readonly webhookHeader: string;
  /** A text on its way out. */
  outward(text: string): string;
  /** A text on its way in. */
  inward(text: string): string;
  /** A JSON value on its way in, with the names of its members. */
  inwardValue(value: unknown): unknown;
}

const known = new Map<string, Brand>();

/** The brand of a word; one word has one. */
export const brandOf = (word: string): Brand => {
  const made = known.get(word);
  if (made) return made;
  const inward = replacing(word, OWN_BRAND);
  const brand: Brand = {
    word,
    walletHeader: brandedWord("{lower}-wallet-signature", word),
    webhookHeader: brandedWord("X-{Brand}-Signature", word),
    outward: replacing(OWN_BRAND, word),
    inward,
    inwardValue: (value) => inwardValue(value, inward),
  };
  known.set(word, brand);
  return brand;
};

/** The word of a world without a brand: its mapping changes nothing. */
export const OWN = brandOf(OWN_BRAND);
