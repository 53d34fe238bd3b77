import type { MarkName } from "../../text/marks.ts";

/** Marks from the worst to the least: a bar shows the worst of what it stands for. */
export const WORST_FIRST = [
  "failed",
  "asks",
  "waits",
  "done",
  "clock",
  "over",
] as const satisfies readonly MarkName[];

/** Events of one lane in one part of a span. */
export interface Part {
  atMs: number;
  count: number;
  worst: MarkName;
}

/** One thing in a lane: a tick of an ordinary event, a mark, or a bar of many. */
export interface Gathered<One extends Part> {
  /** The parts it stands for. */
  parts: readonly One[];
  atMs: number;
  count: number;
  worst: MarkName;
  /** Height of its bar. */
  heightPx: number;
}

const LEAST_PX = 6;
const MORE_PX = 16;

/** Height of a bar: logarithmic, so that one event beside a thousand is seen. */
export const barHeightPx = (count: number, most: number) =>
  most <= 1 ? LEAST_PX : Math.round(LEAST_PX + (MORE_PX * Math.log2(count)) / Math.log2(most));

const rank = (mark: MarkName) => WORST_FIRST.indexOf(mark as (typeof WORST_FIRST)[number]);

const worseOf = (a: MarkName, b: MarkName) => (rank(a) <= rank(b) ? a : b);

/** Puts parts that stand closer than `nearMs` into one; the first decides where it stands. */
export const gather = <One extends Part>(
  parts: readonly One[],
  nearMs: number,
): Gathered<One>[] => {
  const groups: One[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (last && first && part.atMs - first.atMs < nearMs) last.push(part);
    else groups.push([part]);
  }
  const counts = groups.map((group) => group.reduce((sum, { count }) => sum + count, 0));
  const most = Math.max(1, ...counts);
  return groups.map((group, at) => {
    const count = counts[at] ?? 0;
    return {
      parts: group,
      atMs: group[0]?.atMs ?? 0,
      count,
      worst: group.map(({ worst }) => worst).reduce(worseOf, "over"),
      heightPx: barHeightPx(Math.max(1, count), most),
    };
  });
};
