import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import type { StateDirectory } from "./state-directory.ts";

/** A simulator on state that exists: its seed and start are part of it and are not given again. */
export const reopen = (
  { url: storage }: StateDirectory,
  options: SimulatorOptions = {},
): Promise<TestSimulator> => {
  const asKept = { seed: undefined, now: undefined } as unknown as SimulatorOptions;
  return startTestSimulator({ ...asKept, ...options, storage });
};
