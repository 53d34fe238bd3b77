import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import type { StateDirectory } from "./state-directory.ts";

/** Opens a simulator on existing state, without naming its seed and start again. */
export const reopen = (
  { url: storage }: StateDirectory,
  options: SimulatorOptions = {},
): Promise<TestSimulator> => {
  const asKept = { seed: undefined, now: undefined } as unknown as SimulatorOptions;
  return startTestSimulator({ ...asKept, ...options, storage });
};
