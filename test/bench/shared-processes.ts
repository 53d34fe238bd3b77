import { setTimeout as pause } from "node:timers/promises";
import { callOverHttp, json, type PlatformCall } from "./platform-call.ts";
import { basicAuthorization, type SimulatorProcess } from "./simulator-process.ts";

/** A process tells the store the number of its worlds once in this time, and more often. */
const TOLD_AFTER_MS = 2_000;
const MOST_TRIES = 9;

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
 * Starts processes behind one port until each of them serves one of the worlds, which a database
 * has already. Connections go to the processes in turn, so each first call reaches another one.
 * @throws when they do not spread
 */
export const startSpread = async (
  worlds: readonly string[],
  { start, end }: { start(): Promise<SimulatorProcess>; end(one: SimulatorProcess): Promise<void> },
): Promise<SimulatorProcess> => {
  let served: number[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const simulator = await start();
    // The turn that a process has first is not told: other starts begin with other ones.
    for (let turn = 0; turn < tries % worlds.length; turn += 1)
      await controlOf(simulator)("GET", "/live");
    for (const world of worlds) await json(callIn(simulator, world)("GET", "/config"));
    await pause(TOLD_AFTER_MS);
    served = await worldsServed(simulator);
    if (served.length === worlds.length && served.every((count) => count === 1)) return simulator;
    await end(simulator);
  }
  throw new Error(`Expected a world in each process but found ${served.join(", ")}`);
};
