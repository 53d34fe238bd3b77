import {
  NO_RATE_LIMIT,
  type RATE_UNITS,
  type RateLimitText,
} from "../../contract/platform/rate-limit-text.ts";
import type { Rule, View } from "../core/draft.ts";
import { hours, minutes, seconds } from "../core/durations.ts";
import { platformConfig } from "../core/platform-config.ts";
import { DEFAULT_SETTINGS } from "../core/world-settings.ts";

/** The most calls in any span of simulated time. */
export interface RateLimit {
  calls: number;
  spanMs: number;
}

const SPAN_MS: Readonly<Record<(typeof RATE_UNITS)[number], number>> = {
  s: seconds(1),
  m: minutes(1),
  h: hours(1),
};

/** The limit that a text like `10/s` means; nothing for `none`. */
export const rateLimitOf = (text: RateLimitText): RateLimit | undefined => {
  if (text === NO_RATE_LIMIT) return undefined;
  const [calls, unit] = text.split("/");
  return { calls: Number(calls), spanMs: SPAN_MS[unit as (typeof RATE_UNITS)[number]] };
};

/** The limit of a world's tokens as it was set; read at every call, so it looks at nothing else. */
export const rateLimitText = (view: View): RateLimitText =>
  platformConfig(view).rateLimit ?? DEFAULT_SETTINGS.rateLimit;

/** PUT /_sim/rate-limit: counts for the calls that come from now on. */
export const setRateLimit: Rule<{ limit: RateLimitText }, { limit: RateLimitText }> = (
  draft,
  { limit },
) => {
  draft.put("PlatformConfig", { ...platformConfig(draft), rateLimit: limit });
  return { limit };
};

/** Calls that one token made at an instant. */
export interface CallsAt {
  atMs: number;
  calls: number;
}

/** A window after a call was admitted, or how long the token has to wait for that. */
export type Admission = { recent: readonly CallsAt[] } | { waitMs: number };

/**
 * Admits a call of a token unless its span has as many already (spec/faults.md#rate-limit). A
 * refused call does not count.
 * @param recent earlier calls of the token, oldest first
 */
export const admitCall = (
  recent: readonly CallsAt[],
  { calls, spanMs }: RateLimit,
  atMs: number,
): Admission => {
  // A world that was made from an earlier instant has no later calls.
  const counted = recent.filter((one) => one.atMs > atMs - spanMs && one.atMs <= atMs);
  const count = counted.reduce((sum, one) => sum + one.calls, 0);
  if (count >= calls) return { waitMs: (counted[0] as CallsAt).atMs + spanMs - atMs };
  const last = counted.at(-1);
  if (last?.atMs !== atMs) return { recent: [...counted, { atMs, calls: 1 }] };
  return { recent: [...counted.slice(0, -1), { atMs, calls: last.calls + 1 }] };
};
