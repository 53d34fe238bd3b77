import { startBareServer } from "./bare-process.ts";
import { type Figure, type Found, pairsInTurn } from "./figure.ts";
import { type LoadedServer, loadedRate } from "./loaded-server.ts";
import { getQuote, postQuotes, type Task } from "./quote-load.ts";
import { median } from "./ratios.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const STORED = ["--storage", "file:state"];

type Named = LoadedServer & { name: string };

/** Measures two servers in turn; notes the CPU time that each takes for a request. */
const inTurn = async (workplace: Workplace, ours: Named, base: Named): Promise<Found> => {
  const seconds = workplace.of({ short: 2, usual: 3 });
  const processorUs = { ours: [] as number[], base: [] as number[] };
  const rateOf = async (server: Named, usedUs: number[]) => {
    const rate = await loadedRate(workplace, server, seconds);
    usedUs.push(rate.processorUs);
    return rate.perSecond;
  };
  const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
  const pairs = await pairsInTurn(counts, {
    measured: () => rateOf(ours, processorUs.ours),
    floor: () => rateOf(base, processorUs.base),
  });
  const text = (usedUs: readonly number[], { name }: Named) =>
    `${median(usedUs.slice(counts.warmUps)).toFixed(0)} µs (${name})`;
  const used = `${text(processorUs.ours, ours)}, ${text(processorUs.base, base)}`;
  return { pairs, notes: [`CPU time of a request: ${used}`] };
};

/** The same load on the simulator and on a bare server with answers of the same size. */
const againstBare =
  (task: (simulator: SimulatorProcess) => Promise<Task>) => async (workplace: Workplace) => {
    const simulator = await startSimulator(workplace, STORED);
    const { load, answer } = await task(simulator);
    const bare = await startBareServer(workplace, answer);
    return inTurn(
      workplace,
      { name: "ours", child: simulator.child, load },
      { name: "bare", child: bare.child, load: { ...load, url: bare.url } },
    );
  };

const quotePoster = async (workplace: Workplace, name: string, options: readonly string[]) => {
  const simulator = await startSimulator(workplace, [...STORED, ...options]);
  const { load } = await postQuotes(simulator);
  return { name, child: simulator.child, load };
};

/** The same load on a simulator that waits for the disk and on one that does not. */
const againstUnsynced = async (workplace: Workplace) => {
  const synced = await quotePoster(workplace, "with --fsync", ["--fsync"]);
  return inTurn(workplace, synced, await quotePoster(workplace, "without", []));
};

/** Requests a second, at 50 connections. */
export const throughputFigures: readonly Figure[] = [
  {
    name: "GET /quotes/{id}, 50 connections",
    floor: "bare node:http",
    unit: "/s",
    target: { atLeast: 0.6 },
    from: "short",
    measure: againstBare(getQuote),
  },
  {
    name: "POST /quotes, 50 connections",
    floor: "bare node:http",
    unit: "/s",
    target: { atLeast: 0.18 },
    from: "short",
    measure: againstBare(postQuotes),
  },
  {
    name: "POST /quotes, 50 connections, --fsync",
    floor: "without --fsync",
    unit: "/s",
    target: { atLeast: 0.6 },
    from: "short",
    measure: againstUnsynced,
  },
];
