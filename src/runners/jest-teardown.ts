import { keptForTeardown } from "./jest-shared.ts";

/** Stops the simulator that all workers shared. */
const teardown = async (): Promise<void> => keptForTeardown()?.close();

export default teardown;
