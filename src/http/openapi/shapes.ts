import * as z from "zod";

type Json = Record<string, unknown>;

/** The side of a call that a shape is on: what may be sent, or what is answered. */
export type Io = "input" | "output";

const REF = "#/components/schemas/";

/** Notes which member tells the variants of a union apart; its table follows with the document. */
const noteTag = ({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) => {
  const { def } = zodSchema._zod;
  if (def.type === "union" && "discriminator" in def)
    jsonSchema.discriminator = { propertyName: def.discriminator };
};

/**
 * Finds an object that says it may have further members of any kind. Saying so means the same as
 * nothing, and generators would give up checking the names of members.
 */
const isOpen = (node: object) =>
  "properties" in node &&
  Object.keys(node.properties as Json).length > 0 &&
  "additionalProperties" in node &&
  JSON.stringify(node.additionalProperties) === "{}";

/**
 * Points references at the shared shapes, and leaves out what says nothing: the names that zod
 * repeats in them, and leave for further members.
 */
const shared = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(shared);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === "id" && typeof value === "string"))
      .filter(([key]) => key !== "additionalProperties" || !isOpen(node))
      .map(([key, value]) => [
        key,
        key === "$ref" && typeof value === "string"
          ? value.replace("#/$defs/", REF)
          : shared(value),
      ]),
  );
};

/** A shape without the one difference that its two sides may have. */
const loosened = (form: Json) =>
  JSON.stringify(form).replaceAll(',"additionalProperties":false', "");

/** The named shapes of a document, in JSON Schema. */
export class OpenApiShapes {
  private readonly forms = new Map<string, Partial<Record<Io, Json>>>();

  /** A shape as JSON Schema; named shapes in it are references. */
  schemaOf(schema: z.ZodType, io: Io): unknown {
    const json = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      target: "draft-2020-12",
      override: noteTag,
    }) as Json;
    const { $schema: _dialect, $defs = {}, ...rest } = json;
    for (const [name, form] of Object.entries($defs as Json)) this.name(name, form as Json, io);
    if (typeof rest.id !== "string") return shared(rest);
    this.name(rest.id, rest, io);
    return { $ref: REF + rest.id };
  }

  /**
   * Every named shape, by name. One that is sent and answered has the form in which it is sent,
   * where a caller may add members.
   * @throws Error when two different shapes have one name
   */
  schemas(): Json {
    const names = [...this.forms.keys()].sort();
    const forms = Object.fromEntries(
      names.map((name) => {
        const { input, output } = this.forms.get(name) ?? {};
        if (input && output && loosened(input) !== loosened(output)) throw twoShapes(name);
        return [name, (input ?? output) as Json];
      }),
    );
    for (const form of Object.values(forms)) mapTags(form, forms);
    return forms;
  }

  private name(name: string, definition: Json, io: Io) {
    const form = shared(definition) as Json;
    const known = this.forms.get(name) ?? {};
    if (known[io] && JSON.stringify(known[io]) !== JSON.stringify(form)) throw twoShapes(name);
    this.forms.set(name, { ...known, [io]: form });
  }
}

const twoShapes = (name: string) => new Error(`Expected one shape named ${name} but found two`);

const tagsOf = (form: unknown, member: string): unknown[] => {
  const { properties } = (form ?? {}) as { properties?: Record<string, Json> };
  const { const: only, enum: several } = properties?.[member] ?? {};
  return Array.isArray(several) ? several : [only];
};

/** Completes each `discriminator` with its table: which value stands for which shape. */
export const mapTags = (node: unknown, forms: Json) => {
  if (typeof node !== "object" || node === null) return;
  const { discriminator, oneOf } = node as {
    discriminator?: { propertyName: string; mapping?: Record<string, string> };
    oneOf?: { $ref: string }[];
  };
  if (discriminator && Array.isArray(oneOf))
    discriminator.mapping = Object.fromEntries(
      oneOf.flatMap(({ $ref }) =>
        tagsOf(forms[$ref.slice(REF.length)], discriminator.propertyName).map((tag) => [tag, $ref]),
      ),
    );
  for (const inner of Object.values(node)) mapTags(inner, forms);
};
