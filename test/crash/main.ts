import { parseArgs } from "node:util";
import { bitPart } from "./bits/bit-part.ts";
import { faultPart } from "./faults/fault-part.ts";
import { killPart } from "./kills/kill-part.ts";
import type { Part } from "./part.ts";

const PARTS: Record<string, Part> = { kills: killPart, faults: faultPart, bits: bitPart };

const { values } = parseArgs({
  options: {
    /** Number of kills; faults and bits are the same each time. */
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    /** Run one part alone: kills, faults or bits. */
    only: { type: "string" },
  },
});

const numberOf = (option: "runs" | "seed") => {
  const value = Number(values[option]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`Expected --${option} as a whole number above 0 but found ${values[option]}`);
};

/** Exit code of an interrupted run, as shells have it. */
const INTERRUPTED = 130;
/** Most defects that are printed. */
const MOST_SHOWN = 20;

const figures = new Map<string, number>();
const failures: { what: string; replay: string }[] = [];

const runPart = async (name: string, part: Part) => {
  const startedMs = performance.now();
  await part({
    runs: numberOf("runs"),
    seed: numberOf("seed"),
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
if (chosen.length === 0)
  throw new Error(`Expected --only ${Object.keys(PARTS).join(", ")} but found ${values.only}`);

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
