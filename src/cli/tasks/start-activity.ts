import type { SimulatorOptions } from "../../simulator.ts";
import { activityLines } from "../text/activity.ts";
import type { Terminal } from "../text/terminal.ts";
import type { JsonLog } from "./json-log.ts";

/** Callbacks that tell what a simulator does. */
export type Watcher = Pick<SimulatorOptions, "onActivity" | "onAlarm">;

/** The way in which a start tells what its simulator does. */
export interface LogOptions {
  /** The log for programs, in place of lines for people. */
  log: JsonLog | undefined;
  /** Tells of control calls too. */
  isVerbose: boolean;
  /** The instant above the first line. */
  since: () => string | undefined;
}

/** Prints one line per request and webhook in the foreground. */
export const watcherOf = (terminal: Terminal, { log, isVerbose, since }: LogOptions): Watcher => {
  if (log) return log.watcher({ isVerbose });
  const lineOf = activityLines(terminal.style, { hasControl: isVerbose, since });
  return {
    onAlarm: (message) => terminal.activity(`error  ${message}`),
    ...((isVerbose || (process.stderr.isTTY && !terminal.quiet)) && {
      onActivity: (activity) => {
        const line = lineOf(activity);
        if (line !== undefined) terminal.activity(line);
      },
    }),
  };
};
