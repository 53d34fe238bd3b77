import { campaignOptions, wholeNumber } from "../setup/campaign-options.ts";
import { bitPart } from "./bits/bit-part.ts";
import { faultPart } from "./faults/fault-part.ts";
import { killPart } from "./kills/kill-part.ts";
import type { Part } from "./part.ts";

const PARTS: Record<string, Part> = { kills: killPart, faults: faultPart, bits: bitPart };

const values = campaignOptions<{ runs: number; seed: number; only?: string }>({
  script: "crash",
  does: "Kills processes, fails disks and flips bits, and checks what is left.",
  options: [
    {
      flags: "--runs <n>",
      summary: "number of kills; faults and bits are the same each time",
      read: wholeNumber,
      preset: 100,
    },
    { flags: "--seed <n>", summary: "decides every kill", read: wholeNumber, preset: 1 },
    { flags: "--only <part>", summary: "one part alone", choices: Object.keys(PARTS) },
  ],
  examples: ["--runs 1000 --seed 7", "--only bits"],
});

/** Exit code of an interrupted run, as shells have it. */
const INTERRUPTED = 130;
/** Most defects that are printed. */
const MOST_SHOWN = 20;

const figures = new Map<string, number>();
const failures: { what: string; replay: string }[] = [];

const runPart = async (name: string, part: Part) => {
  const startedMs = performance.now();
  await part({
    runs: values.runs,
    seed: values.seed,
    count: (figure, by = 1, how = "sum") => {
      const before = figures.get(figure) ?? 0;
      figures.set(figure, how === "sum" ? before + by : Math.max(before, by));
    },
    fail: (what, replay) => {
      failures.push({ what, replay });
      process.stderr.write(`FAILED ${what}\n  again: ${replay}\n`);
    },
    tell: (progress) => {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      process.stderr.write(`${name}: ${progress}, ${failures.length} failed (${seconds} s)\n`);
    },
  });
};

const chosen = Object.entries(PARTS).filter(
  ([name]) => values.only === undefined || name === values.only,
);
/** Prints the figures so far. */
const print = () => {
  const lines = [...figures].map(([figure, value]) => `${String(value).padStart(10)}  ${figure}`);
  const shown = failures
    .slice(0, MOST_SHOWN)
    .map(({ what, replay }) => `FAILED ${what}\n  ${replay}`);
  process.stdout.write(`${[...lines, ...shown, `${failures.length} failed`].join("\n")}\n`);
};

process.once("SIGINT", () => {
  print();
  process.exit(INTERRUPTED);
});
for (const [name, part] of chosen) await runPart(name, part);
print();
process.exitCode = failures.length === 0 ? 0 : 1;
