import type { Rest } from "../checker/history.ts";
import { type Cluster, jsonOf, rest } from "./cluster.ts";

/** Simulated time in which each retry comes and each timer fires. */
const LAST_SPAN = "8h";
const LONGEST_SETTLING_MS = 40_000;
const AGAIN_AFTER_MS = 100;
const UNFINISHED = ["WAITING", "RETRYING", "HELD"];

/** Asks until it is answered; the last answer where no good one comes in time. */
const asked = async (cluster: Cluster, [method, path, body]: [string, string, object?]) => {
  const deadlineMs = performance.now() + LONGEST_SETTLING_MS;
  let answer = await cluster.control(method, path, body);
  while (!(answer && answer.status < 300) && performance.now() < deadlineMs) {
    await rest(AGAIN_AFTER_MS);
    answer = await cluster.control(method, path, body);
  }
  if (answer && answer.status < 300) return jsonOf(answer);
  throw new Error(`${method} ${path}: ${answer ? answer.text : "no answer"}`);
};

const waitingIn = async (cluster: Cluster, world: string): Promise<string[]> => {
  const waiting: string[] = [];
  for (const state of UNFINISHED) {
    const { data } = await asked(cluster, ["GET", `/webhooks?world=${world}&state=${state}`]);
    waiting.push(...data.map(({ id }: { id: string }) => `${id} (${state})`));
  }
  return waiting;
};

const settle = async (cluster: Cluster, world: string): Promise<Rest> => {
  const deadlineMs = performance.now() + LONGEST_SETTLING_MS;
  let waiting: string[];
  do {
    await asked(cluster, ["POST", `/clock/advance?world=${world}`, { by: LAST_SPAN }]);
    waiting = await waitingIn(cluster, world);
  } while (waiting.length > 0 && performance.now() < deadlineMs);
  const { totals } = await asked(cluster, ["GET", `/ledger?world=${world}`]);
  return { world, totals, waiting };
};

/** Moves each world so far that nothing should wait, and tells what does. */
export const settleAll = async (cluster: Cluster): Promise<Rest[]> => {
  const rests: Rest[] = [];
  for (const world of cluster.worlds)
    rests.push(
      await settle(cluster, world).catch(({ message }: Error) => ({
        ...{ world, totals: {}, waiting: [] },
        problem: `it does not answer: ${message}`,
      })),
    );
  return rests;
};
