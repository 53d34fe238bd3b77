import { startBareServer } from "./bare-process.ts";
import type { Child } from "./child.ts";
import { newDatabase, onPostgres, SHARING } from "./database.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { processorMsOfProcess, requireProc } from "./proc.ts";
import { getQuote } from "./quote-load.ts";
import { median } from "./ratios.ts";
import { requestLoop } from "./request-loop.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const CONNECTIONS = 50;
const US_PER_MS = 1000;

/** Requests of a loop, and the processes whose CPU time counts. */
interface Asked {
  url: string;
  authorization: string;
  children: readonly Child[];
}

/** CPU time of a request in each of the processes, microseconds. */
const usedUs = async (
  workplace: Workplace,
  { url, authorization, children }: Asked,
): Promise<number[]> => {
  const total = workplace.of({ short: 10_000, usual: 20_000 });
  const { origin, pathname } = new URL(url);
  const beforeMs = children.map(({ pid }) => processorMsOfProcess(pid));
  const requests = [{ method: "GET" as const, path: pathname }];
  const counts = { connections: CONNECTIONS, total };
  await requestLoop(workplace, { origin, headers: { authorization }, requests, ...counts });
  return children.map(
    ({ pid }, at) => ((processorMsOfProcess(pid) - (beforeMs[at] ?? 0)) * US_PER_MS) / total,
  );
};

const sumOf = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

/** The cost of a call that arrives at a process that does not serve its world. */
export const hopFigure: Figure = {
  name: "CPU time of a GET /quotes/{id} that hops, on PostgreSQL",
  floor: "bare node:http",
  unit: "µs",
  target: { atMost: 5 },
  measure: (workplace) =>
    onPostgres(workplace, async (server) => {
      requireProc();
      const options = [...SHARING, "--storage", await newDatabase(server)];
      // The first one serves the default world; a call of the second one hops.
      const owner = await startSimulator(workplace, options);
      const other = await startSimulator(workplace, options);
      const { load, answer } = await getQuote(other);
      const bare = await startBareServer(workplace, answer);
      const { authorization } = load;
      const hopping: Asked = {
        url: load.url,
        authorization,
        children: [other.child, owner.child],
      };
      const seen: number[][] = [];
      const measured = async () => {
        const used = await usedUs(workplace, hopping);
        if (used.some((one) => one < 1))
          throw new Error(`Expected work of both processes but found ${used.join(" and ")} µs`);
        seen.push(used);
        return sumOf(used);
      };
      const floor = async () =>
        sumOf(await usedUs(workplace, { url: bare.url, authorization, children: [bare.child] }));
      const counts = { warmUps: 2, pairs: workplace.of({ short: 3, usual: 5 }) };
      const pairs = await pairsInTurn(counts, { measured, floor });
      const url = load.url.replace(other.apiUrl, owner.apiUrl);
      const straight = await usedUs(workplace, { url, authorization, children: [owner.child] });
      const [asked, serves] = [0, 1].map((at) =>
        median(seen.slice(counts.warmUps).map((used) => used[at] ?? 0)).toFixed(0),
      );
      const without = `${sumOf(straight).toFixed(0)} µs without a hop`;
      return { pairs, notes: [`${asked} µs (asked) and ${serves} µs (serves it), ${without}`] };
    }),
};
