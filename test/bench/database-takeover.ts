import { setTimeout as pause } from "node:timers/promises";
import { newDatabase, onPostgres, SHARING } from "./database.ts";
import type { Figure, Pair } from "./figure.ts";
import { getQuote } from "./quote-load.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";

const LEASE_MS = 1_000;
const LIMIT_MS = 20_000;
const AGAIN_AFTER_MS = 10;
/** Kills fall at different instants of a lease. */
const STEP_MS = 170;

/** Waits until a process answers a read of its world well. */
const firstGood = async ({ call }: SimulatorProcess, path: string): Promise<void> => {
  const startedMs = performance.now();
  let found = "";
  while (performance.now() - startedMs < LIMIT_MS) {
    const { status, text } = await call("GET", path);
    if (status === 200) return;
    found = `${status} ${text}`;
    await pause(AGAIN_AFTER_MS);
  }
  throw new Error(`Expected ${path} to answer 200 within ${LIMIT_MS} ms but found ${found}`);
};

/** The time for which nobody answers for a world whose process was killed. */
export const takeoverFigure: Figure = {
  name: "from kill -9 of a world's process to the next good GET, on PostgreSQL",
  floor: `the lease, ${LEASE_MS / 1000} s`,
  unit: "ms",
  target: { atMost: 2 },
  measure: (workplace) =>
    onPostgres(workplace, async (server) => {
      const storage = await newDatabase(server);
      const options = [...SHARING, "--lease", `${LEASE_MS}ms`, "--storage", storage];
      let owner = await startSimulator(workplace, options);
      const { load } = await getQuote(owner);
      const path = load.url.slice(owner.apiUrl.length);
      const pairs: Pair[] = [];
      for (let round = 0; round < workplace.of({ short: 2, usual: 7 }); round += 1) {
        const next = await startSimulator(workplace, options);
        await firstGood(next, path);
        await pause(round * STEP_MS);
        const startedMs = performance.now();
        owner.child.kill();
        await firstGood(next, path);
        pairs.push({ measured: performance.now() - startedMs, floor: LEASE_MS });
        owner = next;
      }
      return pairs;
    }),
};
