import { foundValue } from "./found-value.ts";

type Json = Record<string, unknown>;

const isText = (value: unknown) => typeof value === "string";
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const MAPS = ["properties", "patternProperties", "dependentSchemas"];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const SCHEMAS = [
  ...["items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];

/** Keywords that no check can continue without, and the form that each has. */
const FORMS: readonly (readonly [name: string, fits: (value: unknown) => boolean, form: string])[] =
  [
    ["$ref", isText, "a text"],
    ["type", (value) => isText(value) || isTexts(value), "a text or a list of texts"],
    ["enum", Array.isArray, "a list"],
    ["required", isTexts, "a list of texts"],
    [
      "dependentRequired",
      (value) => isObject(value) && Object.values(value).every(isTexts),
      "lists",
    ],
    ...MAPS.map((name) => [name, isObject, "an object"] as const),
    ...LISTS.map((name) => [name, Array.isArray, "a list"] as const),
  ];

const below = (schema: Json): unknown[] => [
  ...SCHEMAS.flatMap((name) => schema[name] ?? []),
  ...LISTS.flatMap((name) => (schema[name] as unknown[] | undefined) ?? []),
  ...MAPS.flatMap((name) => Object.values((schema[name] as Json | undefined) ?? {})),
];

const wrongIn = (schema: unknown): string | undefined => {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `Expected a schema but found ${foundValue(schema)}`;
  const wrong = FORMS.find(([name, fits]) => schema[name] !== undefined && !fits(schema[name]));
  return (
    wrong && `Expected ${wrong[0]} to be ${wrong[2]} but found ${foundValue(schema[wrong[0]])}`
  );
};

/** Finds keywords without the form that they need, in schemas and in all that these refer to. */
export class WrongKeywords {
  private readonly lookup: Readonly<Record<string, unknown>>;
  /** Schemas from which no wrong keyword is reached. */
  private readonly right = new Set<unknown>();

  constructor(lookup: Readonly<Record<string, unknown>>) {
    this.lookup = lookup;
  }

  /** The first one in a sentence; nothing where every keyword has its form. */
  reachedFrom(schema: unknown): string | undefined {
    const met = new Set<unknown>();
    const left = [schema];
    while (left.length > 0) {
      const one = left.pop();
      if (met.has(one) || this.right.has(one)) continue;
      const wrong = wrongIn(one);
      if (wrong !== undefined) return wrong;
      met.add(one);
      if (!isObject(one)) continue;
      if (typeof one.$ref === "string") left.push(this.lookup[one.$ref] ?? true);
      for (const schemaBelow of below(one)) left.push(schemaBelow);
    }
    for (const one of met) this.right.add(one);
    return undefined;
  }
}
