import * as z from "zod";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const DEEPEST = 5;

/** Paths of the members of a shape, each as `destination.accountId`. */
const pathsIn = (schema: Schema, defs: Record<string, Schema>, path = "", depth = 0): string[] => {
  if (depth > DEEPEST) return [];
  const named = schema.$ref && defs[schema.$ref.replace("#/$defs/", "")];
  if (named) return pathsIn(named, defs, path, depth + 1);
  const ways = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    return [own, ...pathsIn(member, defs, own, depth + 1)];
  });
  const items = schema.items ? pathsIn(schema.items, defs, `${path}.0`, depth + 1) : [];
  return [...members, ...ways.flatMap((way) => pathsIn(way, defs, path, depth)), ...items];
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
  const fields = [...new Set(pathsIn(schema, schema.$defs ?? {}))];
  return fields.map((field) => ({ method, path: path.replace(/\{\w+\}/g, "x"), field }));
});

/** A body with one member, however deep. */
export const bodyWith = (field: string, value: string): unknown =>
  field
    .split(".")
    .reduceRight<unknown>((inner, name) => (name === "0" ? [inner] : { [name]: inner }), value);
