import { columns } from "../../src/cli/text/layout.ts";
import type { Target } from "./figure.ts";
import type { Measurement } from "./measurement.ts";

const HEAD = ["FIGURE", "FLOOR", "MEDIAN", "MIN–MAX", "TARGET", "HOLDS"];

const ratio = (value: number) => value.toFixed(value < 1 ? 3 : 2);

const targetText = (target: Target | undefined) => {
  if (!target) return "-";
  return "atMost" in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
};

const holdsText = (holds: boolean | undefined) => {
  if (holds === undefined) return "-";
  return holds ? "yes" : "no";
};

const rowOf = (measurement: Measurement): string[] => {
  const { name, floor, target } = measurement;
  if (measurement.state !== "MEASURED")
    return [name, floor, "-", "-", targetText(target), measurement.state.toLowerCase()];
  const { median, min, max } = measurement.ratios;
  const range = `${ratio(min)}–${ratio(max)}`;
  return [name, floor, ratio(median), range, targetText(target), holdsText(measurement.holds)];
};

/** The machine of the run; loads are averages of a minute, before and after. */
export interface Machine {
  node: string;
  cores: number;
  load: { before: number; after: number };
}

export const sentenceOf = ({ node, cores, load }: Machine) =>
  `Node.js ${node}, ${cores} cores, load ${load.before} before and ${load.after} after`;

/** The table, and below it a sentence for each figure without ratios. */
export const tableOf = (measurements: readonly Measurement[]): string[] => [
  ...columns([HEAD, ...measurements.map(rowOf)]),
  ...measurements.flatMap((one) =>
    one.state === "MEASURED" ? [] : [`${one.state.toLowerCase()}: ${one.name}: ${one.why}`],
  ),
];
