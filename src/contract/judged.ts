import type * as z from "zod";
import { MAX_NESTING } from "./core/nesting.ts";
import { valueAt } from "./core/shown-value.ts";
import { IN_OUR_WORDS } from "./expectations.ts";

/** Entries of a list or an object that are judged before the rest of it. */
const MOST = 1_000;

/**
 * A document without what is beyond the first 1,000 entries of each list and object; the document
 * itself where nothing is. A shape notes each entry that does not fit: a long list of them would
 * take minutes and all memory, and only the first is told.
 */
export const thinned = (value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || depth > MAX_NESTING) return value;
  // The bytes of an uploaded file are one value, whatever their number.
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return thinList(value, depth);
  const entries = Object.entries(value);
  let isSame = entries.length <= MOST;
  const kept = entries.slice(0, MOST).map(([name, one]): [string, unknown] => {
    const thin = thinned(one, depth + 1);
    isSame &&= thin === one;
    return [name, thin];
  });
  return isSame ? value : Object.fromEntries(kept);
};

const thinList = (list: readonly unknown[], depth: number) => {
  const kept = list.slice(0, MOST).map((one) => thinned(one, depth + 1));
  const isSame = list.length <= MOST && kept.every((one, at) => one === list[at]);
  return isSame ? list : kept;
};

/**
 * Parses a value, whatever its size, with the messages in our words. A mistake in the beginning of
 * a long list is told without a look at the rest.
 */
export const judged = <Parsed>(
  schema: z.ZodType<Parsed>,
  value: unknown,
): z.ZodSafeParseResult<Parsed> => {
  const thin = thinned(value);
  if (thin !== value) {
    const early = schema.safeParse(thin, IN_OUR_WORDS);
    // What is only missing among the first entries is no mistake.
    const isOfBoth = early.error?.issues.some(
      ({ path }) => valueAt(thin, path) !== undefined && valueAt(value, path) !== undefined,
    );
    if (isOfBoth) return early;
  }
  return schema.safeParse(value, IN_OUR_WORDS);
};
