import process from "node:process";
import {
  campaignOptions,
  index,
  indexes,
  wholeNumber,
  wrongUsage,
} from "../setup/campaign-options.ts";
import { FAILED_SEEDS } from "./seeds.ts";
import { Counts } from "./setup/counts.ts";
import { seedsFrom } from "./setup/histories.ts";
import { findBug } from "./setup/mutants.ts";
import { PLANTED_BUGS } from "./setup/planted-bugs.ts";
import { FOLDER_BUGS } from "./setup/planted-folder-bugs.ts";
import { ROW_BUGS } from "./setup/planted-row-bugs.ts";
import { BrokenHistory, playHistory, type Shorter } from "./setup/play.ts";
import { loadProduct } from "./setup/product.ts";
import { shrink } from "./setup/shrink.ts";
import { Watchdog } from "./setup/watchdog.ts";

const DEFAULT_RUNS = 2_000;
/** Histories in which a planted bug must show. */
const TO_FIND_A_BUG = 2_000;
/** Histories that must have met all that can happen. */
const TO_MEET_ALL = 1_000;
/** Broken histories that are shown; more of them tell nothing new. */
const SHOWN = 5;

interface Values {
  runs?: number;
  every?: number;
  seed?: number;
  step?: number;
  without?: number[];
  mutants?: true;
  bug?: string;
}

const values = campaignOptions<Values>({
  script: "simulate",
  does: "Plays histories of the simulator on a simulated disk and clock, and compares them with a model.",
  options: [
    {
      flags: "--runs <n>",
      summary: `histories, beside the kept seeds (default: ${DEFAULT_RUNS}; 1 with --seed or --step)`,
      read: wholeNumber,
    },
    { flags: "--seed <n>", summary: "seed of the first history (default: 1)", read: wholeNumber },
    {
      flags: "--every <n>",
      summary: "prints counts each time so many are played",
      read: wholeNumber,
    },
    { flags: "--step <n>", summary: "plays one history up to this step", read: index },
    {
      flags: "--without <steps>",
      summary: "with --seed or --step: leaves out these steps, e.g. 3,5,6",
      read: indexes,
    },
    { flags: "--mutants", summary: "plants each bug, and tells the history that finds it" },
    { flags: "--bug <text>", summary: "with --mutants: bugs whose name has this text in it" },
  ],
  examples: ["--runs 100000 --seed 7", "--seed 41 --step 12", "--mutants --bug lane"],
});

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Plays histories, prints those that break a rule, and counts what all of them did. */
const runHistories = async (seeds: readonly number[], shorter: Shorter): Promise<number> => {
  const product = await loadProduct();
  const counts = new Counts();
  let broken = 0;
  const startedMs = performance.now();
  const watchdog = new Watchdog();
  for (const seed of seeds) {
    watchdog.begin(seed);
    try {
      await playHistory(product, seed, { counts, shorter });
    } catch (error) {
      if (!(error instanceof BrokenHistory)) throw error;
      broken += 1;
      watchdog.rest();
      if (broken <= SHOWN) say((await shrink(product, error)).message);
    }
    if (every > 0 && counts.histories % every === 0)
      say(`${JSON.stringify({ ...counts.totals(), broken })} ${counts.notesLine()}`);
  }
  watchdog.rest();
  const seconds = (performance.now() - startedMs) / 1000;
  say(counts.lines({ isOne }).join("\n"));
  say(`${(counts.histories / seconds).toFixed(0)} histories a second, ${broken} broken`);
  const unmet = counts.histories < TO_MEET_ALL ? [] : counts.neverMet();
  if (unmet.length > 0) say(`never met: ${unmet.join(", ")}`);
  return broken === 0 && unmet.length === 0 ? 0 : 1;
};

/** Plants each bug, and says which seed found it: the one that did so before is tried first. */
const runMutants = async (seeds: readonly number[], named: string): Promise<number> => {
  const bugs = [...PLANTED_BUGS, ...FOLDER_BUGS, ...ROW_BUGS].filter(({ name }) =>
    name.includes(named),
  );
  if (bugs.length === 0) wrongUsage("simulate", `no planted bug has "${named}" in its name`);
  let missed = 0;
  for (const bug of bugs) {
    // Seeds after it may never end with this bug.
    const found = await findBug(bug, [bug.foundBy, ...seeds]);
    if (!found) missed += 1;
    say(found ? `seed ${found.seed}: ${bug.name}: ${found.rule}` : `not found: ${bug.name}`);
  }
  return missed === 0 ? 0 : 1;
};

/** Histories after which the counts so far are said; 0 for at the end alone. */
const every = values.every ?? 0;
const first = values.seed ?? 1;
const isOne = values.step !== undefined || (values.seed !== undefined && values.runs === undefined);
const runs = values.runs ?? (isOne ? 1 : DEFAULT_RUNS);
const shorter: Shorter = {
  ...(values.step !== undefined && { steps: values.step }),
  ...(values.without && { without: new Set(values.without) }),
};
if (values.bug !== undefined && !values.mutants) wrongUsage("simulate", "--bug needs --mutants");
if (values.without && values.seed === undefined && values.step === undefined)
  wrongUsage("simulate", "--without needs --seed or --step");
const code = values.mutants
  ? await runMutants(seedsFrom(first, values.runs ?? TO_FIND_A_BUG), values.bug ?? "")
  : await runHistories([...(isOne ? [] : FAILED_SEEDS), ...seedsFrom(first, runs)], shorter);
// A process of a history that was cut off leaves its receivers listening: they end with this one.
process.exit(code);
