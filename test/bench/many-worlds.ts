import { fileURLToPath } from "node:url";
import { type Figure, pairsInTurn } from "./figure.ts";
import { type Called, startWorld } from "./measured-world.ts";
import { processorMsOf } from "./processor-time.ts";

const WORLDS = 100;
const REQUESTS = 1_500;
const AT_ONCE = 50;
const COUNTS = { warmUps: 2, pairs: 7 };

const IDLE_WORLDS = fileURLToPath(new URL("idle-worlds.js", import.meta.url));
const IDLE_RUNS = 3;
const IDLE_LIMIT_KIB = 100;
const IDLE_RUN_LIMIT_MS = 60_000;

/** The same number of requests to 100 worlds in turn, and to one; CPU time of all. */
const loadFigure: Figure = {
  name: `POST /quotes, ${WORLDS} worlds in turn`,
  floor: "one world",
  unit: "ms",
  target: { atMost: 1.2 },
  measure: async (workplace) => {
    const world = await startWorld(workplace);
    const forks: Called[] = [];
    for (let made = 0; made < WORLDS; made += 1) forks.push(await world.sim.fork());
    const load = (worlds: readonly Called[]) =>
      processorMsOf(async () => {
        for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
          await Promise.all(
            Array.from({ length: AT_ONCE }, (_, n) =>
              world.quote(worlds[(sent + n) % worlds.length]),
            ),
          );
      });
    const pairs = await pairsInTurn(COUNTS, {
      measured: () => load(forks),
      floor: () => load(forks.slice(0, 1)),
    });
    await world.sim.close();
    return pairs;
  },
};

const idleFigure: Figure = {
  name: "an idle world's memory, without timers of its own",
  floor: `${IDLE_LIMIT_KIB} KiB`,
  unit: "KiB",
  target: { atMost: 1 },
  measure: async (workplace) => {
    const pairs = [];
    for (let run = 0; run < IDLE_RUNS; run += 1) {
      const args = ["--expose-gc", IDLE_WORLDS, workplace.build.library];
      const child = workplace.start(args, workplace.directory());
      const { kibEach, timers } = JSON.parse(await child.text(IDLE_RUN_LIMIT_MS)) as {
        kibEach: number;
        timers: number;
      };
      if (timers > 0) throw new Error(`Expected no timer of idle worlds but found ${timers}`);
      pairs.push({ measured: kibEach, floor: IDLE_LIMIT_KIB });
    }
    return pairs;
  },
};

/** The cost of many worlds in one process. */
export const manyWorldsFigures: readonly Figure[] = [loadFigure, idleFigure];
