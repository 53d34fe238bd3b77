import { type ChildProcess, fork } from "node:child_process";
import { parseArgs } from "node:util";
import type { ServedState } from "./fuzzed-world.ts";

// Sources that a build would fill in.
Object.assign(globalThis, { __VERSION__: "fuzz" });
const { runCampaign, complaintsOf, heapGrowth } = await import("./campaign.ts");
const { linesOf } = await import("./report.ts");
type Target = import("./campaign.ts").Target;

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

/** The process that serves, asked and answered by messages. */
class Server {
  private readonly child: ChildProcess;
  private take: (message: unknown) => void = () => {};
  private fail: (error: Error) => void = () => {};

  constructor() {
    this.child = fork("test/fuzz/served.ts", { execArgv: ["--import", "tsx"] });
    this.child.on("message", (message) => this.take(message));
    this.child.on("exit", (code) =>
      this.fail(new Error(`Expected the simulator to serve but found it ended with ${code}`)),
    );
  }

  next<Message>(): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.take = resolve as (message: unknown) => void;
      this.fail = reject;
    });
  }

  state(): Promise<ServedState> {
    this.child.send("state");
    return this.next();
  }

  end() {
    if (this.child.connected) this.child.disconnect();
  }
}

const run = async (): Promise<number> => {
  const seed = Number(values.seed);
  const requests = Number(values.requests);
  const server = new Server();
  const world = await server.next<Omit<Target, "state">>();
  const target: Target = { ...world, state: () => server.state() };
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
