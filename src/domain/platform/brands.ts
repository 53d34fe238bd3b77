import { BrandFile, type BrandInput, BrandWord } from "../../contract/control/brands.ts";
import { BRAND_FORM } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { judged } from "../../contract/judged.ts";
import type { InitialSettings } from "../records/initial-settings.ts";

/** The parts of a world that a brand decides: its word, and the settings that its clients expect. */
export const openingOfBrand = (input: BrandInput): Pick<InitialSettings, "brand" | "settings"> => {
  if (typeof input === "string") return { brand: { word: input }, settings: {} };
  const { word, paths, env, umaDomains, walletCredential, signature, cardEvents, revision } = input;
  return {
    brand: { word, ...defined({ paths, env }) },
    settings: defined({
      sandboxUmaDomains: umaDomains,
      walletCredential,
      webhookSignature: signature,
      cardEvents,
      revision,
    }),
  };
};

/** Reads a brand as somebody gives it; a text says what is wrong with it. */
export const readBrand = (input: unknown): Pick<InitialSettings, "brand" | "settings"> | string => {
  const brand = judged<BrandInput>(typeof input === "string" ? BrandWord : BrandFile, input);
  if (brand.success) return openingOfBrand(brand.data);
  if (typeof input === "string") return `Expected ${BRAND_FORM} but found "${input}"`;
  const [issue] = judged(BrandFile, input).error?.issues ?? [];
  if (!issue) return `Expected ${BRAND_FORM}, or an object with one but found ${shownValue(input)}`;
  const { path, message } = issue;
  const name = issue.code === "unrecognized_keys" ? (issue.keys[0] ?? "") : undefined;
  const place = [...path, ...(name === undefined ? [] : [name])].join(".");
  const value = name ?? (issue.code === "invalid_key" ? path.at(-1) : valueAt(input, path));
  const says = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? message) : message;
  return `${place === "" ? "" : `${place}: `}${says} but found ${shownValue(value)}`;
};
