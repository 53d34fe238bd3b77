import { connect } from "../library/connect.ts";
import { createSimulator, NoAnswer, type SimulatorOptions } from "../simulator.ts";
import type { SharedAddress } from "./test-worlds.ts";

/** The simulator that all tests of a run share. */
export interface SharedStart {
  address: SharedAddress;
  /** False for one that was there before: it continues afterwards. */
  isOurs: boolean;
  close(): Promise<void>;
}

/**
 * Takes the simulator that `SERVICE_SIM_URL` names, as `exec` and `env` set it.
 * @throws NoAnswer when none is there
 */
const takeThere = async (url: string): Promise<SharedStart> => {
  const sim = await connect(url).catch((error) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new NoAnswer(
      `Expected a simulator at ${url}, which SERVICE_SIM_URL names, but found none: start it, or ` +
        "unset SERVICE_SIM_URL, and the tests start their own",
      { cause: error },
    );
  });
  await sim.close();
  return { address: { url }, isOurs: false, close: async () => {} };
};

/** Starts the simulator that all tests share, unless one is there. */
export const startShared = async (options: SimulatorOptions): Promise<SharedStart> => {
  const there = process.env.SERVICE_SIM_URL;
  if (there !== undefined && there !== "") return takeThere(there);
  const sim = await createSimulator(options);
  const { url } = await sim.listen();
  const { clientId, clientSecret, controlToken } = sim;
  return {
    address: { url, clientId, clientSecret, controlToken },
    isOurs: true,
    close: () => sim.close(),
  };
};
