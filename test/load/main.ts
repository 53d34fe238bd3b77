import type { FuzzedWorld } from "../fuzz/fuzzed-world.ts";
import { ServedProcess } from "../fuzz/served-process.ts";
import type { WireConnection } from "../fuzz/wire.ts";
import { campaignOptions, wholeNumber, wrongUsage } from "../setup/campaign-options.ts";
import type { Load } from "./clients.ts";
import { type Bounds, type Stage, stageComplaints, stageLine } from "./judged.ts";
import type { Stretches } from "./loop-watch.ts";
import {
  hostileReceivers,
  idleAndSlow,
  manyConnections,
  pipelined,
  warmConnections,
} from "./stages.ts";

const values = campaignOptions<{ seconds: number; only?: string }>({
  script: "load",
  does: "Loads a simulator over sockets: many, idle, slow and pipelined connections, and hostile receivers.",
  options: [
    {
      flags: "--seconds <n>",
      summary: "time of the stage with 200 connections",
      read: wholeNumber,
      preset: 60,
    },
    { flags: "--only <text>", summary: "stages whose name has this text in it" },
  ],
  examples: ["--seconds 10", "--only pipelined"],
});

const PIECE_PERIOD_MS = 100;
const MS_PER_SECOND = 1000;
const STRETCH_MS = 50;

const pause = () => new Promise((resolve) => setTimeout(resolve, PIECE_PERIOD_MS));

interface PlannedStage {
  name: string;
  bounds: Bounds;
  /** Connections of the warm-up, which the stage continues with. */
  connections?: number;
  run(world: FuzzedWorld, warm: WireConnection[]): Promise<Load>;
}

const untilMs = (endsMs: number) => () => performance.now() >= endsMs;

const STAGES: readonly PlannedStage[] = [
  {
    name: `200 connections for ${values.seconds} s`,
    bounds: { p99InMedians: 20, stretchMs: STRETCH_MS },
    connections: 200,
    run: (world, connections) => {
      const isOver = untilMs(performance.now() + values.seconds * MS_PER_SECOND);
      return manyConnections(world, { connections, isOver });
    },
  },
  {
    name: "1,000 idle and 300 slow connections",
    bounds: { stretchMs: STRETCH_MS },
    run: (world) => idleAndSlow(world, { idle: 1_000, slow: 300, pieces: 60, turn: pause }),
  },
  {
    name: "10,000 pipelined requests",
    bounds: { stretchMs: STRETCH_MS },
    run: (world) => pipelined(world, { count: 10_000 }),
  },
  {
    name: "nine hostile receivers",
    bounds: { slowestMs: 1_000, stretchMs: STRETCH_MS },
    run: (world) => hostileReceivers(world, { events: 50, healthy: 20 }),
  },
];

const runStage = async (server: ServedProcess, stage: PlannedStage) => {
  const { name, bounds, run, connections = 1 } = stage;
  const world = await server.next<FuzzedWorld>();
  const warm = await warmConnections(world, { connections });
  await server.ask("watch");
  const startedMs = performance.now();
  const load = await run(world, warm.connections);
  load.errors.push(...warm.errors);
  const seconds = (performance.now() - startedMs) / MS_PER_SECOND;
  const stretches = await server.ask<Stretches>("stretches");
  const ran: Stage = { name, load, stretches, seconds, bounds };
  console.log(stageLine(ran));
  return stageComplaints(ran);
};

const run = async (): Promise<number> => {
  const complaints: string[] = [];
  const { only = "" } = values;
  const stages = STAGES.filter(({ name }) => name.includes(only));
  if (stages.length === 0) {
    const names = STAGES.map(({ name }) => name).join("; ");
    wrongUsage("load", `no stage has "${only}" in its name; stages: ${names}`);
  }
  for (const stage of stages) {
    const server = new ServedProcess("test/load/served.ts");
    try {
      complaints.push(...(await runStage(server, stage)));
    } finally {
      await server.end();
    }
  }
  for (const complaint of complaints) console.error(complaint);
  return complaints.length > 0 ? 1 : 0;
};

process.exit(await run());
