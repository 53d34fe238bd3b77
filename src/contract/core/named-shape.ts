import * as z from "zod";

/**
 * A shape with a name: the OpenAPI document has it once, under this name, and generators of clients
 * make it a type. It is built at its first use, because all shapes together would slow down a start.
 */
export const named = <Shape extends z.ZodType>(id: string, shape: () => Shape): z.ZodLazy<Shape> =>
  z.lazy(() => shape().meta({ id }));

/**
 * The name of a named shape.
 * @throws Error for a shape without one
 */
export const nameOf = (shape: z.ZodLazy): string => {
  const id = (shape.unwrap() as z.ZodType).meta()?.id;
  if (id === undefined) throw new Error("Expected a shape with a name");
  return id;
};

/** `AED_ACCOUNT` as a part of a name: `AedAccount`. */
export const inPascalCase = (name: string) =>
  name
    .split(/[_.\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");

const shared = new Map<string, z.ZodType>();

/** A named shape that several places make alike: all get the one that was made first. */
export const sharedShape = <Shape extends z.ZodType>(id: string, shape: () => Shape): Shape => {
  const known = shared.get(id) ?? shape().meta({ id });
  shared.set(id, known);
  return known as Shape;
};

/** A choice of texts with a name. */
export const enumOf = <const Value extends string>(id: string, values: readonly Value[]) =>
  sharedShape(id, () => z.enum(values as readonly [Value, ...Value[]]));
