import { openApiDocument } from "../../src/api/openapi.ts";
import { controlOpenApiDocument } from "../../src/control/openapi.ts";
import { wholePart } from "../../src/http/openapi/references.ts";
import { type ControlTarget, controlCall } from "./control-call.ts";

/** A schema of an OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Schema;
}

type SurfaceName = "platform" | "control";

/** An operation of either document, with all that a request of it is made from. */
export interface DescribedOperation {
  operationId: string;
  surface: SurfaceName;
  /** Path before the operation's own. */
  base: string;
  method: string;
  path: string;
  parameters: readonly DescribedParameter[];
  body: { schema: Schema; media: "json" | "form" } | undefined;
  caller: "platform" | "agent" | "nobody";
  /** Content types of its answers, by status. */
  contentTypes: Readonly<Record<string, readonly string[]>>;
  document: FuzzedDocument;
}

/** An OpenAPI document as far as a campaign reads it. */
export interface FuzzedDocument {
  surface: SurfaceName;
  base: string;
  whole: Schema;
}

interface RawOperation {
  operationId: string;
  parameters?: Schema[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: Record<string, unknown>[];
  responses: Record<string, Schema>;
}

const documentOf = (surface: SurfaceName, whole: unknown): FuzzedDocument => {
  const [{ url } = { url: "" }] = (whole as { servers: { url: string }[] }).servers;
  return { surface, base: url, whole: whole as Schema };
};

/** Both documents, as `service-sim openapi` prints them. */
const DOCUMENTS: readonly FuzzedDocument[] = [
  documentOf("platform", openApiDocument("test")),
  documentOf("control", controlOpenApiDocument("test")),
];

/** The part that a reference names, or the schema itself. */
export const resolved = (schema: Schema, { whole }: FuzzedDocument): Schema =>
  wholePart(schema as object, whole as never) as Schema;

const bodyOf = ({ requestBody }: RawOperation): DescribedOperation["body"] => {
  const [[media, { schema }] = [undefined, { schema: {} }]] = Object.entries(
    requestBody?.content ?? {},
  );
  if (media === undefined) return undefined;
  return { schema, media: media === "application/json" ? "json" : "form" };
};

const callerOf = ({ security = [] }: RawOperation): DescribedOperation["caller"] => {
  if (security.some((one) => "agent" in one)) return "agent";
  return security.some((one) => "basic" in one) ? "platform" : "nobody";
};

const parametersOf = ({ parameters = [] }: RawOperation, document: FuzzedDocument) =>
  parameters.map((one) => {
    const { name, in: place, required, schema } = resolved(one, document);
    return {
      name,
      in: place,
      required: required === true,
      schema: (schema ?? {}) as Schema,
    } as DescribedParameter;
  });

const contentTypesOf = ({ responses }: RawOperation, document: FuzzedDocument) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      Object.keys(resolved(response, document).content ?? {}),
    ]),
  );

const operationsOf = (document: FuzzedDocument): DescribedOperation[] => {
  const paths = document.whole.paths as Record<string, Record<string, RawOperation>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      operationId: operation.operationId,
      surface: document.surface,
      base: document.base,
      method: method.toUpperCase(),
      path,
      parameters: parametersOf(operation, document),
      body: bodyOf(operation),
      caller: callerOf(operation),
      contentTypes: contentTypesOf(operation, document),
      document,
    })),
  );
};

/** Every operation of both documents. */
export const DESCRIBED_OPERATIONS: readonly DescribedOperation[] = DOCUMENTS.flatMap(operationsOf);

/**
 * Every operation of both documents as a simulator serves them, which depends on its brand and its
 * revision.
 * @param base path of the platform's API, where it is not that of the document
 */
export const servedOperations = async (
  target: ControlTarget,
  base?: string,
): Promise<readonly DescribedOperation[]> => {
  const served = async (path: string) => (await controlCall(target, path)).json();
  const platform = documentOf("platform", await served("/openapi.json"));
  const control = documentOf("control", await served("/control-openapi.json"));
  return [{ ...platform, ...(base !== undefined && { base }) }, control].flatMap(operationsOf);
};

/** The name of an operation in a report; ids of the two documents may be the same word. */
export const nameOf = ({ surface, operationId }: DescribedOperation) => `${surface}.${operationId}`;
