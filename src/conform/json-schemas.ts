import { type Schema, validate } from "@cfworker/json-schema";
import { type LeftOutPattern, type Reference, SchemaAdapter } from "./adapted-schemas.ts";
import { type BodyDifference, type ToldDifferences, toldDifferences } from "./body-differences.ts";
import { WrongKeywords } from "./wrong-keywords.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Raised for references that lead out of a document, or nowhere; its message names them. */
export class BrokenReference extends Error {
  override readonly name = "BrokenReference";
}

/** Raised for a schema that no value can be compared with; its message says what is wrong there. */
export class WrongSchema extends Error {
  override readonly name = "WrongSchema";
}

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
};

/** The part of a document that a pointer names, such as `#/components/schemas/Pet`. */
const valueAt = (document: unknown, pointer: string): unknown => {
  let current: unknown = document;
  for (const part of pointer.split("/").slice(1)) {
    const name = decoded(part);
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name))
      return undefined;
    current = (current as Json)[name];
  }
  return current;
};

/** A copy whose objects inherit nothing, so that `constructor` is a member only where it is sent. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const members: Json = Object.create(null);
  for (const [name, member] of Object.entries(value)) members[name] = bare(member);
  return members;
};

/** Schemas by their `$id`, and by their `$anchor`. */
const namesIn = (document: Json) => {
  const names = new Map<string, Json>();
  const left: unknown[] = [document];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== "object" || part === null) continue;
    const { $id, $anchor } = part as Json;
    if (typeof $id === "string") names.set($id, part as Json);
    if (typeof $anchor === "string") names.set(`#${$anchor}`, part as Json);
    for (const below of Object.values(part)) left.push(below);
  }
  return names;
};

const MAX_TOLD = 3;

const places = (references: readonly Reference[]) => {
  const shown = references.slice(0, MAX_TOLD).map(({ text, at }) => `"${text}" at ${at}`);
  const more = references.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
};

/** Checks values against the schemas of one document, whose references it can follow. */
export class JsonSchemas {
  readonly document: Json;
  /** Patterns that are not checked. */
  readonly leftOut: readonly LeftOutPattern[];
  /** Schemas and other parts by the text of the reference to them. */
  private names: Map<string, Json> | undefined;
  private readonly lookup: Record<string, Schema | boolean> = Object.create(null);
  private readonly wrong = new WrongKeywords(this.lookup);

  /**
   * @param options.isOld true for OpenAPI 3.0, which has a dialect of its own
   * @throws BrokenReference for a reference to a file, to an address, or to nothing
   */
  constructor(document: Json, { isOld }: { isOld: boolean }) {
    const adapter = new SchemaAdapter(isOld);
    this.document = adapter.adapted(document) as Json;
    this.leftOut = adapter.leftOut;
    this.follow(document, adapter);
  }

  /** The part of the document that a reference names; the value itself when it is none. */
  resolved(value: unknown): Json | undefined {
    let current: unknown = value;
    for (let depth = 0; depth < 16; depth += 1) {
      if (!isObject(current)) return undefined;
      const { $ref } = current;
      if (typeof $ref !== "string") return current;
      current = this.lookup[$ref];
    }
    return undefined;
  }

  /**
   * Tells how a value differs from a schema, the deepest difference first.
   * @throws WrongSchema
   */
  differences(
    value: unknown,
    schema: Json,
    isExcused: (difference: BodyDifference) => boolean,
  ): ToldDifferences {
    const wrong = this.wrong.reachedFrom(schema);
    if (wrong !== undefined) throw new WrongSchema(wrong);
    const { errors } = validate(bare(value), schema as Schema, "2020-12", this.lookup, false);
    return toldDifferences(errors, isExcused);
  }

  /** Finds what every reference names. None is looked for outside of the document. */
  private follow(document: Json, adapter: SchemaAdapter) {
    const [outside, nowhere]: [Reference[], Reference[]] = [[], []];
    const { references } = adapter;
    // Parts that describe nothing by themselves are read when something refers to them.
    for (const reference of references) {
      const { text } = reference;
      if (this.lookup[text] !== undefined) continue;
      if (text !== "" && !/^#(\/|$)/.test(text)) {
        const named = this.named(text);
        if (named) this.lookup[text] = named as Schema;
        else (text.startsWith("#") ? nowhere : outside).push(reference);
        continue;
      }
      const part = valueAt(this.document, text) ?? adapter.adapted(valueAt(document, text), text);
      if (part === undefined) nowhere.push(reference);
      else this.lookup[text] = part as Schema;
    }
    if (outside.length > 0)
      throw new BrokenReference(
        `Expected references within the document but found ${places(outside)}; files and ` +
          "addresses are not read: bundle the document into one file",
      );
    if (nowhere.length > 0)
      throw new BrokenReference(
        `Expected references to parts of the document but found ${places(nowhere)}`,
      );
  }

  /** The schema with an `$id` or an `$anchor`. */
  private named(text: string): Json | undefined {
    this.names ??= namesIn(this.document);
    return this.names.get(text);
  }
}
