import type { Activity } from "../../simulator.ts";
import type { Style } from "./terminal.ts";

const PATH_WIDTH = 44;

const cutMiddle = (path: string) =>
  path.length <= PATH_WIDTH
    ? path
    : `${path.slice(0, PATH_WIDTH / 2 - 1)}…${path.slice(-PATH_WIDTH / 2)}`;

const time = (atMs: number) => new Date(atMs).toISOString().slice(11, 19);

const line = (cells: readonly [string, string, string, string, string]) => {
  const [at, sign, what, result, id] = cells;
  return `${at} ${sign} ${what.padEnd(PATH_WIDTH + 6)} ${result.padEnd(20)} ${id}`.trimEnd();
};

const requestLine = (request: Extract<Activity, { kind: "request" }>, { mark }: Style) => {
  const { error, status } = request;
  const why = error === undefined ? "" : ` ${error.reason ?? error.code}`;
  return line([
    time(request.atMs),
    "<",
    `${request.method} ${cutMiddle(request.path)}`,
    `${mark(status < 400 ? "done" : "failed")} ${status}${why}  ${request.tookMs} ms`,
    request.id,
  ]);
};

const webhookLine = (webhook: Extract<Activity, { kind: "webhook" }>, { mark, id }: Style) =>
  line([
    time(webhook.atMs),
    ">",
    webhook.type,
    `${mark(webhook.status === "ACCEPTED" ? "done" : "failed")} ${webhook.httpStatus ?? "no answer"}  ${webhook.tookMs} ms`,
    id(webhook.id),
  ]);

const timerLine = (timer: Extract<Activity, { kind: "timer" }>, { color, id }: Style) =>
  line([
    time(timer.atMs),
    "@",
    color.cyan(timer.timer),
    timer.to ?? "nothing to do",
    id(timer.subject),
  ]);

/** Formats activity: `<` a call, `>` a webhook, `@` a timer. Webhook retries show as attempts. */
export const formatActivity = (activity: Activity, style: Style): string | undefined => {
  if (activity.kind === "request") return requestLine(activity, style);
  if (activity.kind === "webhook") return webhookLine(activity, style);
  return activity.timer === "webhook.retry" ? undefined : timerLine(activity, style);
};
