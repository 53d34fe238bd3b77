import { setTimeout as pause } from "node:timers/promises";
import { callOverHttp, json, type PlatformCall } from "./platform-call.ts";
import { basicAuthorization, type SimulatorProcess } from "./simulator-process.ts";

/** Worlds that are not called for so long may be left to another process. */
const QUIET_MS = 2_500;
const MOST_TRIES = 20;

/** Calls the control surface. */
export const controlOf = ({ apiUrl, authorization }: SimulatorProcess): PlatformCall =>
  callOverHttp(`${new URL(apiUrl).origin}/_sim`, authorization);

/** Calls the platform in a world. */
export const callIn = (simulator: SimulatorProcess, world: string): PlatformCall => {
  const { apiUrl, clientId, clientSecret } = simulator;
  const user = { clientId: `${clientId}+${world}`, clientSecret };
  return callOverHttp(apiUrl, basicAuthorization(user));
};

/** Numbers of worlds that the processes of a store serve; those of ended ones are left out. */
export const worldsServed = async (simulator: SimulatorProcess): Promise<number[]> => {
  const { processes } = await json<{ processes: { worlds: number; leaseLeftMs: number }[] }>(
    controlOf(simulator)("GET", "/cluster"),
  );
  return processes.filter(({ leaseLeftMs }) => leaseLeftMs > 0).map(({ worlds }) => worlds);
};

/**
 * Calls worlds now and then until each process serves one of them.
 * @throws when they do not spread
 */
export const spreadWorlds = async (
  simulator: SimulatorProcess,
  worlds: readonly string[],
): Promise<void> => {
  let served: number[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await pause(QUIET_MS);
    for (const world of worlds) await json(callIn(simulator, world)("GET", "/config"));
    await pause(QUIET_MS);
    served = await worldsServed(simulator);
    if (served.length === worlds.length && served.every((count) => count === 1)) return;
  }
  throw new Error(`Expected a world in each process but found ${served.join(", ")}`);
};
