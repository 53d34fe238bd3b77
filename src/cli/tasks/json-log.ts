import { defined } from "../../contract/core/defined.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import type { InstanceFile } from "../frame/instance-file.ts";
import { logLine } from "../text/log-lines.ts";
import { safeJson } from "../text/safe-text.ts";

const write = (line: object) => {
  process.stdout.write(`${safeJson(line)}\n`);
};

/** The log of `start --log json`: one JSON object a line on stdout, without secrets. */
export const jsonLog = {
  /** Lines for calls, timers, webhooks and alarms. */
  watcher: ({
    isVerbose,
  }: {
    isVerbose: boolean;
  }): Pick<SimulatorOptions, "onActivity" | "onAlarm"> => ({
    onAlarm: (message) => write({ event: "alarm", message }),
    onActivity: (activity) => {
      const isHidden = activity.kind === "request" && activity.isControl && !isVerbose;
      if (!isHidden) write(logLine(activity));
    },
  }),

  ready: ({ apiUrl, controlUrl, url, pid, clientId, version }: InstanceFile, now: string) =>
    write({
      event: "ready",
      at: now,
      apiUrl,
      controlUrl,
      port: Number(new URL(url).port),
      pid,
      ...defined({ clientId, version }),
    }),

  stopped: () => write({ event: "stopped" }),
};
