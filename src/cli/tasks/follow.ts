import type { ControlClient } from "../../control/client.ts";
import type { ReadEvent } from "../../control/feed/event-reader.ts";
import type { Activity } from "../../simulator.ts";
import { EXIT } from "../frame/command.ts";
import { reach } from "../frame/reach.ts";
import { formatActivity } from "../text/activity.ts";
import type { Terminal } from "../text/terminal.ts";

/** An attempt was made; a delivery that was born, or may be sent again, is told of too. */
const isAttempt = ({ state, sentAt, nextAttemptAt }: ReadEvent["data"]) =>
  sentAt !== undefined && (state !== "RETRYING" || nextAttemptAt !== undefined);

/** An event of the feed as `start` shows it; nothing for what is no line of its own. */
const activityOf = ({ event, data }: ReadEvent): Activity | undefined => {
  if (event === "request") return { ...data, kind: "request", atMs: Date.parse(data.at) };
  if (event === "timer" && data.op === "fired")
    return { ...data, kind: "timer", atMs: Date.parse(data.at) };
  if (event !== "delivery" || !isAttempt(data)) return undefined;
  const { status, state, sentAt, ...delivery } = data;
  return {
    ...delivery,
    kind: "webhook",
    atMs: Date.parse(sentAt),
    status: state,
    ...(status !== null && { httpStatus: status }),
  };
};

const START_OVER = "start-over";

/**
 * Prints what happens until the simulator stops: calls, with `isAll` webhooks and timers too.
 * @param options.watch is told of every event, those of rows too
 * @param options.signal ends it, by a refusal that the simulator cannot be reached
 * @returns the exit code
 */
export const followActivity = async (
  client: ControlClient,
  terminal: Terminal,
  {
    isAll,
    watch,
    signal,
  }: { isAll: boolean; watch?: (event: ReadEvent) => void; signal?: AbortSignal },
): Promise<number> => {
  const wanted = isAll ? ["request", "delivery", "timer"] : ["request"];
  const show = (event: ReadEvent) => {
    if (event.event === START_OVER) terminal.note(`some events are missing: ${event.data.why}`);
    if (event.event === "stopped")
      terminal.note(`the world stopped at ${event.data.by}: ${event.data.why}`);
    if (![...wanted, START_OVER, "reset", "stopped"].includes(event.event)) return;
    terminal.document({ event: event.event, ...event.data });
    const activity = wanted.includes(event.event) ? activityOf(event) : undefined;
    const line = activity && formatActivity(activity, terminal.style);
    if (line !== undefined) terminal.print(line);
  };
  for (let isCutOff = true; isCutOff; ) {
    isCutOff = false;
    const hear = (event: ReadEvent) => {
      watch?.(event);
      isCutOff = event.event === START_OVER;
      show(event);
    };
    const from = { ...(signal && { signal }) };
    const ended = client.follow(watch ? "/events?rows=true" : "/events", hear, from);
    await reach(ended.then((failure) => failure ?? { status: 200, body: {} }));
  }
  terminal.document({ event: "ended" });
  terminal.note("the simulator stopped");
  return EXIT.done;
};
