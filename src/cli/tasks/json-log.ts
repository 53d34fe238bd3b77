import { defined } from "../../contract/core/defined.ts";
import type { Activity, SimulatorOptions } from "../../simulator.ts";
import { safeJson } from "../../text/safe-text.ts";
import type { InstanceFile } from "../frame/instance-file.ts";

const iso = (atMs: number) => new Date(atMs).toISOString();

type Of<Kind extends Activity["kind"]> = Extract<Activity, { kind: Kind }>;

const requestLine = ({ kind: event, id, atMs, ...rest }: Of<"request">) => ({
  event,
  id,
  at: iso(atMs),
  ...rest,
});

const timerLine = ({ atMs, timer, subject, from, to, rule }: Of<"timer">) => ({
  event: "timer",
  op: "fired",
  timer,
  subject,
  at: iso(atMs),
  ...defined({ from, to, rule }),
});

const deliveryLine = (webhook: Of<"webhook">) => {
  const { id, type, about, status: state, attempt, atMs, httpStatus, tookMs } = webhook;
  return {
    event: "delivery",
    id,
    type,
    ...defined({ about }),
    status: httpStatus ?? null,
    state,
    ...(attempt === 0 ? { collected: true } : { attempt, tookMs }),
    at: iso(atMs),
  };
};

const lineOf = (activity: Activity): Record<string, unknown> => {
  if (activity.kind === "request") return requestLine(activity);
  return activity.kind === "timer" ? timerLine(activity) : deliveryLine(activity);
};

/** The object of one line of `start --log json` (spec/errors.md#log-lines). */
export const logLine = ({ world, ...activity }: Activity): Record<string, unknown> => ({
  ...lineOf(activity),
  ...defined({ world }),
});

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
