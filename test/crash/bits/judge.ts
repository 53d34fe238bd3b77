import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Look, Seen } from "./look.ts";

/** Fate of a damaged state; anything else is a defect. */
export type Outcome =
  /** The file, or a folder of it, is named and nothing is loaded. */
  | "refused"
  /** The state is whole, or lacks its last records after a kill, and a sentence says so. */
  | "healed"
  | "equal";

/** One damage of a file. */
export interface Damage {
  file: string;
  /** The file and all others that are links to the same bytes. */
  names: readonly string[];
  how: string;
  bytes: Buffer;
}

/** The whole state that a damaged one is compared with. */
export interface Whole {
  seen: Seen;
  past: ReadonlySet<string>;
  /** Bytes of the file before the damage. */
  bytes: Buffer;
}

/** Raised for a damaged state that is served differently, or refused without a name. */
export class Unseen extends Error {
  override readonly name = "Unseen";
}

/** Finds the file, or a link to it, in a refusal. */
const isNamed = (text: string, { names }: Damage, directory: string) =>
  names.some((name) => text.includes(join(directory, name)));

/** Tells that an unfinished record was cut off, which a flipped bit can make of a last one. */
const TORN = /removed an unfinished change of [0-9]+ bytes from the journal/;
/** Tells up to where a journal is read that may have had more. */
const READ_UP_TO = /: the last change read is number [0-9]+, of [0-9TZ:.-]+(; a kill loses .*)?$/;

const refusalOf = (error: unknown) => {
  const { file = "", message } = error as Error & { file?: string };
  return `${file}: ${message}`;
};

/** Judges what became of a damaged state. */
export const judge = async (
  directory: string,
  damage: Damage,
  { whole, look }: { whole: Whole; look: Look },
): Promise<Outcome> => {
  const { file, how } = damage;
  const seen = await look(directory, file).catch((error: unknown) => refusalOf(error));
  if (typeof seen === "string") {
    if (isNamed(seen, damage, directory)) return "refused";
    throw new Unseen(`${how} of ${file} is refused without its name: ${seen}`);
  }
  // A killed state tells that it was killed, damaged or not.
  const told = seen.told.filter((one) => !whole.seen.told.includes(one));
  if (seen.beside !== whole.seen.beside && told.length === 0)
    throw new Unseen(`${how} of ${file} changed ${whole.seen.beside} to ${seen.beside}`);
  const names = Object.keys({ ...seen.states, ...whole.seen.states });
  const others = names.filter((name) => seen.states[name] !== whole.seen.states[name]);
  if (others.length === 0) return told.length > 0 ? "healed" : "equal";
  const isEarlier = others.every((name) => whole.past.has(seen.states[name] ?? ""));
  const isCut = damage.bytes.length < whole.bytes.length;
  const isTold = told.some((one) => TORN.test(one) || (isCut && READ_UP_TO.test(one)));
  if (isEarlier && isTold) return "healed";
  throw new Unseen(`${how} of ${file} is served differently: ${others.join(", ")}`);
};

/** Bytes of a file of a state. */
export const bytesOf = (directory: string, file: string) => readFileSync(join(directory, file));
