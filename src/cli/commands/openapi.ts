import { openApiDocument } from "../../api/openapi.ts";
import { VERSION } from "../../version.ts";
import { type Command, EXIT } from "../frame/command.ts";
import { safeJson } from "../text/safe-text.ts";

export const command: Command = {
  name: "openapi",
  summary: "print the API as an OpenAPI 3.1 document",
  options: [],
  examples: ["service-sim openapi > openapi.json"],
  run: async (_invocation, terminal) => {
    const document = openApiDocument(VERSION);
    if (terminal.json) terminal.document(document);
    else terminal.answer(safeJson(document, 2));
    return EXIT.done;
  },
};
