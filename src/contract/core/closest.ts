import { distance, MAX_COMPARED } from "./edit-distance.ts";

/**
 * Most edits that count as a typing slip, per character of the intended text
 * (spec/errors.md#unknown-operations).
 */
const SLIPS_PER_CHARACTER = 0.34;

/** Whether this number of edits is a slip in a text of this length; a single one always is. */
export const isSlip = (edits: number, length: number) =>
  edits <= Math.max(1, Math.floor(length * SLIPS_PER_CHARACTER));

/** A name without case and separators, which people mistype most. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, "");

/** The name that was most likely meant, or nothing when none is close. */
export const closestTo = (input: string, names: readonly string[]): string | undefined => {
  const typed = plain(input);
  if (typed === "" || typed.length > MAX_COMPARED) return undefined;
  const [best] = names
    .map((name) => ({ name, edits: distance(typed, plain(name)) }))
    .sort((a, b) => a.edits - b.edits);
  return best && isSlip(best.edits, plain(best.name).length) ? best.name : undefined;
};
