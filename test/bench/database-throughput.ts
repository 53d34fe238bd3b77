import { newDatabase, onPostgres } from "./database.ts";
import type { Figure, Found } from "./figure.ts";
import { loadedRate, rateOf } from "./loaded-server.ts";
import { json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";
import { getQuote, type Load, postQuotes, type Task } from "./quote-load.ts";
import { type Rated, ratesInTurn } from "./rates-in-turn.ts";
import { type RequestLoop, requestLoop } from "./request-loop.ts";
import { callIn, controlOf, startSpread } from "./shared-processes.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const FILE = ["--storage", "file:state"];
const THREE = ["--processes", "3", "--drain", "0s"];
const DEFAULT_WORLD = "sandbox";
const WORLDS = [DEFAULT_WORLD, "second", "third"];
const CONNECTIONS = 50;

/** A server's rate under a load that autocannon sends. */
const underLoad = async (
  workplace: Workplace,
  options: readonly string[],
  { name, task }: { name: string; task(simulator: SimulatorProcess): Promise<Task> },
): Promise<Rated> => {
  const simulator = await startSimulator(workplace, options);
  const { load } = await task(simulator);
  const server = { child: simulator.child, load };
  return { name, rate: (seconds) => loadedRate(workplace, server, seconds) };
};

type LoopRequest = RequestLoop["requests"][number];

/** The request of a task in a world that the header names. */
const requestIn = async (
  simulator: SimulatorProcess,
  method: Load["method"],
  world: string,
): Promise<LoopRequest> => {
  const call = callIn(simulator, world);
  const { pathname } = new URL(simulator.apiUrl);
  const headers = { "x-sim-world": world };
  const body = await createQuoteBody(call);
  if (method === "POST") return { method, path: `${pathname}/quotes`, headers, body };
  const { id } = await json<{ id: string }>(call("POST", "/quotes", body));
  return { method, path: `${pathname}/quotes/${id}`, headers };
};

/** Forks the default world into the others. */
const makeWorlds = async (simulator: SimulatorProcess): Promise<void> => {
  const control = controlOf(simulator);
  for (const name of WORLDS)
    if (name !== DEFAULT_WORLD) await json(control("POST", "/worlds", { name }));
};

/** A server's rate under requests to three worlds in turn. */
const underWorlds = async (
  workplace: Workplace,
  simulator: SimulatorProcess,
  { name, method }: { name: string; method: Load["method"] },
): Promise<Rated> => {
  const requests: LoopRequest[] = [];
  for (const world of WORLDS) requests.push(await requestIn(simulator, method, world));
  const { origin } = new URL(simulator.apiUrl);
  const headers = { authorization: simulator.authorization };
  const total = method === "GET" ? 20_000 : 6_000;
  const asked = { origin, headers, requests, connections: CONNECTIONS, total };
  const rate = () =>
    rateOf(simulator.child, async () => {
      const { seconds } = await requestLoop(workplace, asked);
      return { requests: total, seconds };
    });
  return { name, rate };
};

const sameLoad =
  (task: (simulator: SimulatorProcess) => Promise<Task>, options: readonly string[] = []) =>
  (workplace: Workplace): Promise<Found> =>
    onPostgres(workplace, async (server) => {
      const stored = ["--storage", await newDatabase(server), ...options];
      const ours = await underLoad(workplace, stored, { name: "PostgreSQL", task });
      return ratesInTurn(
        workplace,
        ours,
        await underLoad(workplace, FILE, { name: "files", task }),
      );
    });

const sameWorlds =
  (method: Load["method"]) =>
  (workplace: Workplace): Promise<Found> =>
    onPostgres(workplace, async (server) => {
      const stored = ["--storage", await newDatabase(server)];
      const maker = await startSimulator(workplace, stored);
      await makeWorlds(maker);
      await workplace.end(maker.child);
      const three = await startSpread(WORLDS, {
        start: () => startSimulator(workplace, [...stored, ...THREE]),
        end: ({ child }) => workplace.end(child),
      });
      const ours = await underWorlds(workplace, three, { name: "PostgreSQL", method });
      const files = await startSimulator(workplace, FILE);
      await makeWorlds(files);
      const base = await underWorlds(workplace, files, { name: "files", method });
      return ratesInTurn(workplace, ours, base);
    });

const figure = (name: string, about: Pick<Figure, "target" | "measure">): Figure => ({
  name,
  floor: "file store",
  unit: "/s",
  ...about,
});

/** Requests a second on PostgreSQL: one process, and three behind one port. */
export const databaseThroughputFigures: readonly Figure[] = [
  figure("POST /quotes, 50 connections, PostgreSQL", {
    target: { atLeast: 0.35 },
    measure: sameLoad(postQuotes),
  }),
  figure("GET /quotes/{id}, 50 connections, PostgreSQL", {
    target: { atLeast: 0.9 },
    measure: sameLoad(getQuote),
  }),
  figure("POST /quotes, 50 connections, three processes on PostgreSQL", {
    measure: sameLoad(postQuotes, THREE),
  }),
  figure("GET /quotes/{id}, 50 connections, three processes on PostgreSQL", {
    measure: sameLoad(getQuote, THREE),
  }),
  figure("POST /quotes, 50 connections, three processes on PostgreSQL, a world each", {
    measure: sameWorlds("POST"),
  }),
  figure("GET /quotes/{id}, 50 connections, three processes on PostgreSQL, a world each", {
    measure: sameWorlds("GET"),
  }),
];
