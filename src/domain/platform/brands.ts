import { BrandFile, type BrandInput, BrandWord } from "../../contract/control/brands.ts";
import { BRAND_FORM } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import { judged } from "../../contract/judged.ts";
import type { Opening } from "../records/opening-records.ts";

/** The parts of a world that a brand decides: its word, and the settings that its clients expect. */
export const openingOfBrand = (given: BrandInput): Pick<Opening, "brand" | "settings"> => {
  if (typeof given === "string") return { brand: { word: given }, settings: {} };
  const { word, paths, env, umaDomains, walletCredential, signature, cardEvents, revision } = given;
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
export const readBrand = (given: unknown): Pick<Opening, "brand" | "settings"> | string => {
  const brand = judged<BrandInput>(typeof given === "string" ? BrandWord : BrandFile, given);
  if (brand.success) return openingOfBrand(brand.data);
  if (typeof given === "string") return `Expected ${BRAND_FORM} but found "${given}"`;
  const [issue] = brand.error.issues;
  return `${issue?.path.join(".") || "brand"}: ${issue?.message ?? "Expected a brand"}`;
};
