import type { TimerRow } from "../../contract/control/feed-rows.ts";
import type { TimerBucket } from "../../contract/control/timers.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import type { Part } from "./gather.ts";

/** Timers of one place of the future that no flag names. */
export interface Ahead extends Part {
  /** Counts by the names of timers. */
  timers: Readonly<Record<string, number>>;
  /** Whether `atMs` is the instant of a timer, or only the beginning of its part. */
  isExact: boolean;
}

const oneOf = ({ dueAt, timer }: TimerRow): Ahead => ({
  atMs: Date.parse(dueAt),
  count: 1,
  worst: "clock",
  timers: { [timer]: 1 },
  isExact: true,
});

const withoutNamed = (parts: Ahead[], named: readonly TimerRow[]): Ahead[] => {
  const left = parts.map((part) => ({ ...part, timers: { ...part.timers } }));
  for (const { dueAt, timer } of named) {
    const part = left.findLast(({ atMs }) => atMs <= Date.parse(dueAt));
    if (!part) continue;
    part.count -= 1;
    part.timers[timer] = (part.timers[timer] ?? 1) - 1;
  }
  return left.filter(({ count }) => count > 0);
};

/**
 * The timers behind the named ones, in the order in which they fire.
 * @param timers those in sight, as far as they are known one by one
 * @param buckets counts of all in sight, where there are more than that
 */
export const aheadOf = (
  timers: readonly TimerRow[],
  namedCount: number,
  buckets: readonly TimerBucket[] | undefined,
): Ahead[] => {
  if (!buckets) return timers.slice(namedCount).map(oneOf);
  const parts = buckets.map(
    ({ at, count, timers: counts }): Ahead => ({
      atMs: Date.parse(at),
      count,
      worst: "clock",
      timers: counts,
      isExact: false,
    }),
  );
  return withoutNamed(parts, timers.slice(0, namedCount));
};

/** Counts by name in words: `1,240 × quote.expire, 3 × payment.settle`. */
export const countsOf = (parts: readonly Pick<Ahead, "timers">[]): string => {
  const counts = new Map<string, number>();
  for (const { timers } of parts)
    for (const [name, count] of Object.entries(timers))
      counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${inGroups(count)} × ${name}`)
    .join(", ");
};
