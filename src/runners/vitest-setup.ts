import { createSimulator, type SimulatorOptions } from "../simulator.ts";
import { type SharedAddress, sharedInThisProcess } from "./test-worlds.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Options of the simulator that all tests share, as far as they are plain values. */
    serviceSim?: SimulatorOptions;
    serviceSimAddress?: SharedAddress;
  }
}

/** The part of a vitest project that the setup uses. */
interface Project {
  provide(name: "serviceSimAddress", address: SharedAddress): void;
  getProvidedContext(): { serviceSim?: SimulatorOptions };
}

/** Time moves only when a test moves it, and the same tests get the same ids. */
const DEFAULTS: SimulatorOptions = { seed: "vitest", clock: "manual" };

/** Starts the simulator that all workers share, and stops it when they are done. */
const setup = async (project: Project): Promise<() => Promise<void>> => {
  const sim = await createSimulator({ ...DEFAULTS, ...project.getProvidedContext().serviceSim });
  const { url } = await sim.listen();
  const { clientId, clientSecret, controlToken } = sim;
  const address = { url, clientId, clientSecret, controlToken };
  project.provide("serviceSimAddress", address);
  sharedInThisProcess().add(address);
  return async () => {
    sharedInThisProcess().delete(address);
    await sim.close();
  };
};

export default setup;
