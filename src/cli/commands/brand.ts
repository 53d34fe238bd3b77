import { BrandFile } from "../../contract/control/brands.ts";
import { BRANDED_WORDS, brandedWord, OWN_BRAND } from "../../contract/core/brand-words.ts";
import { schemaForEditors } from "../../contract/platform/fixtures.ts";
import { safeJson } from "../../text/safe-text.ts";
import { readBrandOption } from "../frame/brand-file.ts";
import { type Command, EXIT, usageError } from "../frame/command.ts";
import { tableLines } from "../text/table.ts";
import type { Terminal } from "../text/terminal.ts";

const printSchema = (terminal: Terminal) => {
  const schema = schemaForEditors(BrandFile);
  if (terminal.json) terminal.document(schema);
  else terminal.answer(safeJson(schema, 2));
};

/** Every word that a brand changes, as it is stored and as it is on the wire. */
const wordsOf = (brand: string) =>
  BRANDED_WORDS.map(({ at, word }) => ({
    at,
    stored: brandedWord(word, OWN_BRAND),
    onTheWire: brandedWord(word, brand),
  }));

const printWords = (wordOrFile: string, terminal: Terminal) => {
  const { brand, settings } = readBrandOption(wordOrFile);
  const words = wordsOf(brand?.word ?? OWN_BRAND);
  terminal.document({ ...brand, settings, words });
  const rows = words.map(({ at, stored, onTheWire }) => [at, stored, onTheWire]);
  const columns = [{ head: "AT" }, { head: "STORED" }, { head: "ON THE WIRE" }];
  if (!terminal.json)
    for (const line of tableLines(columns, rows, terminal.style)) terminal.print(line);
};

export const command: Command = {
  name: "brand",
  summary: "print the headers and codes that a brand renames, or the schema of brand files",
  operands: "[brand]",
  options: [
    { flags: "--schema", summary: "print the JSON Schema of brand files", noEnvironment: true },
  ],
  examples: ["service-sim brand acme", "service-sim brand --schema > brand.schema.json"],
  run: async ({ args: [wordOrFile], options }, terminal) => {
    if (options.schema === true) printSchema(terminal);
    else if (wordOrFile === undefined)
      throw usageError(
        "say which brand, for example: brand acme",
        "service-sim brand acme",
        "service-sim brand --schema",
      );
    else printWords(wordOrFile, terminal);
    return EXIT.done;
  },
};
