import { drawsOf } from "../../setup/draws.ts";

/** Draws of one mutation, repeatable by seed. */
export interface Chance {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
}

export const chanceOf = (seed: number): Chance => {
  const next = drawsOf(Math.imul(seed, 0x9e3779b1));
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
};

type Change = (text: string, chance: Chance) => string;

const flip = (bytes: Buffer, chance: Chance) => {
  const flipped = Buffer.from(bytes);
  const at = chance.below(bytes.length);
  flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.below(8));
  return flipped;
};

/** Changes of the bytes of any file. */
export const BYTE_CHANGES: Readonly<Record<string, (bytes: Buffer, chance: Chance) => Buffer>> = {
  flip,
  "flips in several places": (bytes, chance) =>
    Array.from({ length: 8 }).reduce((one: Buffer) => flip(one, chance), bytes),
  cut: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  "cut out of the middle": (bytes, chance) => {
    const from = chance.below(bytes.length);
    const to = from + 1 + chance.below(bytes.length - from);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  empty: () => Buffer.alloc(0),
  "a mark alone": () => Buffer.from("\uFEFF"),
  twice: (bytes) => Buffer.concat([bytes, bytes]),
  "bytes of zero": (bytes) => Buffer.alloc(bytes.length),
  "a zero within": (bytes, chance) => {
    const at = chance.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]);
  },
  "bytes that are no text": (bytes) => Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), bytes]),
};

/** Forms of the same text, which are to be read as the text is. */
export const SAME_TEXTS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "a byte order mark": (bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes]),
  "line ends of Windows": (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n")),
  "both of these": (bytes) => Buffer.from(`\uFEFF${bytes.toString().replaceAll("\n", "\r\n")}`),
};

/** Stands in a document for a text that no value gives when it is written. */
const HOLE = "hole-in-the-document";

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Every place of a document: what holds it, and its name there. */
const placesOf = (value: unknown): [holder: Record<string, unknown>, name: string][] => {
  const found: [Record<string, unknown>, string][] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const holder = left.pop();
    if (!isHolder(holder)) continue;
    for (const name of Object.keys(holder)) {
      found.push([holder, name]);
      left.push(holder[name]);
    }
  }
  return found;
};

/** Writes a text in place of a random value. */
const withHole =
  (written: string): Change =>
  (text, chance) => {
    const document = JSON.parse(text);
    const places = placesOf(document);
    if (places.length === 0) return written;
    const [holder, name] = chance.pick(places);
    holder[name] = HOLE;
    return JSON.stringify(document).replace(`"${HOLE}"`, () => written);
  };

/** Adds a member, whose text is given, to a random object. */
const withMember =
  (written: string): Change =>
  (text, chance) => {
    const document = JSON.parse(text);
    const objects = placesOf({ document })
      .map(([holder, name]) => holder[name])
      .filter((one) => isHolder(one) && !Array.isArray(one)) as Record<string, unknown>[];
    if (objects.length === 0) return written;
    chance.pick(objects)[HOLE] = 1;
    return JSON.stringify(document).replace(`"${HOLE}":1`, () => written);
  };

const SMALL = ["null", "7", "-1", "1e400", "9e15", '"text"', '""', "[]", "{}", "true", "[null]"];

/** Nesting beyond what anything nests, and beyond what code that calls itself bears. */
const DEPTHS = [65, 5_000, 100_000];

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Changes of JSON documents. */
export const JSON_CHANGES: Readonly<Record<string, Change>> = {
  "another type": (text, chance) => withHole(chance.pick(SMALL))(text, chance),
  "another type at the top": (_text, chance) => chance.pick(SMALL),
  "a member less": (text, chance) => {
    const document = JSON.parse(text);
    const [holder, name] = chance.pick(placesOf(document));
    delete holder[name];
    return JSON.stringify(document);
  },
  "a member of no use": withMember('"isAdmin":true'),
  "a prototype": (text, chance) =>
    withMember(
      chance.pick([
        '"__proto__":{"isAdmin":true}',
        '"__proto__":null',
        '"\\u005f_proto__":{"toString":1}',
        '"constructor":{"prototype":{"isAdmin":true}}',
        '"toString":"x","valueOf":1,"hasOwnProperty":2,"then":3',
      ]),
    )(text, chance),
  "a name as a value": (text, chance) =>
    withHole(chance.pick(['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"']))(
      text,
      chance,
    ),
  "deep lists": (text, chance) => withHole(nested(chance.pick(DEPTHS)))(text, chance),
  "deep objects": (text, chance) => withHole(nestedObjects(chance.pick(DEPTHS)))(text, chance),
  "deep at the top": (_text, chance) => nested(chance.pick(DEPTHS)),
  "a cycle": withMember('"$ref":"#"'),
  "a cycle of two": (text, chance) =>
    withHole(chance.pick(['{"$ref":"#/"}', '"{{0}}"', '"${0}"', '{"$ref":"#/paths"}']))(
      text,
      chance,
    ),
  "a name twice": (text, chance) => withMember('"a":1,"a":2')(text, chance),
  "control characters": withHole('"\\u0000\\u001b[2J\\u2028"'),
  "half a character": withHole('"\\ud800"'),
};

/** Changes that make a document of about a number of bytes. */
export const HUGE_CHANGES: Readonly<Record<string, (bytes: number) => Change>> = {
  "a long text": (bytes) => withHole(`"${"x".repeat(bytes)}"`),
  "a long list": (bytes) => withHole(`[${"1,".repeat(bytes / 2)}1]`),
  "many members": (bytes) =>
    withMember(Array.from({ length: bytes / 14 }, (_, at) => `"m${at + 1e6}":1`).join(",")),
  "much space": (bytes) => (text) => text + " ".repeat(bytes),
  "deep lists": (bytes) => withHole(nested(bytes / 2)),
  "many quotes": (bytes) => withHole(`"${'\\"'.repeat(bytes / 2)}"`),
  "many digits": (bytes) => withHole("1".repeat(bytes)),
};

/** Changes of `HUGE_CHANGES` with their names. */
export type HugeChanges = readonly (readonly [name: string, make: (bytes: number) => Change])[];

/** Those that a file gets: a few, other ones for each file; at most all. */
export const hugeChangesOf = (file: number, few: number): HugeChanges => {
  const all = Object.entries(HUGE_CHANGES);
  const first = few * file;
  return all.filter((_, at) => (at - first + 100 * all.length) % all.length < few);
};
