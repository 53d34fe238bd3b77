import type { Figure, Pair } from "./figure.ts";
import { fillTo, startWorld } from "./measured-world.ts";
import { wallMsOf } from "./processor-time.ts";
import type { Workplace } from "./workplace.ts";

const RECORDS = 10_000;
const QUOTES = 5_000;
const LIMIT_MS = 10;
const ROUNDS = 7;

/** The rounds after a first one that is not counted, against a limit. */
const rounds = async (measure: () => Promise<number>): Promise<Pair[]> => {
  await measure();
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    pairs.push({ measured: await measure(), floor: LIMIT_MS });
  return pairs;
};

const started = { fixture: "payouts-demo" } as const;

/** A reset drops the customer of the quotes, so each world is measured once. */
const resetMs = async (workplace: Workplace, isFork: boolean): Promise<number> => {
  const world = await startWorld(workplace, started);
  await fillTo(world, RECORDS);
  const sim = isFork ? await world.sim.fork() : world.sim;
  await world.quote(sim);
  const tookMs = await wallMsOf(() => sim.reset());
  await world.sim.close();
  return tookMs;
};

const resetFigure = (isFork: boolean): Figure => ({
  name: `reset of ${isFork ? "a fork" : "a world"} with ${RECORDS.toLocaleString("en-US")} records`,
  floor: `${LIMIT_MS} ms`,
  unit: "ms",
  target: { atMost: 1 },
  measure: (workplace) => rounds(() => resetMs(workplace, isFork)),
});

/** Going back to the start, and to an earlier instant. */
export const resetFigures: readonly Figure[] = [
  resetFigure(false),
  resetFigure(true),
  {
    name: `rewind to before a quote among ${QUOTES.toLocaleString("en-US")}`,
    floor: `${LIMIT_MS} ms`,
    unit: "ms",
    measure: async (workplace) => {
      const world = await startWorld(workplace);
      await world.quotes(QUOTES);
      const pairs = await rounds(async () => {
        const { id } = await world.quote();
        // As many changes as a rewind redoes in the middle between two marks.
        await world.quotes(500);
        return wallMsOf(() => world.sim.rewind({ before: id }));
      });
      await world.sim.close();
      return pairs;
    },
  },
];
