import type { JsonSchemas } from "./json-schemas.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Texts that a value may be; nothing where it may be any. */
type Texts = ReadonlySet<string> | undefined;

const intersection = (all: readonly Texts[]): Texts =>
  all.reduce((one, other) => {
    if (!one || !other) return one ?? other;
    const both = new Set<string>();
    for (const text of one) if (other.has(text)) both.add(text);
    return both;
  }, undefined);

const union = (all: readonly Texts[]): Texts =>
  all.length === 0 || all.includes(undefined)
    ? undefined
    : new Set(all.flatMap((part) => [...(part ?? [])]));

/** Reads what a schema says of one value: itself, what it refers to, and all that it combines. */
class TextReader {
  private readonly schemas: JsonSchemas;
  private readonly under = new Set<unknown>();

  constructor(schemas: JsonSchemas) {
    this.schemas = schemas;
  }

  /** @param own reads what one schema says by itself */
  read(schema: unknown, own: (schema: Json) => Texts): Texts {
    // A schema that refers to itself says no more the second time.
    if (!isObject(schema) || this.under.has(schema)) return undefined;
    this.under.add(schema);
    const { $ref, allOf, oneOf, anyOf } = schema;
    const read = (part: unknown) => this.read(part, own);
    const texts = intersection([
      typeof $ref === "string" ? read(this.schemas.resolved(schema)) : undefined,
      own(schema),
      ...listIn(allOf).map(read),
      union(listIn(oneOf).map(read)),
      union(listIn(anyOf).map(read)),
    ]);
    this.under.delete(schema);
    return texts;
  }
}

const texts = (values: readonly unknown[]) =>
  new Set(values.filter((value): value is string => typeof value === "string"));

const ownTexts = ({ const: only, enum: several }: Json): Texts => {
  if (only !== undefined) return texts([only]);
  return Array.isArray(several) ? texts(several) : undefined;
};

/** Types that a webhook may have by the schema of its body: those of its member `type`. */
export const webhookTypesIn = (schema: unknown, schemas: JsonSchemas): Texts => {
  const reader = new TextReader(schemas);
  return reader.read(schema, ({ properties }) =>
    isObject(properties) ? reader.read(properties.type, ownTexts) : undefined,
  );
};
