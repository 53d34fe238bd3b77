import type { RequestRow } from "../contract/control/feed-rows.ts";
import type { Fault } from "../contract/platform/faults.ts";
import type { WatchedWorld } from "./world.ts";

/** Number of calls that a fault strikes at most; undefined for one that continues. */
export const limitOf = ({ match: { nth, times } }: Fault) =>
  times ?? (nth === undefined ? undefined : 1);

const isArmed = (fault: Fault, nowMs: number | undefined) => {
  const { match, seen, struck } = fault;
  const limit = limitOf(fault);
  if (match.until !== undefined && nowMs !== undefined && nowMs >= Date.parse(match.until))
    return false;
  return limit === undefined || (struck < limit && seen < (match.nth ?? 1) + limit - 1);
};

/** The faults that can still strike a call, oldest first. */
export const armedIn = ({ faults }: WatchedWorld, nowMs: number | undefined): readonly Fault[] =>
  faults.filter((fault) => isArmed(fault, nowMs));

/** Counts struck calls, which the feed tells with the requests. */
export const countStruck = (faults: WatchedWorld["faults"], requests: readonly RequestRow[]) => {
  const struckBy = requests.flatMap(({ fault }) => fault ?? []);
  if (struckBy.length === 0) return faults;
  return faults.map((one) => {
    const count = struckBy.filter((id) => id === one.id).length;
    return count === 0 ? one : { ...one, seen: one.seen + count, struck: one.struck + count };
  });
};
