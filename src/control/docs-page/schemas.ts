/** JSON Schema as the OpenAPI document has it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** One member of a body or a reply. */
export interface Field {
  /** `destination.accountId`; `data[]` of a list. */
  path: string;
  type: string;
  isRequired: boolean;
}

const REF_PREFIX = "#/components/schemas/";

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice(REF_PREFIX.length)] ?? {});

const choicesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? [];

const boundText = ({ minimum, maximum, minLength, maxLength }: Schema) => {
  const [low, high] = [minimum ?? minLength, maximum ?? maxLength];
  if (low === undefined && high === undefined) return "";
  return ` ${low ?? ""}..${high ?? ""}`;
};

const MAX_LISTED = 12;

const enumText = (values: readonly unknown[]) =>
  values.length > MAX_LISTED
    ? `${values.slice(0, MAX_LISTED).join(" | ")} | …`
    : values.join(" | ");

const typeText = (schema: Schema, schemas: Schemas): string => {
  const one = resolved(schema, schemas);
  if (one.const !== undefined) return String(one.const);
  if (one.enum) return enumText(one.enum);
  const choices = choicesOf(one);
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeText(choice, schemas)))].join(" or ");
  const type = [one.type ?? "any"].flat().join(" or ");
  if (type === "array") return `list of ${typeText(one.items ?? {}, schemas)}`;
  return `${type}${one.format ? ` (${one.format})` : ""}${boundText(one)}`;
};

/** Deeper members are told by their own operation's fields. */
const MAX_DEPTH = 3;

const membersOf = (schema: Schema, schemas: Schemas): Schema[] => {
  const one = resolved(schema, schemas);
  if (one.properties) return [one];
  return choicesOf(one).flatMap((choice) => membersOf(choice, schemas));
};

const walk = (
  schema: Schema,
  schemas: Schemas,
  { prefix, depth }: { prefix: string; depth: number },
): Field[] =>
  membersOf(schema, schemas).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, member]) => {
      const whole = resolved(member, schemas);
      const isList = whole.type === "array";
      const path = `${prefix}${name}${isList ? "[]" : ""}`;
      const field = { path, type: typeText(member, schemas), isRequired: required.includes(name) };
      const inner = isList ? (whole.items ?? {}) : whole;
      const deeper =
        depth < MAX_DEPTH ? walk(inner, schemas, { prefix: `${path}.`, depth: depth + 1 }) : [];
      return [field, ...deeper];
    }),
  );

/** A member that two variants have: of either type, needed where both need it. */
const eitherOf = (one: Field, other: Field): Field => ({
  path: one.path,
  type: [...new Set([one.type, other.type])].join(" or "),
  isRequired: one.isRequired && other.isRequired,
});

/** The members of a shape, those of its variants together, each path once. */
export const fieldsOf = (schema: Schema, schemas: Schemas): Field[] => {
  const fields = new Map<string, Field>();
  for (const field of walk(schema, schemas, { prefix: "", depth: 1 })) {
    const known = fields.get(field.path);
    fields.set(field.path, known ? eitherOf(known, field) : field);
  }
  return [...fields.values()];
};

/** The type of an uploaded file, as it is told. */
export const FILE_TYPE = "string (binary)";

const EXAMPLES: Readonly<Record<string, unknown>> = {
  string: "",
  integer: 1,
  number: 1,
  boolean: false,
  null: null,
};

const exampleObject = ({ properties = {}, required = [] }: Schema, schemas: Schemas) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, member]) => [name, exampleOf(member, schemas)]),
  );

/** A body to begin with: everything that is needed, and nothing else. */
export const exampleOf = (schema: Schema, schemas: Schemas): unknown => {
  const one = resolved(schema, schemas);
  if (one.const !== undefined) return one.const;
  if (one.enum) return one.enum[0];
  const [choice] = choicesOf(one);
  if (choice) return exampleOf(choice, schemas);
  if (one.properties) return exampleObject(one, schemas);
  const [type = "string"] = [one.type ?? "object"].flat();
  if (type === "array") return one.items ? [exampleOf(one.items, schemas)] : [];
  return Object.hasOwn(EXAMPLES, type) ? EXAMPLES[type] : {};
};
