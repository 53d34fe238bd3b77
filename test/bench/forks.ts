import { setImmediate as nextTurn } from "node:timers/promises";
import type { Simulator } from "../../src/simulator.ts";
import type { Figure, Pair } from "./figure.ts";
import { fillTo, type MeasuredWorld, startWorld } from "./measured-world.ts";
import { wallMsOf } from "./processor-time.ts";
import { median } from "./ratios.ts";
import type { Workplace } from "./workplace.ts";

const MANY = 100_000;
const LIMIT_MANY_MS = 5;
const LIMIT_FIXTURE_MS = 1;
const WARM_UPS = 30;
const ROUNDS = 5;
/** Forks of one measurement, whose median counts. */
const FORKS = 30;
/** Requests after a fork that are not measured: a usual one does not follow a fork. */
const BETWEEN = 20;

const CREATE = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
};

const medianMs = async (count: number, measure: (turn: number) => Promise<number>) => {
  const tookMs: number[] = [];
  for (let turn = 0; turn < count; turn += 1) tookMs.push(await measure(turn));
  return median(tookMs);
};

const postMs = async ({ sim }: MeasuredWorld): Promise<number> => {
  let name = "";
  const tookMs = await wallMsOf(async () => {
    const answer = await sim.fetch(new Request(`${sim.controlUrl}/worlds`, CREATE));
    ({ name } = (await answer.json()) as { name: string });
  });
  await sim.removeWorld(name);
  return tookMs;
};

const libraryMs = async ({ sim }: MeasuredWorld): Promise<number> => {
  let made: Simulator | undefined;
  const tookMs = await wallMsOf(async () => {
    made = await sim.fork();
  });
  await made?.close();
  return tookMs;
};

const forkFigure = (how: {
  name: string;
  limitMs: number;
  from?: "short";
  start(workplace: Workplace): Promise<MeasuredWorld>;
  fork(world: MeasuredWorld): Promise<number>;
}): Figure => ({
  name: how.name,
  floor: `${how.limitMs} ms`,
  unit: "ms",
  target: { atMost: 1 },
  ...(how.from && { from: how.from }),
  measure: async (workplace) => {
    const world = await how.start(workplace);
    await medianMs(WARM_UPS, () => how.fork(world));
    const pairs: Pair[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push({ measured: await medianMs(FORKS, () => how.fork(world)), floor: how.limitMs });
    await world.sim.close();
    return pairs;
  },
});

const many = async (workplace: Workplace) => {
  const world = await startWorld(workplace);
  await fillTo(world, MANY);
  return world;
};

const ofFixture = (workplace: Workplace) => startWorld(workplace, { fixture: "payouts-demo" });

/** Lets the work end that continues after a reply. */
const settled = async () => {
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
};

/** The first request that writes after a fork, against the request just before the fork. */
const firstWrite = (side: "fork" | "origin"): Figure => ({
  name: `first POST /quotes after a fork, on the ${side}`,
  floor: "a usual one",
  unit: "ms",
  target: { atMost: 2 },
  measure: async (workplace) => {
    const world = await many(workplace);
    const pairs: Pair[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const usual: number[] = [];
      const first = await medianMs(FORKS, async () => {
        await world.quotes(BETWEEN);
        await settled();
        usual.push(await wallMsOf(() => world.quote()));
        const fork = await world.sim.fork();
        await settled();
        const tookMs = await wallMsOf(() => world.quote(side === "fork" ? fork : undefined));
        await fork.close();
        return tookMs;
      });
      if (round >= 0) pairs.push({ measured: first, floor: median(usual) });
    }
    await world.sim.close();
    return pairs;
  },
});

/** Forks of a world in memory. */
export const forkFigures: readonly Figure[] = [
  forkFigure({
    name: `fork of ${MANY.toLocaleString("en-US")} records, POST /_sim/worlds`,
    limitMs: LIMIT_MANY_MS,
    start: many,
    fork: postMs,
  }),
  forkFigure({
    name: `fork of ${MANY.toLocaleString("en-US")} records, sim.fork()`,
    limitMs: LIMIT_MANY_MS,
    start: many,
    fork: libraryMs,
  }),
  forkFigure({
    name: "fork of a fixture's world, POST /_sim/worlds",
    limitMs: LIMIT_FIXTURE_MS,
    from: "short",
    start: ofFixture,
    fork: postMs,
  }),
  firstWrite("fork"),
  firstWrite("origin"),
];
