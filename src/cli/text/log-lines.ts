import { defined } from "../../contract/core/defined.ts";
import type { Activity } from "../../simulator.ts";

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
