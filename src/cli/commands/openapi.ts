import { sharedOpenApi } from "../../api/openapi.ts";
import { brandOf, OWN_BRAND } from "../../contract/core/brand-words.ts";
import { sharedControlOpenApi } from "../../control/openapi.ts";
import { safeJson } from "../../text/safe-text.ts";
import { VERSION } from "../../version.ts";
import { readBrandOption } from "../frame/brand-file.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { REVISION_OPTION, revisionIn } from "../frame/revision-option.ts";

/** A document as a simulator of a brand serves it. */
const inBrand = (document: object, wordOrFile: string): object => {
  const { brand } = readBrandOption(wordOrFile);
  return JSON.parse(brandOf(brand?.word ?? OWN_BRAND).outward(JSON.stringify(document)));
};

export const command: Command = {
  name: "openapi",
  summary: "print the API as an OpenAPI 3.1 document",
  options: [
    {
      flags: "--control",
      summary: "print the operations of the control surface instead",
      noEnvironment: true,
    },
    {
      flags: "--brand <word or file>",
      summary: "as a simulator of that brand serves it (default: service)",
      noEnvironment: true,
    },
    REVISION_OPTION,
  ],
  examples: [
    "service-sim openapi > openapi.json",
    "service-sim openapi --control > control-openapi.json",
    "service-sim openapi --brand acme > acme-openapi.json",
    "service-sim openapi --revision 2026-08 > later-openapi.json",
  ],
  run: async ({ options }, terminal) => {
    const shared = options.control === true ? sharedControlOpenApi : sharedOpenApi;
    const { document: own } = await shared(VERSION, revisionIn(options).revision);
    const document = typeof options.brand === "string" ? inBrand(own, options.brand) : own;
    if (terminal.json) terminal.document(document);
    else terminal.answer(safeJson(document, 2));
    return EXIT.done;
  },
};
