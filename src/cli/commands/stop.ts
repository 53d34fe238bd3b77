import { setTimeout as pause } from "node:timers/promises";
import type { SimulatorStatus } from "../../contract/control/status.ts";
import { isLoopbackName } from "../../http/loopback.ts";
import { isRunning } from "../../runtime/storage/process-probe.ts";
import { CLIENT_OPTIONS, type Command, CommandError, EXIT } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

const waitUntilGone = async (pid: number) => {
  for (let waitedMs = 0; waitedMs < STOP_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (!isRunning(pid)) return true;
    await pause(POLL_MS);
  }
  return false;
};

export const command: Command = {
  name: "stop",
  summary: "stop the running simulator; its state stays",
  options: CLIENT_OPTIONS,
  examples: ["service-sim stop"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const { pid } = await reach(client.get<SimulatorStatus>("/status"));
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
