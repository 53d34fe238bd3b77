import type * as z from "zod";

/** The shapes that an operation takes. */
export interface TakenShapes {
  body: z.ZodType | undefined;
  query: Readonly<Record<string, z.ZodType>>;
}

/** Bounds of what is listed: names are the caller's own text. */
const MOST_LISTED = 20;
const MOST_CHARACTERS = 100;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

/** The shape below those that only wrap it. */
const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  const def = defOf(schema);
  if (def.type === "lazy") return unwrapped(def.getter());
  if (def.type === "pipe") return unwrapped(def.in);
  if ("innerType" in def) return unwrapped(def.innerType);
  return schema;
};

/** Whether a value has the literals that a variant of a union is told by. */
const isMeant = (variant: z.core.$ZodType, value: unknown) => {
  const def = defOf(unwrapped(variant));
  if (def.type !== "object" || !isMembers(value)) return def.type !== "object";
  return Object.entries(def.shape).every(([name, member]) => {
    const inner = defOf(unwrapped(member));
    return inner.type !== "literal" || inner.values.some((one) => one === value[name]);
  });
};

const inObject = (def: z.core.$ZodObjectDef, value: Members, at: string): string[] =>
  Object.entries(value).flatMap(([name, member]) => {
    const shape = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (shape) return membersIgnored(shape, member, `${at}${name}.`);
    // Without a catch-all the members that the shape does not have are dropped.
    return def.catchall === undefined ? [`${at}${name}`] : [];
  });

const membersIgnored = (schema: z.core.$ZodType, value: unknown, at: string): string[] => {
  const shape = unwrapped(schema);
  const def = defOf(shape);
  if (def.type === "object") return isMembers(value) ? inObject(def, value, at) : [];
  if (def.type === "array")
    return Array.isArray(value)
      ? value.flatMap((one, index) => membersIgnored(def.element, one, `${at}${index}.`))
      : [];
  if (def.type !== "union") return [];
  const meant = def.options.filter((option) => isMeant(option, value));
  return meant.length === 1 && meant[0] ? membersIgnored(meant[0], value, at) : [];
};

const queryIgnored = (shape: TakenShapes["query"], query: string) =>
  [...new Set(new URLSearchParams(query).keys())]
    .filter((name) => name !== "world" && !Object.hasOwn(shape, name))
    .map((name) => `?${name}`);

/**
 * Members of a body and parameters of a query that an operation does not have, as paths: they were
 * sent and ignored (spec/errors.md#request-log).
 */
export const ignoredOf = (
  { body, query }: TakenShapes,
  sent: { body: unknown; query?: string | undefined },
): string[] =>
  [
    ...(body === undefined ? [] : membersIgnored(body, sent.body, "")),
    ...(sent.query === undefined ? [] : queryIgnored(query, sent.query)),
  ]
    .slice(0, MOST_LISTED)
    .map((name) => name.slice(0, MOST_CHARACTERS));
