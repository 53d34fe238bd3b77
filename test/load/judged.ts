import { type Load, percentile } from "./clients.ts";
import type { Stretches } from "./loop-watch.ts";

/** Bounds of a stage; a bound that is left out is reported and not judged. */
export interface Bounds {
  /** Slowest hundredth of the answers, in medians. */
  p99InMedians?: number;
  slowestMs?: number;
  stretchMs?: number;
}

/** A stage of the load, as it went. */
export interface Stage {
  name: string;
  load: Load;
  stretches: Stretches;
  seconds: number;
  bounds: Bounds;
}

const timesOf = ({ tookMs }: Load) => ({
  median: percentile(tookMs, 0.5),
  p99: percentile(tookMs, 0.99),
  slowest: percentile(tookMs, 1),
});

/** A stage in a line. */
export const stageLine = ({ name, load, stretches, seconds }: Stage): string => {
  const { median, p99, slowest } = timesOf(load);
  const ratio = (p99 / median).toFixed(1);
  return [
    `${name}: ${load.tookMs.length} answers in ${seconds.toFixed(1)} s`,
    `${Math.round(load.tookMs.length / seconds)} a second, ${load.errors.length} errors`,
    `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${ratio} medians)`,
    `slowest ${slowest.toFixed(0)} ms`,
    `longest piece of work ${stretches.pieceMs.toFixed(0)} ms, longest turn ` +
      `${stretches.turnMs.toFixed(0)} ms (${stretches.wallMs.toFixed(0)} ms on the wall)`,
  ].join("; ");
};

/** Everything that is wrong with a stage. */
export const stageComplaints = ({ name, load, stretches, bounds }: Stage): string[] => {
  const { median, p99, slowest } = timesOf(load);
  const {
    p99InMedians = Number.POSITIVE_INFINITY,
    slowestMs = Number.POSITIVE_INFINITY,
    stretchMs = Number.POSITIVE_INFINITY,
  } = bounds;
  const complaints = [...new Set(load.errors)].map((error) => `an error: ${error}`);
  if (load.tookMs.length === 0) complaints.push("no answer at all");
  if (p99 > p99InMedians * median)
    complaints.push(`p99 is ${(p99 / median).toFixed(1)} medians, more than ${p99InMedians}`);
  if (slowest > slowestMs) complaints.push(`${slowest.toFixed(0)} ms, more than ${slowestMs} ms`);
  if (stretches.pieceMs > stretchMs)
    complaints.push(`the event loop stood for ${stretches.pieceMs.toFixed(0)} ms`);
  return complaints.map((complaint) => `${name}: ${complaint}`);
};
