import type { SimulatorOptions } from "../simulator.ts";
import { keepForTeardown } from "./jest-shared.ts";
import { startShared } from "./shared-start.ts";
import { SHARED_VARIABLE } from "./shared-variable.ts";

/** Time moves only when a test moves it, and the same tests get the same ids. */
const DEFAULTS: SimulatorOptions = { seed: "jest", clock: "manual" };

/** The part of jest's global configuration that the setup uses. */
interface Config {
  globals?: { serviceSim?: SimulatorOptions };
}

/** Starts the simulator that all workers share, unless one is there. */
const setup = async (_globalConfig: unknown, project: Config = {}): Promise<void> => {
  const shared = await startShared({ ...DEFAULTS, ...project.globals?.serviceSim });
  keepForTeardown(shared);
  process.env[SHARED_VARIABLE] = JSON.stringify(shared.address);
};

export default setup;
