import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/api/openapi.ts";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const document = openApiDocument("test") as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: object;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addFormat("int64", true);
ajv.addSchema({ $id: "openapi", ...document });

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

const templateOf = (path: string) =>
  Object.keys(document.paths)
    .filter((template) => {
      const parts = template.split("/");
      const given = path.split("/");
      return (
        parts.length === given.length &&
        parts.every((part, at) => part.startsWith("{") || part === given[at])
      );
    })
    .sort((a, b) => a.split("{").length - b.split("{").length)[0];

const pointer = (...parts: string[]) =>
  `openapi#/${parts.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

/**
 * Compares a response with the OpenAPI document. Complains about an undocumented status and a body
 * that does not match. Unknown paths and methods are not documented anywhere and pass.
 */
export const openApiProblem = (
  request: { method: string; path: string },
  response: { status: number; body: unknown },
): string | undefined => {
  const template = templateOf(request.path.split("?")[0] as string);
  const operation = template && document.paths[template]?.[request.method.toLowerCase()];
  if (!operation) return undefined;
  const name = `${request.method} ${template} ${response.status}`;
  const documented = operation.responses[response.status];
  if (!documented) return `${name} is not documented`;
  if (!documented.content)
    return response.body === "" ? undefined : `${name} has a body where none is documented`;
  let validate = validators.get(name);
  if (!validate) {
    const parts = ["paths", template, request.method.toLowerCase(), "responses"];
    const $ref = pointer(
      ...parts,
      String(response.status),
      "content",
      "application/json",
      "schema",
    );
    validate = ajv.compile({ $ref });
    validators.set(name, validate);
  }
  return validate(response.body) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`;
};
