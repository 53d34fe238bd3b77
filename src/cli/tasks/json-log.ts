import type { SimulatorOptions } from "../../simulator.ts";
import { safeJson } from "../../text/safe-text.ts";
import type { InstanceFile } from "../frame/instance-file.ts";
import { logLine } from "../text/log-lines.ts";

/**
 * The log of `start --log json`: one JSON object a line on stdout, without secrets
 * (spec/errors.md#log-lines). The line of readiness comes first, so what happens before it waits.
 */
export class JsonLog {
  private waiting: object[] | undefined = [];

  /** Takes calls, timers, webhooks and alarms. */
  watcher({ isVerbose }: { isVerbose: boolean }): Pick<SimulatorOptions, "onActivity" | "onAlarm"> {
    return {
      onAlarm: (message) => this.tell({ event: "alarm", message }),
      onActivity: (activity) => {
        const isHidden = activity.kind === "request" && activity.isControl && !isVerbose;
        if (!isHidden) this.tell(logLine(activity));
      },
    };
  }

  /** Writes the line of readiness, unless `--json` has written its own, and all that waited. */
  ready(instance: InstanceFile, { now, isTold }: { now: string; isTold: boolean }) {
    const { apiUrl, controlUrl, url, pid, clientId, version } = instance;
    const port = Number(new URL(url).port);
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    const line = { event: "ready", at: now, apiUrl, controlUrl, port, pid, clientId, version };
    for (const one of isTold ? waiting : [line, ...waiting]) this.tell(one);
  }

  /** Writes the last line. */
  stopped({ isTold }: { isTold: boolean }) {
    if (!isTold) this.tell({ event: "stopped" });
  }

  private tell(line: object) {
    if (this.waiting) this.waiting.push(line);
    else process.stdout.write(`${safeJson(line)}\n`);
  }
}
