import { closestTo } from "../contract/core/closest.ts";

/** A mistake in a value: what it is in words, and the right form. */
export interface Mistake {
  what: string;
  write?: string | undefined;
}

/** The form of an argument: in words, and what is wrong with a value of another form. */
export interface Form {
  says: string;
  mistakeIn(value: unknown): Mistake | undefined;
}

type Members = Readonly<Record<string, unknown>>;

export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as Members).then === "function";

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isPromise(value);

const AWAIT = "await the call that it comes from";

/** A value in words; a text in quotes. */
export const inWords = (value: unknown): string => {
  if (value === undefined || value === null) return String(value);
  if (isPromise(value)) return "a promise";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a Date";
  if (typeof value === "object") {
    const names = Object.keys(value).slice(0, 3);
    return names.length === 0 ? "an object" : `an object with ${names.join(", ")}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : `the ${typeof value} ${String(value)}`;
};

/** The mistake in a value that is not text. */
const notText = (value: unknown, write?: (value: unknown) => string | undefined) => {
  if (typeof value === "string" && value !== "") return undefined;
  const right = isPromise(value) ? AWAIT : write?.(value);
  return { what: value === "" ? "an empty text" : inWords(value), write: right };
};

const hasMember = (value: unknown, name: string) =>
  isObject(value) && typeof value[name] === "string";

/** An id; a record instead is told by its id. */
export const ID: Form = {
  says: "an id",
  mistakeIn: (value) =>
    notText(value, (other) => (hasMember(other, "id") ? "pass its id member" : undefined)),
};

/** A name; a world or snapshot instead is told by its name. */
export const NAME: Form = {
  says: "a name",
  mistakeIn: (value) =>
    notText(value, (other) => {
      if (hasMember(other, "world")) return "pass its world member";
      return hasMember(other, "name") ? "pass its name member" : undefined;
    }),
};

/** One text out of several, given directly. */
export const word = (member: string, example: string): Form => ({
  says: `text like "${example}"`,
  mistakeIn: (value) =>
    notText(value, (other) => (hasMember(other, member) ? `pass only its ${member}` : undefined)),
});

/** An instant; a Date is written as one. */
export const INSTANT: Form = {
  says: 'an instant like "2026-01-05T09:00:00Z"',
  mistakeIn: (value) => {
    if (value instanceof Date) return undefined;
    const write = typeof value === "number" ? `new Date(${value}).toISOString()` : undefined;
    return notText(value, () => write);
  },
};

const inUnits = (value: number) =>
  value < 0
    ? undefined
    : `a number has no unit, so write "${value}ms" or "${value}s", or a span like "6m"`;

/** A span of time. */
export const span = (negative: string): Form => ({
  says: 'a span like "90s", "6m", "1h30m" or "7d"',
  mistakeIn: (value) => {
    if ((typeof value === "string" && /^\s*[-−]/.test(value)) || Number(value) < 0)
      return { what: `a negative one, ${inWords(value)}`, write: negative };
    if (isObject(value) && "by" in value)
      return { what: inWords(value), write: "pass only its by" };
    return notText(value, (other) => (typeof other === "number" ? inUnits(other) : undefined));
  },
});

/** Kinds of an option's value. */
const KINDS = {
  text: "text",
  number: "a number",
  flag: "true or false",
  any: "anything",
} as const;

export type OptionKinds = Readonly<Record<string, keyof typeof KINDS>>;

const isOfKind = (kind: keyof typeof KINDS, value: unknown) => {
  if (isPromise(value)) return false;
  if (kind === "any") return true;
  if (kind === "text") return typeof value === "string";
  return typeof value === (kind === "flag" ? "boolean" : "number");
};

const mistakeInOption = (kinds: OptionKinds, name: string, value: unknown): Mistake | undefined => {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) {
    const closest = closestTo(name, Object.keys(kinds));
    return {
      what: `the member ${name}`,
      write: closest === undefined ? undefined : `the closest one is ${closest}`,
    };
  }
  if (value === undefined || isOfKind(kind, value)) return undefined;
  const write = isPromise(value) ? AWAIT : `${name} is ${KINDS[kind]}`;
  return { what: `${inWords(value)} in ${name}`, write };
};

/**
 * An object of options.
 * @param example as it is written in code: `{ type: "TEST" }`
 */
export const options = (kinds: OptionKinds, example: string): Form => ({
  says: `an object with ${Object.keys(kinds).join(", ")}`,
  mistakeIn: (value) => {
    if (!isObject(value))
      return { what: inWords(value), write: isPromise(value) ? AWAIT : `write ${example}` };
    for (const [name, option] of Object.entries(value)) {
      const mistake = mistakeInOption(kinds, name, option);
      if (mistake) return mistake;
    }
    return undefined;
  },
});

/** An object that a test is about, such as a request. */
export const thing = (says: string, fits: (value: unknown) => boolean, write?: string): Form => ({
  says,
  mistakeIn: (value) =>
    fits(value) ? undefined : { what: inWords(value), write: isPromise(value) ? AWAIT : write },
});

/** Raises the mistake in an argument, if it has one. */
export const requireForm = (place: string, form: Form, value: unknown) => {
  const mistake = form.mistakeIn(value);
  if (mistake === undefined) return;
  const write = mistake.write === undefined ? "" : `: ${mistake.write}`;
  throw new TypeError(`Expected ${place} to be ${form.says} but found ${mistake.what}${write}`);
};
