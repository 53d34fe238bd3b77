import type { Child } from "./child.ts";
import { requestsPerSecond } from "./load.ts";
import { processorMsOfProcess } from "./proc.ts";
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

/** Loads a server for some seconds; systems without /proc tell no CPU time, so that it is 0. */
export const loadedRate = async (
  workplace: Workplace,
  { child, load }: LoadedServer,
  seconds: number,
): Promise<LoadedRate> => {
  const beforeMs = processorMsOfProcess(child.pid);
  const perSecond = await requestsPerSecond(workplace, load, seconds);
  const usedMs = processorMsOfProcess(child.pid) - beforeMs;
  return { perSecond, processorUs: (usedMs * US_PER_MS) / (perSecond * seconds) };
};
