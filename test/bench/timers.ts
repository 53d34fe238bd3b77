import { pathToFileURL } from "node:url";
import type * as library from "../../src/simulator.ts";
import type { Figure, Pair } from "./figure.ts";
import { callInProcess, json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";

const ROUNDS = 3;
const QUOTES_PER_INSTANT = 1000;
const INSTANTS = 10;
const TIMERS = INSTANTS * QUOTES_PER_INSTANT;
/** Longer than a quote lives. */
const PAST_EXPIRY = "10m";

const createQuotes = async (sim: library.Simulator) => {
  const call = callInProcess(sim);
  const body = await createQuoteBody(call);
  for (let at = 0; at < INSTANTS; at += 1) {
    for (let count = 0; count < QUOTES_PER_INSTANT; count += 1)
      await json(call("POST", "/quotes", body));
    await sim.advance("1s");
  }
};

const advancePair = async (sim: library.Simulator): Promise<Pair> => {
  await createQuotes(sim);
  const startedMs = performance.now();
  const { complete, firedCount } = await sim.advance(PAST_EXPIRY);
  const tookMs = performance.now() - startedMs;
  if (!complete || firedCount !== TIMERS)
    throw new Error(`Expected ${TIMERS} timers to fire but found ${firedCount}`);
  return { measured: tookMs / TIMERS, floor: 1 };
};

/** Wall time of one timer when many are due; it has no floor, so it is told in milliseconds. */
export const timersFigure: Figure = {
  name: `a timer, ${TIMERS} in one advance`,
  floor: "1 ms",
  unit: "ms",
  measure: async ({ build }) => {
    const { createSimulator } = (await import(pathToFileURL(build.library).href)) as typeof library;
    const pairs: Pair[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sim = await createSimulator({ clock: "manual", seed: "bench" });
      pairs.push(await advancePair(sim));
      await sim.close();
    }
    return pairs;
  },
};
