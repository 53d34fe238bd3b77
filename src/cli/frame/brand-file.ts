import { readBrand } from "../../domain/platform/brands.ts";
import { userJson } from "../../http/body/user-json.ts";
import { readUserText } from "../../machine/user-text.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { usageError } from "./command.ts";

/** A file is named with a dot or a slash, which no word has: a folder may be called as a brand is. */
const PATH = /[./\\]/;

/** The brand that an option names: a word, or what a JSON file says. */
export const brandOption = (given: string): NonNullable<SimulatorOptions["brand"]> => {
  if (!PATH.test(given)) return given;
  const refuse = (found: string) =>
    usageError(
      `Expected --brand to be a word or a JSON file but found ${found}`,
      "service-sim brand --schema",
    );
  let text: string;
  try {
    text = readUserText(given);
  } catch (error) {
    throw refuse(`${given}: ${(error as NodeJS.ErrnoException).code}`);
  }
  let brand: unknown;
  try {
    brand = userJson(text);
  } catch {
    throw refuse(`no JSON in ${given}`);
  }
  const read = readBrand(brand);
  if (typeof read === "string")
    throw usageError(`--brand: ${given}: ${read}`, "service-sim brand --schema");
  return brand as NonNullable<SimulatorOptions["brand"]>;
};

/** The brand that an option names, read: its word with paths and variables, and its settings. */
export const readBrandOption = (given: string) => {
  const read = readBrand(brandOption(given));
  if (typeof read === "string") throw usageError(`--brand: ${read}`, "service-sim brand --schema");
  return read;
};
