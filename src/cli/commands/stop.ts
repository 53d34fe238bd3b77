import { setTimeout as pause } from "node:timers/promises";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { isLoopbackName } from "../../contract/core/loopback.ts";
import { isRunning } from "../../runtime/storage/process-probe.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
} from "../frame/command.ts";
import { findInstance, mayRunHere, reach } from "../frame/reach.ts";
import type { Terminal } from "../text/terminal.ts";

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

const waitUntilGone = async (pid: number) => {
  for (let waitedMs = 0; waitedMs < STOP_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (!isRunning(pid)) return true;
    await pause(POLL_MS);
  }
  return false;
};

/** The running simulator; nothing when there is none, which a script that cleans up may rely on. */
const runningOne = async (invocation: Invocation, terminal: Terminal) => {
  try {
    const { client } = findInstance(invocation);
    return { client, ...(await reach(client.get<SimulatorStatus>("/status"))) };
  } catch (error) {
    const isAbsent = error instanceof CommandError && error.code === "NOT_RUNNING";
    if (!isAbsent || mayRunHere(invocation)) throw error;
    terminal.document({ stopped: false });
    terminal.print(`${terminal.style.mark("done")} nothing to stop: ${error.message}`);
    return undefined;
  }
};

export const command: Command = {
  name: "stop",
  summary: "stop the running simulator; its state stays",
  options: CLIENT_OPTIONS,
  examples: ["service-sim stop"],
  run: async (invocation, terminal) => {
    const running = await runningOne(invocation, terminal);
    if (!running) return EXIT.done;
    const { client, pid } = running;
    if (!isLoopbackName(new URL(client.url).hostname))
      throw new CommandError(
        { code: "NOT_LOCAL", exitCode: EXIT.notDone },
        `${client.url} is not on this machine`,
        [`kill ${pid} on its own machine`],
      );
    process.kill(pid, "SIGTERM");
    if (!(await waitUntilGone(pid)))
      throw new CommandError(
        { code: "STILL_RUNNING", exitCode: EXIT.notDone },
        `pid ${pid} is still running after ${STOP_TIMEOUT_MS / 1000}s`,
        [`kill -9 ${pid}    nothing acknowledged is lost`],
      );
    terminal.document({ stopped: true, pid });
    terminal.print(`${terminal.style.mark("done")} stopped pid ${pid}`);
    return EXIT.done;
  },
};
