import { Worker } from "node:worker_threads";

/** Wall milliseconds in which a history ends, however busy the machine is. */
const LIMIT_MS = 120_000;

/** Looks at the seed from a thread of its own, since a loop that never ends keeps its thread. */
const LOOK = `
const { writeSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const { seeds, limitMs } = workerData;
let seen = [-1n, 0];
setInterval(() => {
  const seed = Atomics.load(seeds, 0);
  const nowMs = performance.now();
  if (seed !== seen[0]) seen = [seed, nowMs];
  else if (seed >= 0n && nowMs - seen[1] > limitMs) {
    writeSync(1, "seed " + seed + ": a history does not end\\n  again with: npm run simulate -- --seed " + seed + "\\n");
    process.kill(process.pid, "SIGKILL");
  }
}, 1_000);
`;

/** Ends the process when one history takes longer than any may, and names its seed. */
export class Watchdog {
  private readonly seeds = new BigInt64Array(new SharedArrayBuffer(8)).fill(-1n);

  constructor(limitMs = LIMIT_MS) {
    const workerData = { seeds: this.seeds, limitMs };
    new Worker(LOOK, { eval: true, workerData }).unref();
  }

  begin(seed: number) {
    Atomics.store(this.seeds, 0, BigInt(seed));
  }

  /** No history is played for now. */
  rest() {
    Atomics.store(this.seeds, 0, -1n);
  }
}
