import { columns } from "../../src/text/layout.ts";
import type { Found, Pair, Target } from "./figure.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./ratios.ts";

const HEAD = ["FIGURE", "FLOOR", "OURS", "BASE", "RATIO", "MIN–MAX", "GOAL", "HOLDS"];

/** Digits that a number needs to be read and compared. */
const DIGITS = [
  { below: 1, digits: 3 },
  { below: 10, digits: 2 },
  { below: 100, digits: 1 },
];

/** A number with three digits that say something; thousands are grouped. */
export const numberText = (value: number): string => {
  const digits = DIGITS.find(({ below }) => Math.abs(value) < below)?.digits ?? 0;
  const text = value.toFixed(digits);
  return digits > 0 ? text : text.replace(/\B(?=(\d{3})+$)/g, ",");
};

const targetText = (target: Target | undefined) => {
  if (!target) return "-";
  return "atMost" in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
};

const holdsText = (holds: boolean | undefined) => {
  if (holds === undefined) return "-";
  return holds ? "yes" : "no";
};

const medianText = ({ pairs }: Found, half: keyof Pair, unit: string) => {
  const text = numberText(median(pairs.map((pair) => pair[half])));
  return unit.startsWith("/") ? text + unit : `${text} ${unit}`;
};

const rowOf = (measurement: Measurement): string[] => {
  const { name, floor, target, unit } = measurement;
  const goal = targetText(target);
  if (measurement.state !== "MEASURED")
    return [name, floor, "-", "-", "-", "-", goal, measurement.state.toLowerCase()];
  const { ratios, found, holds } = measurement;
  const range = `${numberText(ratios.min)}–${numberText(ratios.max)}`;
  const halves = [medianText(found, "measured", unit), medianText(found, "floor", unit)];
  return [name, floor, ...halves, numberText(ratios.median), range, goal, holdsText(holds)];
};

const notesOf = (measurement: Measurement): readonly string[] => {
  if (measurement.state === "MEASURED") return measurement.found.notes ?? [];
  return [`${measurement.state.toLowerCase()}: ${measurement.why}`];
};

/** The table, and below it what else is to say about a figure. */
export const tableOf = (measurements: readonly Measurement[]): string[] => [
  ...columns([HEAD, ...measurements.map(rowOf)]),
  ...measurements.flatMap((one) => notesOf(one).map((note) => `${one.name}: ${note}`)),
];

const MARKDOWN_HEAD = ["Figure", "Floor", "Ours", "Floor's", "Ratio", "Goal", "Holds"];

const markdownRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Rows as a table in Markdown; the first is its head. */
export const markdownTable = (rows: readonly (readonly string[])[]): string[] => {
  const [head = [], ...others] = rows;
  return [head, head.map(() => "---"), ...others].map(markdownRow);
};

const markdownCells = (measurement: Measurement) => {
  const [name = "", floor = "", ours = "", base = "", ratio = "", , goal = "", holds = ""] =
    rowOf(measurement);
  const sign = goal.replace("<=", "≤").replace(">=", "≥").replace(/^-$/, "–");
  const verdict = holds === "no" ? "**no**" : holds.replace(/^-$/, "–");
  return [name, floor, ours, base, ratio, sign, verdict];
};

/** The table as it stands in performance.md. */
export const markdownOf = (measurements: readonly Measurement[]): string[] =>
  markdownTable([MARKDOWN_HEAD, ...measurements.map(markdownCells)]);
