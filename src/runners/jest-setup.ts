import { createSimulator, type SimulatorOptions } from "../simulator.ts";
import { keepForTeardown } from "./jest-shared.ts";
import { SHARED_VARIABLE } from "./shared-variable.ts";

/** Time moves only when a test moves it, and the same tests get the same ids. */
const DEFAULTS: SimulatorOptions = { seed: "jest", clock: "manual" };

/** The part of jest's global configuration that the setup uses. */
interface Config {
  globals?: { serviceSim?: SimulatorOptions };
}

/** Starts the simulator that all workers share. */
const setup = async (_globalConfig: unknown, project: Config = {}): Promise<void> => {
  const sim = await createSimulator({ ...DEFAULTS, ...project.globals?.serviceSim });
  const { url } = await sim.listen();
  const { clientId, clientSecret, controlToken } = sim;
  keepForTeardown(sim);
  process.env[SHARED_VARIABLE] = JSON.stringify({ url, clientId, clientSecret, controlToken });
};

export default setup;
