import { startBareServer } from "./bare-process.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import type { LoadedServer } from "./loaded-server.ts";
import { processorMsOfProcess } from "./proc.ts";
import { getQuote, type Load, postQuotes, type Task } from "./quote-load.ts";
import { median, percentile } from "./ratios.ts";
import { requestLoop } from "./request-loop.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const MANY_CONNECTIONS = 50;
const US_PER_MS = 1000;

type MakeTask = (simulator: SimulatorProcess) => Promise<Task>;

const startTask = async (workplace: Workplace, task: MakeTask) => {
  const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
  return { child: simulator.child, ...(await task(simulator)) };
};

/** Milliseconds of each request of a load. */
const latenciesMs = async (
  workplace: Workplace,
  { url, method, authorization, body }: Load,
  counts: { connections: number; total: number },
): Promise<number[]> => {
  const { origin, pathname } = new URL(url);
  const asked = { method, path: pathname, ...(body && { body }) };
  const headers = { authorization };
  const report = await requestLoop(workplace, { origin, headers, requests: [asked], ...counts });
  return report.tookMs;
};

const oneByOne = (task: MakeTask) => async (workplace: Workplace) => {
  const { child, load, answer } = await startTask(workplace, task);
  const bare = await startBareServer(workplace, answer);
  const total = workplace.of({ short: 2_000, usual: 4_000 });
  const used = { ours: [] as number[], bare: [] as number[] };
  const medianUs = async (server: LoadedServer, usedUs: number[]) => {
    const beforeMs = processorMsOfProcess(server.child.pid);
    const tookMs = await latenciesMs(workplace, server.load, { connections: 1, total });
    const usedMs = processorMsOfProcess(server.child.pid) - beforeMs;
    usedUs.push((usedMs / total) * US_PER_MS);
    return median(tookMs) * US_PER_MS;
  };
  const counts = { warmUps: 2, pairs: workplace.of({ short: 3, usual: 5 }) };
  const pairs = await pairsInTurn(counts, {
    measured: () => medianUs({ child, load }, used.ours),
    floor: () => medianUs({ child: bare.child, load: { ...load, url: bare.url } }, used.bare),
  });
  const [ours, base] = [used.ours, used.bare].map((each) => median(each.slice(counts.warmUps)));
  const note = `CPU time of a request: ${ours?.toFixed(0)} µs (ours), ${base?.toFixed(0)} µs (bare)`;
  return { pairs, notes: [note] };
};

const slowest = (task: MakeTask) => async (workplace: Workplace) => {
  const { load } = await startTask(workplace, task);
  const total = workplace.of({ short: 6_000, usual: 10_000 });
  const pairs = [];
  for (let round = -1; round < workplace.of({ short: 2, usual: 5 }); round += 1) {
    const tookMs = await latenciesMs(workplace, load, { connections: MANY_CONNECTIONS, total });
    if (round >= 0) pairs.push({ measured: percentile(tookMs, 0.99), floor: median(tookMs) });
  }
  return pairs;
};

/** Waiting times of single calls. */
export const latencyFigures: readonly Figure[] = [
  {
    name: "GET /quotes/{id}, one connection, median",
    floor: "bare node:http",
    unit: "µs",
    target: { atMost: 1.5 },
    from: "short",
    measure: oneByOne(getQuote),
  },
  {
    name: "POST /quotes, one connection, median",
    floor: "bare node:http",
    unit: "µs",
    target: { atMost: 2.5 },
    measure: oneByOne(postQuotes),
  },
  {
    name: "GET /quotes/{id}, 50 connections, 99th percentile",
    floor: "its median",
    unit: "ms",
    target: { atMost: 6 },
    from: "short",
    measure: slowest(getQuote),
  },
  {
    name: "POST /quotes, 50 connections, 99th percentile",
    floor: "its median",
    unit: "ms",
    target: { atMost: 6 },
    from: "short",
    measure: slowest(postQuotes),
  },
];
