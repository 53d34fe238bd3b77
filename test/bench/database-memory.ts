import { setTimeout as pause } from "node:timers/promises";
import type { PostgresServer } from "../storage/setup/postgres-server.ts";
import { newDatabase, onPostgres } from "./database.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { idleWorlds } from "./many-worlds.ts";
import { libraryOf } from "./measured-world.ts";
import { requireProc, residentMiB } from "./proc.ts";
import { median } from "./ratios.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const WORLDS = 10_000;
const FORK = "copied";
const KIB_PER_WORLD = 1;
const IDLE_MS = 5_000;
const IDLE_LIMIT_KIB = 40;
const IDLE_RUNS = 3;

/** Rows that copy a fork which was stopped: the program alone would take minutes. */
const COPIES = `
  insert into service_sim.world (name, from_world, is_late, timeline, fence, seq, due, summary)
  select 'copy-' || n, from_world, is_late, timeline, fence, seq, due, summary
  from service_sim.world, generate_series(1, ${WORLDS}) n where name = '${FORK}';
  insert into service_sim.caller (key, world)
  select key, 'copy-' || n
  from service_sim.caller, generate_series(1, ${WORLDS}) n where world = '${FORK}'`;

/** Leaves a database with a world and a fork of it, which nobody serves. */
const filledDatabase = async (workplace: Workplace, server: PostgresServer): Promise<string> => {
  const database = await server.database();
  const { createSimulator } = await libraryOf(workplace);
  const storage = server.url(database);
  const sim = await createSimulator({ clock: "manual", seed: "bench", storage });
  await sim.fork(FORK);
  await sim.close();
  return database;
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
      const [many, none] = [
        await filledDatabase(workplace, server),
        await filledDatabase(workplace, server),
      ];
      await server.run(COPIES, many);
      const allowedMiB = (WORLDS * KIB_PER_WORLD) / 1024;
      const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
      const pairs = await pairsInTurn(counts, {
        measured: () => residentAfterIdling(workplace, server.url(many)),
        floor: async () => (await residentAfterIdling(workplace, server.url(none))) + allowedMiB,
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
