import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { openApiDocument } from "../../src/api/openapi.ts";
import { FIRST_REVISION, type Revision } from "../../src/contract/core/revision-names.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { wholePart } from "../../src/http/openapi/references.ts";
import { noteRefusals } from "./met-refusals.ts";

interface DocumentedError {
  code: string;
  reason?: string;
}

interface Operation {
  operationId: string;
  "x-errors"?: (DocumentedError | { $ref: string })[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** An OpenAPI document as far as replies are checked with it. */
export interface CheckedDocument {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** An error that the operation does not declare; its word belongs into `refuses` of the endpoint. */
const errorProblem = (
  { operationId, "x-errors": declared }: Operation,
  body: unknown,
  document: CheckedDocument,
) => {
  const { code, reason } = (body ?? {}) as Partial<DocumentedError>;
  // An empty id makes a path that no operation has.
  if (!declared || code === undefined || reason === "UNKNOWN_OPERATION") return undefined;
  const fitting = declared.filter((one) => {
    const whole = wholePart(one as DocumentedError, document);
    return whole.code === code && whole.reason === reason;
  });
  noteRefusals("met", operationId, fitting.map(wordOf));
  return fitting.length > 0 ? undefined : `add ${reason ?? code} to the refuses of its endpoint`;
};

/** The last part of a reference is the word of the refusal. */
const wordOf = (error: DocumentedError | { $ref: string }) =>
  "$ref" in error ? (error.$ref.split("/").at(-1) ?? "") : (error.reason ?? error.code);

/**
 * Measures responses against an OpenAPI document. The check returns the problem: an undocumented
 * status, or a body that does not match. Unknown paths and methods pass, being documented nowhere.
 */
export const checkWith = (document: CheckedDocument) => {
  // Hundreds of schemas are compiled for few uses each; another test validates the documents.
  const quick = { code: { optimize: false }, validateSchema: false } as const;
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...quick });
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addFormat("int64", true);
  ajv.addSchema({ $id: "openapi", ...document });
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  // Those with the fewest parameters first: of several that fit a path it is the one.
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, parts: template.split("/") }))
    .sort((a, b) => a.template.split("{").length - b.template.split("{").length);

  const templateOf = (path: string) => {
    const given = path.split("/");
    const fits = (part: string, at: number) => part.startsWith("{") || part === given[at];
    return templates.find(({ parts }) => parts.length === given.length && parts.every(fits))
      ?.template;
  };

  const validatorOf = (name: string, schema: object) => {
    const known = validators.get(name);
    if (known) return known;
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/')),
    );
    validators.set(name, validate);
    return validate;
  };

  return (
    request: { method: string; path: string },
    response: { status: number; body: unknown },
  ): string | undefined => {
    const template = templateOf(request.path.split("?")[0] as string);
    const method = request.method.toLowerCase();
    const operation = template && document.paths[template]?.[method];
    if (!operation) return undefined;
    const name = `${request.method} ${template} ${response.status}`;
    const declared = operation.responses[response.status];
    if (!declared) return `${name} is not documented`;
    const documented = wholePart(declared, document);
    const problem = response.status >= 400 && errorProblem(operation, response.body, document);
    if (problem) return `${name}: ${problem}`;
    if (!documented.content)
      return response.body === "" ? undefined : `${name} has a body where none is documented`;
    const [{ schema } = { schema: {} }] = Object.values(documented.content);
    const validate = validatorOf(name, schema);
    return validate(response.body) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`;
  };
};

for (const { operationId, refuses } of PLATFORM_ENDPOINTS)
  noteRefusals("declared", operationId, [...refuses]);

/** Checks by revision, each made at its first use. */
const checksOf = (documentIn: (version: string, revision: Revision) => unknown) => {
  const checks = new Map<Revision, ReturnType<typeof checkWith>>();
  return (revision: Revision = FIRST_REVISION) => {
    const known =
      checks.get(revision) ?? checkWith(documentIn("test", revision) as CheckedDocument);
    checks.set(revision, known);
    return known;
  };
};

/** Checks responses of the platform in a revision. */
export const openApiProblemIn = checksOf(openApiDocument);

/** Checks responses of the control surface in a revision. */
export const controlProblemIn = checksOf(controlOpenApiDocument);
