/** `short`: what `.ci/run` measures; `usual`: all but what takes minutes; `full`: all. */
export type RunLength = "short" | "usual" | "full";

/** A number for each length of a run; a full run takes the usual one by default. */
export interface Sizes {
  short: number;
  usual: number;
  full?: number;
}

const LENGTHS: readonly RunLength[] = ["short", "usual", "full"];

export const byLength = (length: RunLength, sizes: Sizes): number => sizes[length] ?? sizes.usual;

/** Whether a run is at least as long as another one. */
export const isAsLongAs = (length: RunLength, other: RunLength) =>
  LENGTHS.indexOf(length) >= LENGTHS.indexOf(other);

/** The number of a run as people write it, with its thousands grouped. */
export const sizeText = (length: RunLength, sizes: Sizes) =>
  byLength(length, sizes).toLocaleString("en-US");
