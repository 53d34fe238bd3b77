import { campaignOptions } from "../setup/campaign-options.ts";
import { missingBuild } from "./build.ts";
import type { Figure } from "./figure.ts";
import { figuresOf } from "./figures.ts";
import { onMachine, sentenceOf } from "./machine.ts";
import { failsShortRun, type Measurement, measureFigure, skippedFor } from "./measurement.ts";
import { measurePeers } from "./peers/measured-peers.ts";
import { peerMarkdownOf, peerTableOf } from "./peers/peer-report.ts";
import { markdownOf, tableOf } from "./report.ts";
import type { RunLength } from "./run-length.ts";
import { Workplace } from "./workplace.ts";

interface Values {
  json?: true;
  markdown?: true;
  only?: string;
  short?: true;
  full?: true;
  peers?: true;
}

const values = campaignOptions<Values>({
  script: "bench",
  does: "Measures the figures of src/docs/performance.md with the built program.",
  options: [
    { flags: "--json", summary: "prints one JSON document" },
    { flags: "--markdown", summary: "prints the table as it stands in performance.md" },
    { flags: "--only <text>", summary: "measures only figures whose name has this text in it" },
    {
      flags: "--short",
      summary: "measures some figures in at most three minutes; fails by those far off their goal",
    },
    { flags: "--full", summary: "measures everything at its largest size" },
    {
      flags: "--peers",
      summary: "measures other mock servers instead, installed into a temporary folder",
    },
  ],
  examples: ["--short", "--only memory --json", "--peers --markdown"],
});

const runLength = (): RunLength => {
  if (values.short) return "short";
  return values.full ? "full" : "usual";
};

/** Time of a short run after which no further figure is begun. */
const SHORT_RUN_MS = 150_000;

const measureLoudly = async (figure: Figure, workplace: Workplace): Promise<Measurement> => {
  process.stderr.write(`measuring ${figure.name} `);
  const startedMs = performance.now();
  const measurement = await measureFigure(figure, workplace);
  process.stderr.write(`(${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`);
  return measurement;
};

/** Measures a figure, unless the time of a short run is over; there a failing one once more. */
const measureInTime = async (figure: Figure, workplace: Workplace): Promise<Measurement> => {
  if (!values.short) return measureLoudly(figure, workplace);
  if (performance.now() > SHORT_RUN_MS)
    return skippedFor(figure, "the time of a short run is over");
  const measurement = await measureLoudly(figure, workplace);
  return failsShortRun(measurement) ? measureLoudly(figure, workplace) : measurement;
};

const isFailure = (measurement: Measurement) =>
  values.short ? failsShortRun(measurement) : measurement.state === "FAILED";

const runFigures = async (workplace: Workplace): Promise<number> => {
  const { machine, result } = await onMachine(async () => {
    const measurements: Measurement[] = [];
    const figures = figuresOf(workplace.length).filter(({ name }) =>
      name.includes(values.only ?? ""),
    );
    for (const figure of figures) measurements.push(await measureInTime(figure, workplace));
    return measurements;
  });
  const table = values.markdown ? markdownOf(result) : tableOf(result);
  if (values.json) console.log(JSON.stringify({ ...machine, figures: result }));
  else console.log(["", sentenceOf(machine), "", ...table].join("\n"));
  const failed = result.filter(isFailure);
  for (const { name } of failed) console.error(`failed: ${name}`);
  return failed.length > 0 ? 1 : 0;
};

const runPeers = async (workplace: Workplace): Promise<number> => {
  const { machine, result } = await onMachine(() => measurePeers(workplace));
  const table = values.markdown ? peerMarkdownOf(result) : peerTableOf(result);
  if (values.json) console.log(JSON.stringify({ ...machine, peers: result }));
  else console.log(["", sentenceOf(machine), "", ...table].join("\n"));
  return 0;
};

const run = async (): Promise<number> => {
  const problem = missingBuild();
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  const workplace = new Workplace(runLength());
  process.once("exit", () => workplace.clear());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return values.peers ? runPeers(workplace) : runFigures(workplace);
};

// The measured code may have left something open; the run ends anyway.
process.exit(await run());
