import * as z from "zod";

type Schema = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Values with a wrong type, size or form, and valid ones that look wrong. */
const JUNK: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  5,
  1e300,
  9_007_199_254_740_992,
  "",
  "x",
  "\u001b[31mred\n",
  "x".repeat(70_000),
  [],
  [null],
  ["x", "x"],
  {},
  { unheardOf: 1 },
];

const FORMS: Record<string, string> = {
  email: "lena@example.com",
  uri: "https://example.com/a",
  date: "1990-01-31",
  "date-time": "2026-01-05T09:00:00Z",
};

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Request shapes as JSON Schema documents, with references resolved. */
class Shape {
  private readonly root: Schema;

  constructor(type: z.ZodType) {
    this.root = z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
  }

  get whole(): Schema {
    return this.root;
  }

  private followed(schema: Schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== "string") return schema;
    if ($ref === "#") return this.root;
    const name = $ref.split("/").at(-1) ?? "";
    return this.followed((this.root.$defs as Record<string, Schema>)[name] ?? {});
  }

  /** The alternatives that a shape allows; one where there is no choice. */
  choices(given: Schema): Schema[] {
    const schema = this.followed(given);
    const some = schema.anyOf ?? schema.oneOf;
    return Array.isArray(some) ? some.flatMap((one) => this.choices(one)) : [schema];
  }

  /** A value that fits a schema as far as the schema tells. */
  sample(given: Schema): unknown {
    const schema = this.choices(given)[0] ?? {};
    if ("const" in schema) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    if (isSchema(schema.properties)) return this.object(schema);
    if (schema.type === "array") return isSchema(schema.items) ? [this.sample(schema.items)] : [];
    if (schema.type === "object") return {};
    if (schema.type === "boolean") return true;
    if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
    return FORMS[String(schema.format)] ?? "abc";
  }

  private object({ properties }: Schema) {
    const entries = Object.entries(properties as Record<string, Schema>);
    return Object.fromEntries(entries.map(([name, member]) => [name, this.sample(member)]));
  }

  /** Valid documents, one for each place in the shape. */
  *places(given: Schema, path: Path = []): Generator<{ path: Path; document: unknown }> {
    for (const schema of this.choices(given)) {
      const here = this.sample(schema);
      yield { path, document: here };
      for (const [name, member] of Object.entries((schema.properties ?? {}) as object))
        for (const inner of this.places(member, [...path, name]))
          yield { ...inner, document: { ...(here as object), [name]: inner.document } };
      if (isSchema(schema.items))
        for (const inner of this.places(schema.items, [...path, 0]))
          yield { ...inner, document: [inner.document] };
    }
  }
}

/** A copy of a document with another value at a place; `undefined` removes the member. */
const withValue = (document: unknown, [step, ...rest]: Path, value: unknown): unknown => {
  if (step === undefined) return value;
  const inner = (document as Record<string | number, unknown>)[step];
  const changed = withValue(inner, rest, value);
  if (Array.isArray(document)) return document.with(Number(step), changed);
  const copy = { ...(document as object), [step]: changed };
  if (changed === undefined) delete (copy as Record<string | number, unknown>)[step];
  return copy;
};

/** Every place of a shape combined with every junk value. */
export function* junkDocuments(type: z.ZodType) {
  const shape = new Shape(type);
  for (const { path, document } of shape.places(shape.whole))
    for (const junk of JUNK) yield { path, junk, document: withValue(document, path, junk) };
}
