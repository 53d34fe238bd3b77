const LONGEST_SHOWN = 60;
const MOST_NAMES = 5;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

const cut = (text: string) =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;

const shownObject = (value: object) => {
  const names = Object.keys(value);
  if (names.length === 0) return "an empty object";
  const more = names.length > MOST_NAMES ? ", …" : "";
  return `an object with ${cut(names.slice(0, MOST_NAMES).join(", "))}${more}`;
};

const shownText = (text: string) => {
  if (text.length <= LONGEST_SHOWN) return JSON.stringify(text);
  const beginning = JSON.stringify(text.slice(0, LONGEST_SHOWN));
  return `${beginning.slice(0, -1)}…" (${counted(text.length, "character")})`;
};

/**
 * A value inside a sentence (spec/errors.md#messages): short, on one line, with its type visible.
 * Long text is cut and its length given. Objects show only their names, since values may be
 * secrets.
 */
export const shownValue = (value: unknown): string => {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value))
    return value.length === 0 ? "an empty array" : `an array of ${counted(value.length, "item")}`;
  return typeof value === "object" && value !== null ? shownObject(value) : String(value);
};

/** The value at a place of a document; nothing when a member on the way is missing. */
export const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    document,
  );
