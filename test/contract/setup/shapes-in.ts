import type * as z from "zod";

/** Every shape inside a value, including those in zod's own definitions. */
export const shapesIn = (value: unknown, seen = new Set<unknown>()): z.ZodType[] => {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (!("_zod" in value)) return Object.values(value).flatMap((one) => shapesIn(one, seen));
  const { def } = (value as z.ZodType)._zod;
  const inner = def.type === "lazy" ? (def as z.core.$ZodLazyDef).getter() : def;
  return [value as z.ZodType, ...shapesIn(inner, seen)];
};
