import { startBareServer } from "./bare-process.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { type Load, requestsPerSecond } from "./load.ts";
import { json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

interface Rounds {
  pairs: number;
  /** Seconds each half of a pair lasts. */
  seconds: number;
}

/** The load of a figure, and the simulator's answer to it. */
interface Task {
  load: Load;
  answer: { status: number; text: string };
}

const postQuotes = async ({ apiUrl, authorization, call }: SimulatorProcess): Promise<Task> => {
  const body = await createQuoteBody(call);
  const answer = await call("POST", "/quotes", body);
  return { load: { method: "POST", url: `${apiUrl}/quotes`, authorization, body }, answer };
};

const getQuote = async ({ apiUrl, authorization, call }: SimulatorProcess): Promise<Task> => {
  const body = await createQuoteBody(call);
  const { id } = await json<{ id: string }>(call("POST", "/quotes", body));
  const answer = await call("GET", `/quotes/${id}`);
  return { load: { method: "GET", url: `${apiUrl}/quotes/${id}`, authorization }, answer };
};

/** The same load on the simulator and on a bare server with answers of the same size. */
const measureTask = async (
  workplace: Workplace,
  { load, answer, rounds }: Task & { rounds: Rounds },
) => {
  const bare = await startBareServer(workplace, answer);
  const { pairs, seconds } = rounds;
  const measured = await pairsInTurn(
    { warmUps: 1, pairs },
    {
      measured: () => requestsPerSecond(workplace, load, seconds),
      floor: () => requestsPerSecond(workplace, { ...load, url: bare.url }, seconds),
    },
  );
  await workplace.end(bare.child);
  return measured;
};

const throughput = (
  about: Pick<Figure, "name" | "target">,
  how: { options: string[]; rounds: Rounds; task(simulator: SimulatorProcess): Promise<Task> },
): Figure => ({
  floor: "bare node:http",
  unit: "requests/s",
  ...about,
  measure: async (workplace) => {
    const simulator = await startSimulator(workplace, ["--storage", "file:state", ...how.options]);
    const task = await how.task(simulator);
    const pairs = await measureTask(workplace, { ...task, rounds: how.rounds });
    await workplace.end(simulator.child);
    return pairs;
  },
});

/** Requests per second, at 50 connections. */
export const throughputFigures: readonly Figure[] = [
  throughput(
    { name: "POST /quotes, file:", target: { atLeast: 0.25 } },
    { options: [], rounds: { pairs: 5, seconds: 3 }, task: postQuotes },
  ),
  throughput(
    { name: "POST /quotes, file: --fsync" },
    { options: ["--fsync"], rounds: { pairs: 4, seconds: 2 }, task: postQuotes },
  ),
  throughput(
    { name: "GET /quotes/{id}, file:", target: { atLeast: 0.5 } },
    { options: [], rounds: { pairs: 5, seconds: 3 }, task: getQuote },
  ),
];
