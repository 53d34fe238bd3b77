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

interface Ref extends Json {
  $ref: string;
}

interface Discriminator {
  propertyName: string;
  mapping?: Record<string, unknown>;
}

const isDiscriminator = (value: unknown): value is Discriminator =>
  isObject(value) && typeof value.propertyName === "string";

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

/** The branches of a union by the value of its discriminator. */
const branchesOf = ({ mapping }: Discriminator, union: readonly unknown[]): [string, Ref][] => {
  const named = Object.entries(isObject(mapping) ? mapping : {})
    .map(([value, to]): [string, string] => [value, String(to)])
    .map(([value, to]): [string, Ref] => [
      value,
      { $ref: to.includes("/") ? to : `#/components/schemas/${to}` },
    ]);
  const mapped = new Set(named.map(([, { $ref }]) => $ref));
  const others = union
    .filter((one): one is Ref => isObject(one) && typeof one.$ref === "string")
    .filter(({ $ref }) => !mapped.has($ref))
    .map((one): [string, Ref] => [nameIn(one.$ref), one]);
  return [...named, ...others];
};

const isNull = (schema: unknown) => isObject(schema) && schema.type === "null";

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

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
  const isBranch = (value: string) => ({
    type: "object",
    properties: { [propertyName]: { const: value } },
    required: [propertyName],
  });
  const chosen = {
    required: [propertyName],
    properties: { [propertyName]: { enum: branches.map(([value]) => value) } },
    allOf: branches.map(([value, then]) => ({ if: isBranch(value), then })),
  };
  if (union.some(isNull))
    return { ...rest, anyOf: [{ type: "null" }, { type: "object", ...chosen }] };
  return { ...rest, type: "object", allOf: [...listIn(rest.allOf), chosen] };
};

/** Members whose own members have names of their document's author, not keywords. */
const MAPS = new Set(
  ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"].concat(
    ["schemas", "responses", "requestBodies", "headers", "pathItems", "callbacks"],
    ["paths", "webhooks", "x-webhooks", "content", "encoding"],
  ),
);
/** Members that are values as they stand. */
const PLAIN = new Set(["enum", "const", "default", "mapping", "required"]);

/** Members that describe nothing: values among them would be taken for schemas. */
const isLeftOut = (name: string) => /^(examples?|x-(?!webhooks$).*)$/.test(name);

/** Escapes that are no part of JavaScript's strict patterns, which are needless. */
const NEEDLESS_ESCAPE = /\\([^A-Za-z0-9^$\\.*+?()[\]{}|/-])/g;

const isReadable = (pattern: string) => {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
};

/** A pattern as JavaScript reads it; nothing for one that it cannot read. */
const readable = (pattern: string): string | undefined => {
  if (isReadable(pattern)) return pattern;
  const bare = pattern.replace(NEEDLESS_ESCAPE, "$1");
  // Outside of brackets a hyphen needs no escape, inside of them it may.
  return [bare, bare.replaceAll("\\-", "-")].find(isReadable);
};

/** A pattern of a document that cannot be checked. */
export interface LeftOutPattern {
  /** JSON Pointer of its schema. */
  at: string;
  pattern: string;
}

export const pointerPart = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A reference, and the JSON Pointer of what has it. */
export interface Reference {
  text: string;
  at: string;
}

/** Makes schemas of OpenAPI 3.0 or 3.1 ones of JSON Schema 2020-12. */
export class SchemaAdapter {
  readonly leftOut: LeftOutPattern[] = [];
  /** References met so far. */
  readonly references: Reference[] = [];
  private readonly isOld: boolean;

  /** @param isOld true for OpenAPI 3.0, which has a dialect of its own */
  constructor(isOld: boolean) {
    this.isOld = isOld;
  }

  /** @param at JSON Pointer of the value */
  adapted(value: unknown, at = "#"): unknown {
    if (Array.isArray(value)) return value.map((one, index) => this.adapted(one, `${at}/${index}`));
    if (!isObject(value)) return value;
    this.noteReferences(value, at);
    const described = Object.entries(value).filter(([name]) => !isLeftOut(name));
    const members = described.map(([name, one]): [string, unknown] => {
      const below = `${at}/${pointerPart(name)}`;
      if (PLAIN.has(name)) return [name, one];
      if (MAPS.has(name) && isObject(one)) return [name, this.adaptedMap(one, below)];
      return [name, this.adapted(one, below)];
    });
    const schema = byDiscriminator(this.withPatterns(Object.fromEntries(members), at));
    const isSchema = ["type", "nullable", "minimum", "maximum"].some((name) => name in schema);
    return this.isOld && isSchema ? withLimits(withNull(schema)) : schema;
  }

  private noteReferences({ $ref, discriminator, oneOf, anyOf }: Json, at: string) {
    if (typeof $ref === "string") this.references.push({ text: $ref, at });
    if (!isDiscriminator(discriminator)) return;
    const branches = branchesOf(discriminator, listIn(oneOf ?? anyOf));
    for (const [, { $ref: text }] of branches) this.references.push({ text, at });
  }

  private adaptedMap(map: Json, at: string): Json {
    return Object.fromEntries(
      Object.entries(map).map(([key, sub]) => [
        key,
        this.adapted(sub, `${at}/${pointerPart(key)}`),
      ]),
    );
  }

  private withPatterns(schema: Json, at: string): Json {
    const { pattern, patternProperties, ...rest } = schema;
    const one = typeof pattern === "string" ? this.read(pattern, at) : undefined;
    const named = isObject(patternProperties)
      ? Object.entries(patternProperties).flatMap(([key, sub]) => {
          const read = this.read(key, at);
          return read === undefined ? [] : [[read, sub]];
        })
      : [];
    return {
      ...rest,
      ...(one !== undefined && { pattern: one }),
      ...(named.length > 0 && { patternProperties: Object.fromEntries(named) }),
    };
  }

  private read(pattern: string, at: string) {
    const read = readable(pattern);
    if (read === undefined) this.leftOut.push({ at, pattern });
    return read;
  }
}
