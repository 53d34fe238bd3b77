import { CommandError, EXIT, type Invocation } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";

/** Longest wait for a simulator that nobody named, real milliseconds. */
const TIMEOUT_MS = 2_000;

/**
 * Asks the world that a command means, for commands that also work without a simulator.
 * @returns undefined when none answers and none was named
 */
export const askedWorld = async <Body>(
  invocation: Invocation,
  path: string,
): Promise<Body | undefined> => {
  const { options, sources } = invocation;
  const isNamed = sources?.url === "cli" || options.world !== undefined;
  try {
    const { client } = findInstance(invocation, isNamed ? {} : { timeoutMs: TIMEOUT_MS });
    return await reach(client.get<Body>(path));
  } catch (error) {
    const isAbsent = error instanceof CommandError && error.exitCode === EXIT.notReachable;
    if (isNamed || !isAbsent) throw error;
    return undefined;
  }
};
