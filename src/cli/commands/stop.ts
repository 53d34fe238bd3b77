import { setTimeout as pause } from "node:timers/promises";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { defined } from "../../contract/core/defined.ts";
import { isLoopbackName } from "../../contract/core/loopback.ts";
import { isRunning } from "../../machine/process-probe.ts";
import { isStateDirectory } from "../../storage/file/state/state-folder.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
} from "../frame/command.ts";
import { findInstance, mayRunHere, reach } from "../frame/reach.ts";
import type { Terminal } from "../text/terminal.ts";

/** Time to end, beyond the time for which it still serves calls. */
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

const waitUntilGone = async (pid: number, timeoutMs: number) => {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
    if (!isRunning(pid)) return true;
    await pause(POLL_MS);
  }
  return false;
};

/** The running simulator; nothing when there is none, which a script that cleans up may rely on. */
const runningOne = async (invocation: Invocation, terminal: Terminal) => {
  try {
    const { client } = findInstance(invocation);
    const status = await reach(client.get<SimulatorStatus>("/status"));
    // The status may be told by another process of the store, which serves the default world.
    const { pid = status.pid } = await reach(client.get<{ pid?: number }>("/live"));
    return { client, ...status, pid };
  } catch (error) {
    const isAbsent = error instanceof CommandError && error.code === "NOT_RUNNING";
    if (!isAbsent || mayRunHere(invocation)) throw error;
    terminal.document({ stopped: false });
    terminal.print(`${terminal.style.mark("done")} nothing to stop: ${error.message}`);
    return undefined;
  }
};

/** Says what became of a state folder that went away while its simulator ran. */
const tellState = (
  { directory, lost, writable }: SimulatorStatus["storage"],
  terminal: Terminal,
) => {
  if (lost === undefined || directory === undefined) return EXIT.done;
  if (!isStateDirectory(directory))
    throw new CommandError(
      { code: "STATE_LOST", exitCode: EXIT.notDone },
      `the state was removed: ${lost}`,
      ["service-sim start    begins a new world"],
    );
  const sentence = writable ? lost : `${lost}; it was written there again when the simulator ended`;
  terminal.print(`${terminal.style.mark("waits")} ${sentence}`);
  return EXIT.done;
};

export const command: Command = {
  name: "stop",
  summary: "stop the running simulator; its state is kept",
  options: CLIENT_OPTIONS,
  examples: ["service-sim stop"],
  run: async (invocation, terminal) => {
    const running = await runningOne(invocation, terminal);
    if (!running) return EXIT.done;
    const { client, pid, drainMs = 0 } = running;
    const timeoutMs = drainMs + STOP_TIMEOUT_MS;
    if (!isLoopbackName(new URL(client.url).hostname))
      throw new CommandError(
        { code: "NOT_LOCAL", exitCode: EXIT.notDone },
        `${client.url} is not on this machine`,
        [`kill ${pid} on its own machine`],
      );
    process.kill(pid, "SIGTERM");
    if (!(await waitUntilGone(pid, timeoutMs)))
      throw new CommandError(
        { code: "STILL_RUNNING", exitCode: EXIT.notDone },
        `pid ${pid} is still running after ${timeoutMs / 1000}s`,
        [`kill -9 ${pid}    nothing acknowledged is lost`],
      );
    terminal.document({ stopped: true, pid, ...defined({ lost: running.storage.lost }) });
    terminal.print(`${terminal.style.mark("done")} stopped pid ${pid}`);
    return tellState(running.storage, terminal);
  },
};
