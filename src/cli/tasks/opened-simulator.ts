import type { Guessable } from "../../crypto/seeded-credentials.ts";
import { createSimulator, type LocalSimulator, type SimulatorOptions } from "../../simulator.ts";
import { VERSION } from "../../version.ts";
import type { Invocation } from "../frame/command.ts";
import type { InstanceFile } from "../frame/instance-file.ts";
import { startFailure } from "../frame/simulator-options.ts";
import { portFailure, type Where } from "../frame/wanted-port.ts";

/** Opens the simulator of a start, and explains why it cannot be. */
export const openSimulator = async (options: SimulatorOptions, invocation: Invocation) => {
  try {
    return await createSimulator(options);
  } catch (error) {
    throw startFailure(error, invocation);
  }
};

/**
 * Fires every timer that became due while the simulator was stopped; `/_sim/live` answers
 * meanwhile.
 */
export const becomeReady = async (sim: LocalSimulator, invocation: Invocation) => {
  try {
    await sim.ready();
  } catch (error) {
    throw startFailure(error, invocation);
  }
};

/** A simulator that listens, as commands find it, and its credentials that can be guessed. */
export interface Listening {
  instance: InstanceFile;
  guessable: readonly Guessable[];
}

/** Takes the port of a start; a simulator that gets none is closed. */
export const takePort = async (sim: LocalSimulator, where: Where): Promise<Listening> => {
  try {
    const { url, guessable } = await sim.listen(where);
    const { apiUrl, controlUrl, controlToken, clientId, clientSecret, webhookPublicKey } = sim;
    const instance = {
      pid: process.pid,
      url,
      apiUrl,
      controlUrl,
      controlToken,
      clientId,
      clientSecret,
      webhookPublicKey,
      version: VERSION,
    };
    return { instance, guessable };
  } catch (error) {
    await sim.close();
    throw await portFailure(error as NodeJS.ErrnoException, where);
  }
};
