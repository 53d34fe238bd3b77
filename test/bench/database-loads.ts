import { setTimeout as pause } from "node:timers/promises";
import { newDatabase, onPostgres } from "./database.ts";
import type { Figure, Pair } from "./figure.ts";
import { fillTo, startWorld } from "./measured-world.ts";
import { json } from "./platform-call.ts";
import { callIn, controlOf } from "./shared-processes.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const RECORDS = 10_000;
const LIMIT_MS = 300;
const WORLD = "filled";
const LONGEST_IDLE_MS = 20_000;
const AGAIN_AFTER_MS = 200;

/** Leaves a stopped world of a given size in a database. */
const fill = async (workplace: Workplace, storage: string) => {
  const world = await startWorld(workplace, { storage });
  await fillTo(world, RECORDS);
  await world.sim.fork(WORLD);
  await world.sim.close();
};

/** Waits until the world has left memory. */
const unloaded = async (simulator: SimulatorProcess): Promise<void> => {
  const startedMs = performance.now();
  while (performance.now() - startedMs < LONGEST_IDLE_MS) {
    const { data } = await json<{ data: { name: string; isLoaded?: false }[] }>(
      controlOf(simulator)("GET", "/worlds"),
    );
    if (data.some(({ name, isLoaded }) => name === WORLD && isLoaded === false)) return;
    await pause(AGAIN_AFTER_MS);
  }
  throw new Error(`Expected ${WORLD} to leave memory within ${LONGEST_IDLE_MS} ms but it did not`);
};

/** The first call of a world that no process serves. */
export const loadFigure: Figure = {
  name: `the first call of a world of ${RECORDS.toLocaleString("en-US")} records on PostgreSQL`,
  floor: `${LIMIT_MS} ms`,
  unit: "ms",
  target: { atMost: 1 },
  measure: (workplace) =>
    onPostgres(workplace, async (server) => {
      const storage = await newDatabase(server);
      await fill(workplace, storage);
      const options = ["--storage", storage, "--world-ttl", "1s"];
      const simulator = await startSimulator(workplace, options);
      const call = callIn(simulator, WORLD);
      const pairs: Pair[] = [];
      for (let round = 0; round < workplace.of({ short: 3, usual: 7 }); round += 1) {
        await unloaded(simulator);
        const startedMs = performance.now();
        await json(call("GET", "/transactions?limit=20"));
        pairs.push({ measured: performance.now() - startedMs, floor: LIMIT_MS });
      }
      return pairs;
    }),
};
