import { rmSync } from "node:fs";
import { join } from "node:path";
import { chanceOf } from "../../simulation/setup/chance.ts";
import type { PostgresServer } from "../../storage/setup/postgres-server.ts";
import { type Breach, checkHistory } from "../checker/check-history.ts";
import type { ClusterHistory, Fault } from "../checker/history.ts";
import { beginArchive, readArchive } from "./archive.ts";
import { ClusterClient } from "./client.ts";
import { Cluster, rest } from "./cluster.ts";
import { breakOnce, type FaultCounts, type FaultScene, faultsOf } from "./faults.ts";
import { ClusterReceiver } from "./receiver.ts";
import { settleAll } from "./settle.ts";
import { SimProcess } from "./sim-process.ts";
import { takeoverTimes } from "./takeovers.ts";

const CLIENTS = 4;
/** Time without a fault at the beginning of a round. */
const FIRST_MS = 700;
const LONGEST_GAP_MS = 900;
/** Three in four kills after another fault come within it: then a change may not be in the store. */
const MEETS_NONE = 4;
const LONGEST_BEFORE_KILL_MS = 1_200;
/** Leases after a fault until a supervisor starts processes again whose world stays away. */
const LEASES_UNTIL_RESTART = 5;
const LOOK_AGAIN_MS = 200;

/** Conditions of one round. */
export interface RoundOptions {
  seed: number;
  processes: number;
  counts: FaultCounts;
  leaseMs: number;
  /** A folder of its own, for what processes leave. */
  folder: string;
  /** Options of each process beside the usual ones. */
  options: readonly string[];
  count(figure: string, by?: number): void;
}

/** The end of one round. */
export interface RoundEnd {
  breaches: Breach[];
  takeoversMs: number[];
}

/** Starts all processes again, as an operator would whose worlds stay away. */
const startAllAgain = async (processes: readonly SimProcess[]) => {
  for (const process of processes) {
    await process.kill();
    await process.start();
  }
};

/** Waits until each world answers. @returns false when one stays away */
const answersAgain = async (cluster: Cluster, leaseMs: number): Promise<boolean> => {
  const deadlineMs = performance.now() + LEASES_UNTIL_RESTART * leaseMs;
  for (const world of cluster.worlds)
    for (;;) {
      const told = await cluster.call({ world, method: "GET", path: "/customers?limit=1" });
      if (told?.status !== undefined && told.status < 500) break;
      if (performance.now() > deadlineMs) return false;
      await rest(LOOK_AGAIN_MS);
    }
  return true;
};

/** Lets one fault after the other happen. @returns all of them */
const breakAll = async (scene: FaultScene, { counts, count }: RoundOptions) => {
  const { cluster, leaseMs } = scene;
  const { chance, processes } = cluster;
  const faults: Fault[] = [];
  const note = (fault: Fault) => void faults.push(fault);
  const during = async (what: string, act: () => Promise<void>) => {
    const beginMs = performance.now();
    await act();
    note({ what, beginMs, endMs: performance.now() });
  };
  const mended = async () => {
    if (await answersAgain(cluster, leaseMs)) return;
    count("restarts of all processes since a world stayed away");
    await during("restart by the supervisor", () => startAllAgain(processes));
  };
  await rest(FIRST_MS);
  const happen = async (kind: keyof FaultCounts) => count(await breakOnce(kind, scene, note));
  const kinds = faultsOf(counts, chance);
  for (let kind = kinds.shift(); kind; kind = kinds.shift()) {
    const isMet = kind !== "kills" && kinds.at(0) === "kills" && !chance.oneIn(MEETS_NONE);
    const killAfterMs = chance.below(LONGEST_BEFORE_KILL_MS);
    const kill = isMet && kinds.shift() ? rest(killAfterMs).then(() => happen("kills")) : undefined;
    await Promise.all([happen(kind), kill]);
    for (const process of processes)
      if (!process.ready) await during("end of a process by itself", () => process.start());
    if (chance.oneIn(2)) await rest(chance.below(LONGEST_GAP_MS));
    else await mended();
  }
  await mended();
  return faults;
};

/** Plays one round: processes and clients on a database of its own, faults, then the checker. */
export const playRound = async (server: PostgresServer, round: RoundOptions): Promise<RoundEnd> => {
  const chance = chanceOf(round.seed);
  const receiver = new ClusterReceiver(chanceOf(round.seed + 1));
  const database = await server.database();
  await server.run(`alter database ${database} owner to sim`);
  const { folder } = round;
  const processes: SimProcess[] = [];
  try {
    const endpoint = await receiver.start();
    const usual = ["--clock", "60x", "--seed", `cluster-${round.seed}`, "--trace-seq"];
    const options = [...usual, "--webhook-endpoint", endpoint, ...round.options];
    const storage = (port: number) => `postgres://sim@127.0.0.1:${port}/${database}`;
    for (let number = 1; number <= round.processes; number += 1) {
      const own = { folder: join(folder, `process-${number}`), databasePort: server.port };
      const process = await SimProcess.begin(number, { ...own, storage, options });
      processes.push(process);
      await process.start();
    }
    await beginArchive(server, database);
    const cluster = new Cluster(processes, chance);
    const known = new Map();
    const clients = Array.from({ length: CLIENTS }, () => new ClusterClient(cluster, known).run());
    const faults = await breakAll({ cluster, server, database, leaseMs: round.leaseMs }, round);
    await rest(2 * round.leaseMs);
    cluster.isOver = true;
    receiver.isReliable = true;
    await Promise.all(clients);
    const rests = await settleAll(cluster);
    const ends: (string | undefined)[] = [];
    for (const process of processes) ends.push(...process.ownEnds, await process.stop());
    const { calls } = cluster;
    const history: ClusterHistory = {
      ...{ calls, faults, rests, leaseMs: round.leaseMs, deliveries: receiver.deliveries },
      ...(await readArchive(server, database, cluster.origins)),
    };
    countAll(history, round.count);
    const wrongEnds = ends.filter((end) => end !== undefined);
    const breaches = checkHistory(history);
    if (wrongEnds.length > 0) breaches.push({ rule: "nothing is left over", found: wrongEnds });
    return { breaches, takeoversMs: takeoverTimes(calls, faults) };
  } finally {
    for (const process of processes) await process.close();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const countAll = (history: ClusterHistory, count: RoundOptions["count"]) => {
  const { calls, worlds, deliveries, fences } = history;
  count("calls", calls.length);
  count("calls without an answer", calls.filter(({ status }) => status === undefined).length);
  count("calls answered 5xx", calls.filter(({ status = 0 }) => status >= 500).length);
  count("repeated calls", calls.filter(({ attempt }) => attempt > 1).length);
  count("worlds", worlds.length);
  count(
    "changes",
    worlds.reduce((sum, { steps }) => sum + steps.length, 0),
  );
  count("webhooks received", deliveries.length);
  count("rises of a fence", fences.length);
};
