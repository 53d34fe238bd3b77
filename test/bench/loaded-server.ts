import type { Child } from "./child.ts";
import { requestsPerSecond } from "./load.ts";
import { childPids, processorMsOfProcess } from "./proc.ts";
import type { Load } from "./quote-load.ts";
import type { Workplace } from "./workplace.ts";

const US_PER_MS = 1000;

/** A server, and the load that it is measured by. */
export interface LoadedServer {
  child: Child;
  load: Load;
}

/** Requests a second, and CPU microseconds of a request: all threads of the server together. */
export interface LoadedRate {
  perSecond: number;
  processorUs: number;
}

/** CPU time of a process and of its workers. */
const usedMs = ({ pid }: Child) =>
  [pid, ...childPids(pid)].reduce((sum, one) => sum + processorMsOfProcess(one), 0);

/** Rate of some requests, and the CPU time of a server and of its workers for each. */
export const rateOf = async (
  child: Child,
  sent: () => Promise<{ requests: number; seconds: number }>,
): Promise<LoadedRate> => {
  const beforeMs = usedMs(child);
  const { requests, seconds } = await sent();
  const processorUs = ((usedMs(child) - beforeMs) * US_PER_MS) / requests;
  return { perSecond: requests / seconds, processorUs };
};

/** Loads a server for some seconds; systems without /proc tell no CPU time, so that it is 0. */
export const loadedRate = (
  workplace: Workplace,
  { child, load }: LoadedServer,
  seconds: number,
): Promise<LoadedRate> =>
  rateOf(child, async () => {
    const perSecond = await requestsPerSecond(workplace, load, seconds);
    return { requests: perSecond * seconds, seconds };
  });
