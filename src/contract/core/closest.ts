import { distance, MAX_COMPARED } from "./edit-distance.ts";

/** Edits in proportion to the length of what was meant, up to which a text counts as a slip. */
const SLIPS_PER_CHARACTER = 0.34;

/** Whether so many edits of a text of this length are a slip: one always is. */
export const isSlip = (edits: number, length: number) =>
  edits <= Math.max(1, Math.floor(length * SLIPS_PER_CHARACTER));

/** How a name is compared: case and separators are typed wrong most often, and cost nothing. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]/g, "");

/** The name that was most likely meant, or nothing when none is close. */
export const closestTo = (asked: string, names: readonly string[]): string | undefined => {
  const typed = plain(asked);
  if (typed === "" || typed.length > MAX_COMPARED) return undefined;
  const [best] = names
    .map((name) => ({ name, edits: distance(typed, plain(name)) }))
    .sort((a, b) => a.edits - b.edits);
  return best && isSlip(best.edits, plain(best.name).length) ? best.name : undefined;
};
