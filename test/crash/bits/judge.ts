import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Look, Seen } from "./look.ts";

/** Fate of a damaged state; anything else is a defect. */
export type Outcome =
  /** The file, or a folder of it, is named and nothing is loaded. */
  | "refused"
  /** The state is whole, or lacks an unfinished last record, and a sentence says so. */
  | "healed"
  | "equal"
  /** A cut right after a record, or before the first: it looks like a kill before the next one. */
  | "shorter";

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

/**
 * Finds the file, or a link to it, in a refusal. When whole records at the end of a segment are
 * missing, the segment after it is named, whose first record does not follow.
 */
const isNamed = (
  text: string,
  damage: Damage,
  { directory, whole }: { directory: string; whole: Buffer },
) =>
  damage.names.some((name) => text.includes(join(directory, name))) ||
  (isCutAtRecord(damage, whole) &&
    text.includes(join(directory, dirname(damage.file))) &&
    / but found record [0-9]+ in place of [0-9]+/.test(text));

const NEWLINE = 0x0a;
const TORN = /^[0-9]+ torn bytes in /;

/** Whether only whole records were cut off a segment. */
const isCutAtRecord = ({ file, bytes }: Damage, whole: Buffer) =>
  /journal[/\\][0-9]+-[0-9]+$/.test(file) &&
  bytes.length < whole.length &&
  bytes.equals(whole.subarray(0, bytes.length)) &&
  (bytes.length === 0 || bytes.at(-1) === NEWLINE);

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
    if (isNamed(seen, damage, { directory, whole: whole.bytes })) return "refused";
    throw new Unseen(`${how} of ${file} is refused without its name: ${seen}`);
  }
  if (seen.beside !== whole.seen.beside && seen.told.length === 0)
    throw new Unseen(`${how} of ${file} changed ${whole.seen.beside} to ${seen.beside}`);
  const names = Object.keys({ ...seen.states, ...whole.seen.states });
  const others = names.filter((name) => seen.states[name] !== whole.seen.states[name]);
  if (others.length === 0) return seen.told.length > 0 ? "healed" : "equal";
  const isEarlier = others.every((name) => whole.past.has(seen.states[name] ?? ""));
  if (isEarlier && seen.told.some((one) => TORN.test(one))) return "healed";
  if (isEarlier && isCutAtRecord(damage, whole.bytes)) return "shorter";
  throw new Unseen(`${how} of ${file} is served differently: ${others.join(", ")}`);
};

/** Bytes of a file of a state. */
export const bytesOf = (directory: string, file: string) => readFileSync(join(directory, file));
