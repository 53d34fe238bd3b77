import { bareTimerMs } from "./bare-timers.ts";
import { longestStretchMs } from "./event-loop.ts";
import type { Figure, Pair } from "./figure.ts";
import { startWorld } from "./measured-world.ts";
import { processorMsOf } from "./processor-time.ts";
import { type RunLength, sizeText } from "./run-length.ts";
import type { Workplace } from "./workplace.ts";

const FEW = 1_000;
/** Bare timers and quotes that come due in one advance. */
const BARE = { short: 20_000, usual: 200_000, full: 1_000_000 };
const QUOTES = { short: 5_000, usual: 20_000, full: 100_000 };
/** Small worlds beside a large one, so that both are measured long enough. */
const SMALL_WORLDS = 10;
const QUOTES_PER_INSTANT = 1_000;
/** Longer than the lifetime of a quote. */
const PAST_EXPIRY = "10m";
/** The longest that calls may have to wait for the event loop. */
const STRETCH_LIMIT_MS = 50;

/** Makes a number of quotes in a world of their own and lets them expire while `how` measures. */
const expire = async <Measured>(
  workplace: Workplace,
  count: number,
  how: (work: () => Promise<unknown>) => Promise<Measured>,
): Promise<Measured> => {
  const { sim, quotes } = await startWorld(workplace);
  for (let made = 0; made < count; made += QUOTES_PER_INSTANT) {
    await quotes(Math.min(QUOTES_PER_INSTANT, count - made));
    // Spreads the due times over several instants.
    await sim.advance("1ms");
  }
  const measured = await how(async () => {
    const { complete, firedCount } = await sim.advance(PAST_EXPIRY);
    if (!complete || firedCount !== count)
      throw new Error(`Expected ${count} timers to fire but found ${firedCount}`);
  });
  await sim.close();
  return measured;
};

const quoteMs = async (workplace: Workplace, count: number) =>
  (await expire(workplace, count, processorMsOf)) / count;

const meanOf = async (measure: () => Promise<number>) => {
  let sum = 0;
  for (let world = 0; world < SMALL_WORLDS; world += 1) sum += await measure();
  return sum / SMALL_WORLDS;
};

/** Costs of one timer, among many and among few. */
const amongMany = async (
  workplace: Workplace,
  count: number,
  timerMs: (count: number) => Promise<number>,
): Promise<Pair[]> => {
  const few = () => meanOf(() => timerMs(FEW));
  const pairs: Pair[] = [];
  // The first small worlds warm the code up.
  await few();
  for (let round = 0; round < workplace.of({ short: 2, usual: 3 }); round += 1)
    pairs.push({ floor: await few(), measured: await timerMs(count) });
  return pairs;
};

/** Many timers of one advance: time per timer, and the wait of calls meanwhile. */
export const timerFigures = (length: RunLength): readonly Figure[] => [
  {
    name: `a bare timer among ${sizeText(length, BARE)} of one advance`,
    floor: `among ${FEW.toLocaleString("en-US")}`,
    unit: "ms",
    target: { atMost: 1.3 },
    from: "short",
    measure: (workplace) => amongMany(workplace, workplace.of(BARE), bareTimerMs),
  },
  {
    name: `an expiring quote among ${sizeText(length, QUOTES)} of one advance`,
    floor: `among ${FEW.toLocaleString("en-US")}`,
    unit: "ms",
    target: { atMost: 1.2 },
    from: "short",
    measure: (workplace) =>
      amongMany(workplace, workplace.of(QUOTES), (count) => quoteMs(workplace, count)),
  },
  {
    name: "longest stretch of such an advance, without garbage collection",
    floor: `${STRETCH_LIMIT_MS} ms`,
    unit: "ms",
    target: { atMost: 1 },
    measure: async (workplace) => {
      const measured = await expire(workplace, workplace.of(QUOTES), longestStretchMs);
      return [{ measured, floor: STRETCH_LIMIT_MS }];
    },
  },
];
