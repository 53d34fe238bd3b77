import { parseArgs } from "node:util";
import type { ServedState } from "./fuzzed-world.ts";
import { ServedProcess } from "./served-process.ts";

// Sources that a build would fill in.
Object.assign(globalThis, { __VERSION__: "fuzz" });
const { runCampaign, complaintsOf, heapGrowth } = await import("./wire-campaign.ts");
const { linesOf } = await import("./report.ts");
type Target = import("./wire-campaign.ts").Target;

const { values } = parseArgs({
  options: {
    /** Requests in all; a lane that has begun is finished. */
    requests: { type: "string", default: "200000" },
    /** Decides every request; printed with each finding. */
    seed: { type: "string", default: "1" },
    /** Repeats one lane, as a finding says. */
    lane: { type: "string" },
  },
});

/** From this many requests on the heap is judged: earlier, caches still fill. */
const JUDGED_REQUESTS = 50_000;
const BYTES_PER_MEGABYTE = 1e6;

const run = async (): Promise<number> => {
  const seed = Number(values.seed);
  const requests = Number(values.requests);
  const server = new ServedProcess("test/fuzz/served.ts");
  const world = await server.next<Omit<Target, "state">>();
  const target: Target = { ...world, state: () => server.ask<ServedState>("state") };
  try {
    const report = await runCampaign(target, {
      seed,
      requests,
      ...(values.lane !== undefined && { lane: Number(values.lane) }),
      onRound: (sent, heapBytes) => {
        const megabytes = (heapBytes / BYTES_PER_MEGABYTE).toFixed(1);
        process.stderr.write(`\r${sent} requests, heap ${megabytes} MB `);
      },
    });
    process.stderr.write("\n");
    const judgesHeap = requests >= JUDGED_REQUESTS;
    console.log(linesOf(report, { seed, growth: heapGrowth(report.heap) }).join("\n"));
    const complaints = complaintsOf(report, { judgesHeap });
    for (const complaint of complaints) console.error(complaint);
    return complaints.length > 0 ? 1 : 0;
  } finally {
    server.end();
  }
};

process.exit(await run());
