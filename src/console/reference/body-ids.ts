/** An id in a body, and the names of the members that lead to it. */
export interface PlacedId {
  at: readonly (string | number)[];
  kind: string;
  id: string;
}

const ID = /^([A-Z][A-Za-z]+):[0-9a-f-]{36}$/;

const within = (value: unknown, at: PlacedId["at"]): PlacedId[] => {
  if (typeof value === "string") {
    const kind = ID.exec(value)?.[1];
    return kind === undefined ? [] : [{ at, kind, id: value }];
  }
  if (Array.isArray(value)) return value.flatMap((one, place) => within(one, [...at, place]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => within(one, [...at, name]));
};

/** The ids of records in a JSON text; none in a text that is not JSON yet. */
export const idsIn = (text: string): PlacedId[] => {
  try {
    return within(JSON.parse(text), []);
  } catch {
    return [];
  }
};

const put = (value: unknown, [name, ...rest]: PlacedId["at"], id: string): unknown => {
  if (name === undefined) return id;
  if (Array.isArray(value))
    return value.map((one, place) => (place === name ? put(one, rest, id) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: put(object[String(name)], rest, id) };
};

/** The same JSON text with another id at a place. */
export const withId = (text: string, at: PlacedId["at"], id: string): string =>
  JSON.stringify(put(JSON.parse(text), at, id), null, 2);
