import { setTimeout as pause } from "node:timers/promises";
import { parseDuration, showDuration } from "../../domain/core/durations.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance } from "../frame/reach.ts";

const POLL_MS = 50;

export const command: Command = {
  name: "wait",
  summary: "wait until a simulator is ready",
  options: [
    ...CLIENT_OPTIONS,
    { flags: "--timeout <span>", summary: "wait at most this long", default: "30s" },
  ],
  examples: ["service-sim wait", "service-sim wait --url http://127.0.0.1:4747 --timeout 10s"],
  run: async (invocation, terminal) => {
    const text = String(invocation.options.timeout);
    const timeoutMs = parseDuration(text);
    if (timeoutMs === undefined)
      throw usageError(
        `--timeout: Expected a duration like 30s but found "${text}"`,
        "service-sim wait",
      );
    const deadlineMs = performance.now() + timeoutMs;
    while (performance.now() < deadlineMs) {
      const url = await readyUrl(invocation, Math.max(1, deadlineMs - performance.now()));
      if (url !== undefined) {
        terminal.document({ ready: true, url });
        terminal.print(`${terminal.style.mark("done")} ready at ${url}`);
        return EXIT.done;
      }
      await pause(POLL_MS);
    }
    throw new CommandError(
      { code: "NOT_RUNNING", exitCode: EXIT.notReachable },
      `no simulator was ready within ${showDuration(timeoutMs)}`,
      ["service-sim start"],
    );
  },
};

const readyUrl = async (invocation: Invocation, timeoutMs: number) => {
  try {
    const { client } = findInstance(invocation, { timeoutMs });
    const { status } = await client.get("/ready");
    return status === 200 ? client.url : undefined;
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === EXIT.usage) throw error;
    return undefined;
  }
};
