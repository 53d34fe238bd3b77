import { startBareServer } from "./bare-process.ts";
import type { Figure } from "./figure.ts";
import { type LoadedServer, loadedRate } from "./loaded-server.ts";
import { getQuote, postQuotes, type Task } from "./quote-load.ts";
import { type Rated, ratesInTurn } from "./rates-in-turn.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const STORED = ["--storage", "file:state"];

const ratedOf = (workplace: Workplace, name: string, server: LoadedServer): Rated => ({
  name,
  rate: (seconds) => loadedRate(workplace, server, seconds),
});

/** The same load on the simulator and on a bare server with answers of the same size. */
const againstBare =
  (task: (simulator: SimulatorProcess) => Promise<Task>) => async (workplace: Workplace) => {
    const simulator = await startSimulator(workplace, STORED);
    const { load, answer } = await task(simulator);
    const bare = await startBareServer(workplace, answer);
    return ratesInTurn(
      workplace,
      ratedOf(workplace, "ours", { child: simulator.child, load }),
      ratedOf(workplace, "bare", { child: bare.child, load: { ...load, url: bare.url } }),
    );
  };

const quotePoster = async (workplace: Workplace, name: string, options: readonly string[]) => {
  const simulator = await startSimulator(workplace, [...STORED, ...options]);
  const { load } = await postQuotes(simulator);
  return ratedOf(workplace, name, { child: simulator.child, load });
};

/** The same load on a simulator that waits for the disk and on one that does not. */
const againstUnsynced = async (workplace: Workplace) => {
  const synced = await quotePoster(workplace, "with --fsync", ["--fsync"]);
  return ratesInTurn(workplace, synced, await quotePoster(workplace, "without", []));
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
