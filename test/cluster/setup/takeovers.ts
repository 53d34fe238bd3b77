import type { Fault, Told } from "../checker/history.ts";

/**
 * Times from each kill to the first good answer of a call that began after it, one a world that was
 * called meanwhile.
 */
export const takeoverTimes = (calls: readonly Told[], faults: readonly Fault[]): number[] => {
  const times: number[] = [];
  const kills = faults.filter(
    ({ what, process }) => what.startsWith("kill of process") && process !== undefined,
  );
  const byEnd = calls.toSorted((one, other) => one.endMs - other.endMs);
  for (const { beginMs } of kills) {
    const next = kills.find((kill) => kill.beginMs > beginMs)?.beginMs ?? Number.POSITIVE_INFINITY;
    const first = new Map<string, number>();
    for (const { world, status = 599, beginMs: askedMs, endMs } of byEnd) {
      if (askedMs < beginMs || endMs > next || status >= 500 || first.has(world)) continue;
      first.set(world, endMs - beginMs);
    }
    times.push(...first.values());
  }
  return times;
};

/** The value below which a share of all values lies; 0 of none. */
export const shareBelow = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
};
