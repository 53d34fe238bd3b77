/** The parts of an OpenAPI document (3.1) that the reference reads. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** A value that the path, the query or a header has. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  description?: string;
}

interface SchemaReference {
  $ref?: string;
}

interface Content {
  content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>>;
}

/** One reply. */
export interface Reply extends Content {
  description?: string;
}

/** One operation. */
export interface Operation {
  operationId: string;
  summary: string;
  tags?: readonly string[];
  parameters?: readonly (Parameter | SchemaReference)[];
  requestBody?: Content;
  responses: Readonly<Record<string, Reply | SchemaReference>>;
  security?: readonly Readonly<Record<string, unknown>>[];
  "x-spec"?: string;
  "x-permission"?: string;
  "x-errors"?: readonly SchemaReference[];
}

/** A document of one surface. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The part that a reference into the document means. */
export const resolved = <Part>(document: Document, part: Part | SchemaReference): Part => {
  const { $ref } = part as SchemaReference;
  const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/(.+)$/.exec($ref ?? "") ?? [];
  const component = document.components[kind]?.[name];
  return component === undefined ? (part as Part) : (component as Part);
};

/** An operation with its place. */
export interface PathOperation extends Operation {
  method: string;
  path: string;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** All operations of a document, in its order. */
export const operationsOf = ({ paths }: Document): PathOperation[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** The schema of a JSON body. */
export const bodySchema = (content: Content | undefined): Schema | undefined =>
  content?.content?.["application/json"]?.schema;

/** The schema of a form with a file. */
export const formSchema = (content: Content | undefined): Schema | undefined =>
  content?.content?.["multipart/form-data"]?.schema;

/** The schema of a body, whatever its media type. */
export const anyBodySchema = (content: Content | undefined): Schema | undefined =>
  bodySchema(content) ?? formSchema(content);

/** Constraints in words: `1 to 34 characters`. */
export const constraintsOf = (schema: Schema): string => {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format, pattern } = schema;
  const range = (low: number | undefined, high: number | undefined, noun: string) => {
    if (low === undefined && high === undefined) return [];
    if (low !== undefined && high !== undefined) return [`${low} to ${high}${noun}`];
    return [low === undefined ? `at most ${high}${noun}` : `at least ${low}${noun}`];
  };
  return [
    ...(format === undefined ? [] : [format]),
    ...range(minLength, maxLength, " characters"),
    ...range(minimum, maximum, ""),
    ...range(minItems, maxItems, " items"),
    ...(pattern === undefined ? [] : [`like ${pattern}`]),
  ].join(", ");
};

/** The type of a value in one word or two. */
export const typeOf = (document: Document, schemaOrRef: Schema): string => {
  const schema = resolved(document, schemaOrRef);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.map(String).join(", ")}`;
  if (schema.oneOf ?? schema.anyOf) return `one of ${(schema.oneOf ?? schema.anyOf)?.length}`;
  if (schema.items) return `list of ${typeOf(document, schema.items)}`;
  if (schema.properties) return "object";
  return Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "anything");
};
