import { Workplace, waitUntil } from "../../setup/cli.ts";
import { filesOf } from "../bits/small-state.ts";

/** Time from spawning a start until it is ready, after a kill. */
export interface LargeRestart {
  customers: number;
  quotes: number;
  /** Wall milliseconds of each restart right behind a kill in the burst. */
  tookMs: number[];
  /** The same once the world was quiet for a moment and has a checkpoint. */
  settledMs: number[];
  /** Wall milliseconds of an empty program before each restart, which show a busy machine. */
  emptyMs: number[];
}

/** The file that a checkpoint ends with. */
const MANIFEST = /^checkpoint[/\\].*manifest\.json$/;

const START = "--storage file:state --clock manual --seed large";

/** Kills a simulator with generated records repeatedly and measures each restart. */
export const measureLargeRestart = async (
  { customers, quotes }: { customers: number; quotes: number },
  restarts: number,
): Promise<LargeRestart> => {
  const place = new Workplace();
  try {
    let cli = await place.start(START);
    const generate = { customers: { count: customers }, quotes: { count: quotes } };
    const { status, body } = await cli.control("POST", "/seed", { generate });
    if (status !== 200) throw new Error(`Expected records but found ${JSON.stringify(body)}`);
    const tookMs: number[] = [];
    const settledMs: number[] = [];
    const emptyMs: number[] = [];
    const hasCheckpoint = () => filesOf(place.file("state")).some((one) => MANIFEST.test(one));
    for (let count = 0; count < 2 * restarts; count += 1) {
      const isSettled = count >= restarts;
      if (isSettled) await waitUntil("a checkpoint", hasCheckpoint);
      await cli.stop("SIGKILL");
      const emptyAtMs = performance.now();
      await place.spawn([process.execPath, "-e", ""]).ended;
      emptyMs.push(Math.round(performance.now() - emptyAtMs));
      const startedMs = performance.now();
      cli = await place.start(START);
      (isSettled ? settledMs : tookMs).push(Math.round(performance.now() - startedMs));
      const { body: listed } = await cli.call("GET", "/customers?limit=1");
      if (listed.totalCount !== customers)
        throw new Error(`Expected ${customers} customers but found ${listed.totalCount}`);
    }
    return { customers, quotes, tookMs, settledMs, emptyMs };
  } finally {
    await place.close();
  }
};
