import { type ClusterHistory, type Fault, grouped, stepsOf, type Told } from "./history.ts";
import { ReplayedWorld } from "./replayed-world.ts";

/** With the faults lifted nothing waits, and each ledger adds up to zero. */
export const wrongRests = ({ worlds, rests }: ClusterHistory): string[] => {
  const found: string[] = [];
  for (const { world, totals, waiting, problem } of rests) {
    for (const [currency, total] of Object.entries(totals))
      if (total !== 0) found.push(`the ledger of ${world} shows ${total} in ${currency}`);
    if (waiting.length > 0)
      found.push(`${waiting.length} webhooks of ${world} still wait, such as ${waiting[0]}`);
    if (problem !== undefined) found.push(`the state of ${world}: ${problem}`);
  }
  for (const world of worlds) {
    const replayed = new ReplayedWorld();
    for (const step of stepsOf(worlds, world)) replayed.apply(step);
    found.push(...replayed.ledgerFaults().map((fault) => `the journal of ${world.name}: ${fault}`));
  }
  return found;
};

const isAway = ({ status }: Told) => status === undefined || status >= 500;

/** Time that a call may take beside what a fault explains: the machine has other work. */
const SLACK_MS = 1_500;

const explains = ({ beginMs, endMs, process }: Fault, call: Told, leaseMs: number) => {
  const isOfProcess =
    process === undefined || call.status !== undefined || call.process === process;
  return isOfProcess && beginMs <= call.endMs && call.beginMs <= endMs + 2 * leaseMs + SLACK_MS;
};

/** A world is away only during a fault and two leases after it. */
export const awayWithoutFault = ({ calls, faults, leaseMs }: ClusterHistory): string[] => {
  const unexplained = calls.filter(
    (call) => isAway(call) && !faults.some((fault) => explains(fault, call, leaseMs)),
  );
  return [...grouped(unexplained, ({ world }) => world)].map(([world, away]) => {
    const [{ beginMs, status, body, method, path }] = away as [Told];
    const before = faults.filter((fault) => fault.endMs <= beginMs).at(-1);
    const since = before ? `${(beginMs - before.endMs).toFixed(0)} ms after ${before.what}` : "";
    const answer = status === undefined ? "no answer" : `${status} ${body?.message ?? ""}`;
    return `${away.length} calls of ${world} failed without a fault, the first ${since}: ${method} ${path}: ${answer}`;
  });
};
