import * as z from "zod";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** References that are followed one inside the other. */
const DEEPEST = 5;

/** Paths of the members of a shape, each as `destination.accountId`. */
const pathsIn = (whole: Schema): string[] => {
  const below = (schema: Schema, path: string, depth: number): string[] => {
    const named = schema.$ref && whole.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (named) return depth < DEEPEST ? below(named, path, depth + 1) : [];
    const ways = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const own = path === "" ? name : `${path}.${name}`;
      return [own, ...below(member, own, depth)];
    });
    const items = schema.items ? below(schema.items, `${path}.0`, depth) : [];
    return [...members, ...ways.flatMap((way) => below(way, path, depth)), ...items];
  };
  return [...new Set(below(whole, "", 0))];
};

/** A member of a body that an operation takes. */
export interface Field {
  method: string;
  path: string;
  field: string;
}

/** Every member of the body of every operation of the platform. */
export const FIELDS: readonly Field[] = PLATFORM_ENDPOINTS.flatMap(({ method, path, body }) => {
  if (!body) return [];
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Schema;
  const place = path.replace(/\{\w+\}/g, "x");
  return pathsIn(schema).map((field) => ({ method, path: place, field }));
});

/** A body with one member, however deep. */
export const bodyWith = (field: string, value: string): unknown =>
  field
    .split(".")
    .reduceRight<unknown>((inner, name) => (name === "0" ? [inner] : { [name]: inner }), value);
