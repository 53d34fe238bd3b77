import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { missingBuild } from "./build.ts";
import { FIGURES, SHORT_FIGURES } from "./figures.ts";
import { type Measurement, measureFigure } from "./measurement.ts";
import { type Machine, sentenceOf, tableOf } from "./report.ts";
import { Workplace } from "./workplace.ts";

const { values } = parseArgs({
  options: {
    /** Print one JSON document. */
    json: { type: "boolean", default: false },
    /** Measure only figures whose name has this text in it. */
    only: { type: "string", default: "" },
    /** Measure only the figures that take less than a minute in all. */
    short: { type: "boolean", default: false },
    /** Take NODE_… variables away from what is measured, and from its floor. */
    clean: { type: "boolean", default: false },
    /** Measure timers in the size that takes minutes to make. */
    full: { type: "boolean", default: false },
  },
});

/** Running processes, over a minute; more than the bench's own means that others disturb it. */
const loadOfMinute = () => Number((loadavg()[0] ?? 0).toFixed(1));

const measureAll = async (): Promise<Measurement[]> => {
  const workplace = new Workplace({ keepNodeSettings: !values.clean, isFull: values.full });
  process.once("exit", () => workplace.clear());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const measurements: Measurement[] = [];
  const figures = values.short ? SHORT_FIGURES : FIGURES;
  for (const figure of figures.filter(({ name }) => name.includes(values.only))) {
    process.stderr.write(`measuring ${figure.name}\n`);
    measurements.push(await measureFigure(figure, workplace));
  }
  return measurements;
};

const run = async (): Promise<number> => {
  const problem = missingBuild();
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  const loadBefore = loadOfMinute();
  const figures = await measureAll();
  const load = { before: loadBefore, after: loadOfMinute() };
  const machine: Machine = { node: process.version, cores: availableParallelism(), load };
  if (values.json) console.log(JSON.stringify({ ...machine, figures }));
  else console.log(["", sentenceOf(machine), "", ...tableOf(figures)].join("\n"));
  return figures.some(({ state }) => state === "FAILED") ? 1 : 0;
};

// The measured code may have left something open; the run ends anyway.
process.exit(await run());
