import { dereference, type Schema, validate } from "@cfworker/json-schema";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A rule of OpenAPI 3.0 that JSON Schema writes otherwise: `nullable`. */
const withNull = ({ nullable, ...schema }: Json): Json => {
  if (nullable !== true) return schema;
  const { type, enum: values } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
};

/** Limits of OpenAPI 3.0, where exclusive ones are switches beside the others. */
const withLimits = ({ exclusiveMinimum, exclusiveMaximum, ...schema }: Json): Json => {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined &&
      (exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum })),
    ...(maximum !== undefined &&
      (exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum })),
  };
};

interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string>;
}

const isDiscriminator = (value: unknown): value is Discriminator =>
  isObject(value) && typeof value.propertyName === "string";

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

/** The branches of a union by the value of its discriminator. */
const branchesOf = ({ mapping = {} }: Discriminator, union: readonly unknown[]) => {
  const named = Object.entries(mapping).map(([value, to]): [string, Json] => [
    value,
    { $ref: to.includes("/") ? to : `#/components/schemas/${to}` },
  ]);
  const mapped = new Set(named.map(([, { $ref }]) => $ref));
  const others = union
    .filter((one): one is { $ref: string } => isObject(one) && typeof one.$ref === "string")
    .filter(({ $ref }) => !mapped.has($ref))
    .map((one): [string, Json] => [nameIn(one.$ref), one]);
  return [...named, ...others];
};

/**
 * A union whose discriminator says which branch counts. Without it an error would be told of every
 * branch.
 */
const byDiscriminator = (schema: Json): Json => {
  const { discriminator, oneOf, anyOf, ...rest } = schema;
  const union = oneOf ?? anyOf;
  if (!isDiscriminator(discriminator) || !Array.isArray(union)) return schema;
  const { propertyName } = discriminator;
  const branches = branchesOf(discriminator, union);
  if (branches.length === 0) return schema;
  return {
    ...rest,
    type: "object",
    required: [propertyName],
    properties: { [propertyName]: { enum: branches.map(([value]) => value) } },
    allOf: branches.map(([value, then]) => ({
      if: { properties: { [propertyName]: { const: value } }, required: [propertyName] },
      then,
    })),
  };
};

/** Members whose names are not keywords: their values are schemas, or texts as they stand. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions"]);
const PLAIN = new Set(["enum", "const", "default", "mapping", "required"]);

/** Members that describe nothing: values among them would be taken for schemas. */
const isLeftOut = (name: string) => /^(examples?|x-(?!webhooks$).*)$/.test(name);

/** A schema of OpenAPI 3.0 or 3.1 as one of JSON Schema 2020-12. */
const adapted = (value: unknown, isOld: boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => adapted(one, isOld));
  if (!isObject(value)) return value;
  const described = Object.entries(value).filter(([name]) => !isLeftOut(name));
  const members = described.map(([name, one]): [string, unknown] => {
    if (PLAIN.has(name)) return [name, one];
    if (MAPS.has(name) && isObject(one))
      return [
        name,
        Object.fromEntries(Object.entries(one).map(([key, sub]) => [key, adapted(sub, isOld)])),
      ];
    return [name, adapted(one, isOld)];
  });
  const schema = byDiscriminator(Object.fromEntries(members));
  const isSchema = ["type", "nullable", "minimum", "maximum"].some((name) => name in schema);
  return isOld && isSchema ? withLimits(withNull(schema)) : schema;
};

/** The first place where a value differs from its schema. */
export interface Difference {
  /** JSON Pointer into the value; empty for the whole. */
  path: string;
  says: string;
}

const NOT_DESCRIBED = "The document has no such member.";
const DOES_NOT_FIT = "The value does not fit its schema.";

/** Keywords whose own error only says that something below differs. */
const CONTAINERS = new Set([
  "$ref",
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "additionalProperties",
  "patternProperties",
]);

/** Checks values against the schemas of one document, whose references it can follow. */
export class JsonSchemas {
  readonly document: Json;
  private readonly lookup: Record<string, Schema | boolean>;

  /** @param isOld true for OpenAPI 3.0, which has a dialect of its own */
  constructor(document: Json, { isOld }: { isOld: boolean }) {
    this.document = adapted(document, isOld) as Json;
    this.lookup = dereference(this.document as Schema);
  }

  /** The part of the document that a reference names; the value itself when it is none. */
  resolved(value: unknown): Json | undefined {
    let found: unknown = value;
    for (let depth = 0; depth < 16; depth += 1) {
      if (!isObject(found)) return undefined;
      const { $ref } = found;
      if (typeof $ref !== "string") return found;
      found = this.at($ref);
    }
    return undefined;
  }

  /** Tells the deepest difference of a value, the first of several; nothing when it fits. */
  difference(value: unknown, schema: Json): Difference | undefined {
    const { valid, errors } = validate(value, schema as Schema, "2020-12", this.lookup, false);
    if (valid) return undefined;
    const told = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
    const depth = ({ instanceLocation }: { instanceLocation: string }) =>
      instanceLocation.split("/").length;
    const [deepest] = [...(told.length > 0 ? told : errors)].sort(
      (one, other) => depth(other) - depth(one),
    );
    return {
      path: (deepest?.instanceLocation ?? "#").slice(1),
      says: deepest?.keyword === "false" ? NOT_DESCRIBED : (deepest?.error ?? DOES_NOT_FIT),
    };
  }

  private at(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = this.document;
    for (const part of reference.slice(2).split("/")) {
      if (!isObject(found)) return undefined;
      found = found[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    return found;
  }
}
