import type * as z from "zod";
import { valueAt } from "./core/shown-value.ts";
import { thinned } from "./core/thinned.ts";
import { IN_OUR_WORDS } from "./expectations.ts";

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
