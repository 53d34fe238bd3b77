import { setTimeout as pause } from "node:timers/promises";
import { newDatabase, onPostgres } from "./database.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { idleWorlds } from "./many-worlds.ts";
import { libraryOf } from "./measured-world.ts";
import { requireProc, residentMiB } from "./proc.ts";
import { median } from "./ratios.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const WORLDS = 10_000;
const AT_ONCE = 20;
const KIB_PER_WORLD = 1;
const IDLE_MS = 5_000;
const IDLE_LIMIT_KIB = 40;
const IDLE_RUNS = 3;

/** Leaves so many worlds in a database, none of them served. */
const fill = async (workplace: Workplace, storage: string, worlds: number) => {
  const { createSimulator } = await libraryOf(workplace);
  const sim = await createSimulator({
    ...{ clock: "manual", seed: "bench", storage, maxWorlds: WORLDS + 1 },
  });
  for (let made = 0; made < worlds; made += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => sim.fork()));
  await sim.close();
};

const residentAfterIdling = async (workplace: Workplace, storage: string): Promise<number> => {
  const options = ["--storage", storage, "--max-worlds", String(WORLDS + 1)];
  const { child } = await startSimulator(workplace, options);
  await pause(IDLE_MS);
  const resident = residentMiB(child.pid);
  await workplace.end(child);
  return resident;
};

const knownFigure: Figure = {
  name: `resident memory, ${WORLDS.toLocaleString("en-US")} worlds in PostgreSQL`,
  floor: `without them, and ${KIB_PER_WORLD} KiB each`,
  unit: "MiB",
  target: { atMost: 1 },
  measure: (workplace) =>
    onPostgres(workplace, async (server) => {
      requireProc();
      const [many, none] = [await newDatabase(server), await newDatabase(server)];
      await fill(workplace, many, WORLDS);
      await fill(workplace, none, 0);
      const allowedMiB = (WORLDS * KIB_PER_WORLD) / 1024;
      const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
      const pairs = await pairsInTurn(counts, {
        measured: () => residentAfterIdling(workplace, many),
        floor: async () => (await residentAfterIdling(workplace, none)) + allowedMiB,
      });
      const eachKiB = pairs.map(
        ({ measured, floor }) => ((measured - floor + allowedMiB) * 1024) / WORLDS,
      );
      return { pairs, notes: [`${median(eachKiB).toFixed(2)} KiB a world`] };
    }),
};

const idleFigure: Figure = {
  name: "an idle world's memory, on PostgreSQL",
  floor: `${IDLE_LIMIT_KIB} KiB`,
  unit: "KiB",
  target: { atMost: 1 },
  measure: (workplace) =>
    onPostgres(workplace, async (server) => {
      const pairs = [];
      for (let run = 0; run < IDLE_RUNS; run += 1) {
        const { kibEach } = await idleWorlds(workplace, await newDatabase(server));
        pairs.push({ measured: kibEach, floor: IDLE_LIMIT_KIB });
      }
      return pairs;
    }),
};

/** Memory of worlds in a database: of those that nobody has called, and of idle ones. */
export const databaseMemoryFigures: readonly Figure[] = [knownFigure, idleFigure];
