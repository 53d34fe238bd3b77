import { readBrand } from "../../domain/platform/brands.ts";
import { userJson } from "../../http/body/user-json.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { readUserText } from "../../machine/user-text.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { usageError } from "./command.ts";

/** A file is named with a dot or a slash, which no word has: a folder may be called as a brand is. */
const PATH = /[./\\]/;

/** The brand that an option names: a word, or what a JSON file says. */
export const brandOption = (wordOrFile: string): NonNullable<SimulatorOptions["brand"]> => {
  if (!PATH.test(wordOrFile)) return wordOrFile;
  const refuse = (found: string) =>
    usageError(
      `Expected --brand to be a word or a JSON file but found ${found}`,
      "service-sim brand --schema",
    );
  let text: string;
  try {
    text = readUserText(wordOrFile);
  } catch (error) {
    throw refuse(`${wordOrFile}: ${fileFault(error)}`);
  }
  let brand: unknown;
  try {
    brand = userJson(text);
  } catch {
    throw refuse(`text that is not JSON in ${wordOrFile}`);
  }
  const read = readBrand(brand);
  if (typeof read === "string")
    throw usageError(`--brand: ${wordOrFile}: ${read}`, "service-sim brand --schema");
  return brand as NonNullable<SimulatorOptions["brand"]>;
};

/** The brand that an option names, read: its word with paths and variables, and its settings. */
export const readBrandOption = (wordOrFile: string) => {
  const read = readBrand(brandOption(wordOrFile));
  if (typeof read === "string") throw usageError(`--brand: ${read}`, "service-sim brand --schema");
  return read;
};
