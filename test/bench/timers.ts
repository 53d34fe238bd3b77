import type * as library from "../../src/simulator.ts";
import { longestStretchMs } from "./event-loop.ts";
import type { Figure, Pair } from "./figure.ts";
import { libraryOf } from "./measured-world.ts";
import { callInProcess, json } from "./platform-call.ts";
import { processorMsOf } from "./processor-time.ts";
import { createQuoteBody } from "./quote-body.ts";
import type { Workplace } from "./workplace.ts";

const FEW = 1_000;
const MANY = 20_000;
const MANY_IN_FULL = 100_000;
const ROUNDS = 3;
/** Small worlds beside a large one, so that both are measured long enough. */
const SMALL_WORLDS = 10;
const QUOTES_PER_INSTANT = 1_000;
/** Quotes created at once while a world is filled. */
const AT_ONCE = 50;
/** Longer than the lifetime of a quote. */
const PAST_EXPIRY = "10m";
/** The longest that calls may have to wait for the event loop. */
const STRETCH_LIMIT_MS = 50;

const createQuotes = async (sim: library.LocalSimulator, count: number) => {
  const call = callInProcess(sim);
  const body = await createQuoteBody(call);
  for (let made = 0; made < count; made += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => json(call("POST", "/quotes", body))));
    // Spreads the due times over several instants.
    if (made % QUOTES_PER_INSTANT === 0) await sim.advance("1ms");
  }
};

/** Makes a number of quotes in a world of their own and lets them expire while `how` measures. */
const expire = async <Measured>(
  workplace: Workplace,
  count: number,
  how: (work: () => Promise<unknown>) => Promise<Measured>,
): Promise<Measured> => {
  const { createSimulator } = await libraryOf(workplace);
  const sim = await createSimulator({ clock: "manual", seed: "bench" });
  await createQuotes(sim, count);
  const measured = await how(async () => {
    const { complete, firedCount } = await sim.advance(PAST_EXPIRY);
    if (!complete || firedCount !== count)
      throw new Error(`Expected ${count} timers to fire but found ${firedCount}`);
  });
  await sim.close();
  return measured;
};

const manyIn = ({ isFull }: Workplace) => (isFull ? MANY_IN_FULL : MANY);

const few = async (workplace: Workplace): Promise<number> => {
  let tookMs = 0;
  for (let world = 0; world < SMALL_WORLDS; world += 1)
    tookMs += await expire(workplace, FEW, processorMsOf);
  return tookMs / (SMALL_WORLDS * FEW);
};

const pairOf = async (workplace: Workplace): Promise<Pair> => {
  const count = manyIn(workplace);
  const floor = await few(workplace);
  return { measured: (await expire(workplace, count, processorMsOf)) / count, floor };
};

/** Expiring quotes: time per timer among many, and the wait of calls meanwhile. */
export const timerFigures: readonly Figure[] = [
  {
    name: `a timer of ${MANY} in one advance, --full: ${MANY_IN_FULL}`,
    floor: `of ${FEW}`,
    unit: "ms",
    target: { atMost: 1.3 },
    measure: async (workplace) => {
      const pairs: Pair[] = [];
      // The first small worlds warm the code up.
      await few(workplace);
      for (let round = 0; round < ROUNDS; round += 1) pairs.push(await pairOf(workplace));
      return pairs;
    },
  },
  {
    name: "longest stretch of that advance, without garbage collection",
    floor: `${STRETCH_LIMIT_MS} ms`,
    unit: "ms",
    target: { atMost: 1 },
    measure: async (workplace) => {
      const measured = await expire(workplace, manyIn(workplace), longestStretchMs);
      return [{ measured, floor: STRETCH_LIMIT_MS }];
    },
  },
];
