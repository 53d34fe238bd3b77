import { openApiDocument } from "../../api/openapi.ts";
import { controlOpenApiDocument } from "../../control/openapi.ts";
import { VERSION } from "../../version.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { safeJson } from "../text/safe-text.ts";

export const command: Command = {
  name: "openapi",
  summary: "print the API as an OpenAPI 3.1 document",
  options: [
    {
      flags: "--control",
      summary: "print the operations of the control surface instead",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim openapi > openapi.json",
    "service-sim openapi --control > control-openapi.json",
  ],
  run: async ({ options }, terminal) => {
    const document =
      options.control === true ? controlOpenApiDocument(VERSION) : openApiDocument(VERSION);
    if (terminal.json) terminal.document(document);
    else terminal.answer(safeJson(document, 2));
    return EXIT.done;
  },
};
