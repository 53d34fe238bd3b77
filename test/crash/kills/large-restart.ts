import { Workplace } from "../../setup/cli.ts";

/** Time from spawning a start until it is ready, after a kill. */
export interface LargeRestart {
  customers: number;
  quotes: number;
  /** Wall milliseconds of each restart. */
  tookMs: number[];
  /** Wall milliseconds of an empty program before each restart, which show a busy machine. */
  emptyMs: number[];
}

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
    const emptyMs: number[] = [];
    for (let count = 0; count < restarts; count += 1) {
      await cli.stop("SIGKILL");
      const emptyAtMs = performance.now();
      await place.spawn([process.execPath, "-e", ""]).ended;
      emptyMs.push(Math.round(performance.now() - emptyAtMs));
      const startedMs = performance.now();
      cli = await place.start(START);
      tookMs.push(Math.round(performance.now() - startedMs));
      const { body: listed } = await cli.call("GET", "/customers?limit=1");
      if (listed.totalCount !== customers)
        throw new Error(`Expected ${customers} customers but found ${listed.totalCount}`);
    }
    return { customers, quotes, tookMs, emptyMs };
  } finally {
    await place.close();
  }
};
