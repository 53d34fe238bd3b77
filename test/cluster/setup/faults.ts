import { Client } from "pg";
import type { Chance } from "../../simulation/setup/chance.ts";
import type { PostgresServer } from "../../storage/setup/postgres-server.ts";
import type { Fault } from "../checker/history.ts";
import { type Cluster, rest } from "./cluster.ts";
import { LINK_FAULTS } from "./link-relay.ts";

/** Faults of one round, by kind. */
export interface FaultCounts {
  kills: number;
  pauses: number;
  restarts: number;
  cuts: number;
}

/** Everything that a fault acts on. */
export interface FaultScene {
  cluster: Cluster;
  server: PostgresServer;
  database: string;
  leaseMs: number;
}

const LEAST_PAUSE_MS = 10;
const MOST_LEASES = 3;
const LONGEST_CUT_MS = 2_500;
const LONGEST_OUTAGE_MS = 2_000;
const MOST_SESSIONS = 60;

type Break = (scene: FaultScene) => Promise<void>;

const outage = ({ cluster }: FaultScene) => rest(cluster.chance.below(LONGEST_OUTAGE_MS));

const sessionsOf = (database: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and usename = 'sim'`;

/** Takes every connection that the database gives to the role of the program. */
const useUp = async ({ server, database, ...scene }: FaultScene) => {
  const taken: Client[] = [];
  try {
    await server.run(sessionsOf(database));
    for (let count = 0; count < MOST_SESSIONS; count += 1) {
      const client = new Client({ connectionString: server.url(database, "sim") });
      client.on("error", () => {});
      taken.push(client);
      await client.connect();
    }
  } catch {
    // There is none left.
    await outage({ server, database, ...scene });
  } finally {
    for (const client of taken) await client.end().catch(() => {});
  }
};

/** Troubles of the database, each until it is over. */
const OF_DATABASE: Readonly<Record<string, Break>> = {
  "kill -9 of the database": async ({ server }) => {
    await server.end("SIGKILL");
    await server.begin();
  },
  "stop of the database at once": async ({ server }) => {
    await server.end("SIGQUIT");
    await server.begin();
  },
  "restart of the database": async ({ server }) => {
    await server.end("SIGINT");
    await server.begin();
  },
  "halt of the database": async (scene) => {
    scene.server.pause(true);
    await outage(scene);
    scene.server.pause(false);
  },
  "end of all sessions": async ({ server, database }) => {
    await server.run(sessionsOf(database));
  },
  "no connection left": useUp,
  "database that takes no writes": async (scene) => {
    await scene.server.set("default_transaction_read_only", "on");
    await outage(scene);
    await scene.server.reset();
  },
};

const killOne = async (scene: FaultScene, note: (fault: Fault) => void) => {
  const { cluster } = scene;
  const process = cluster.chance.pick(cluster.processes);
  const { number } = process;
  const beginMs = performance.now();
  await process.kill();
  if (cluster.processes.length > 1)
    note({ what: `kill of process ${number}`, beginMs, endMs: performance.now() });
  await process.start();
  const endMs = performance.now();
  note({ what: `kill of process ${number}`, beginMs, endMs, process: number });
  if (cluster.processes.length === 1) note({ what: `kill of process ${number}`, beginMs, endMs });
};

const pauseOne = async ({ cluster, leaseMs }: FaultScene) => {
  const process = cluster.chance.pick(cluster.processes);
  process.halt(true);
  await rest(LEAST_PAUSE_MS + cluster.chance.below(MOST_LEASES * leaseMs));
  process.halt(false);
};

const cutOne = async ({ cluster }: FaultScene) => {
  const { link } = cluster.chance.pick(cluster.processes);
  const fault = cluster.chance.pick(LINK_FAULTS);
  link.break(fault);
  await rest(cluster.chance.below(LONGEST_CUT_MS));
  link.mend();
  return `link that was ${fault}`;
};

/** One fault: it breaks something, waits and mends it. @returns the figures that it adds to */
export const breakOnce = async (
  kind: keyof FaultCounts,
  scene: FaultScene,
  note: (fault: Fault) => void,
): Promise<string> => {
  if (kind === "kills") {
    await killOne(scene, note);
    return "kill -9 of a process";
  }
  const beginMs = performance.now();
  let what = "halt of a process";
  if (kind === "pauses") await pauseOne(scene);
  else if (kind === "cuts") what = await cutOne(scene);
  else {
    const names = Object.keys(OF_DATABASE);
    what = names[scene.cluster.chance.below(names.length)] as string;
    await OF_DATABASE[what]?.(scene);
  }
  note({ what, beginMs, endMs: performance.now() });
  return what;
};

/** The faults of a round in the order of its seed. */
export const faultsOf = (counts: FaultCounts, chance: Chance): (keyof FaultCounts)[] => {
  const kinds = (Object.keys(counts) as (keyof FaultCounts)[]).flatMap((kind) =>
    new Array<keyof FaultCounts>(counts[kind]).fill(kind),
  );
  for (let at = kinds.length - 1; at > 0; at -= 1) {
    const other = chance.below(at + 1);
    [kinds[at], kinds[other]] = [kinds[other], kinds[at]] as [keyof FaultCounts, keyof FaultCounts];
  }
  return kinds;
};
