import type { ControlClient } from "../../client/control-client.ts";
import type { ReadEvent } from "../../client/event-reader.ts";
import type { Activity } from "../../simulator.ts";
import { EXIT } from "../frame/command.ts";
import { reach } from "../frame/reach.ts";
import { activityLines } from "../text/activity.ts";
import type { Terminal } from "../text/terminal.ts";

/** Whether an event reports an attempt, rather than a new delivery or a planned redelivery. */
const isAttempt = ({ state, sentAt, nextAttemptAt }: ReadEvent["data"]) =>
  sentAt !== undefined && (state !== "RETRYING" || nextAttemptAt !== undefined);

/** Formats an event of the feed as `start` does; undefined for events without a line. */
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
 * Prints activity until the simulator stops: calls and, with `isAll`, webhooks and timers.
 * @param options.hasControl prints calls of the control surface too
 * @param options.watch receives every event, including changed rows
 * @param options.signal ends it with the refusal of an unreachable simulator
 * @returns the exit code
 */
export const followActivity = async (
  client: ControlClient,
  terminal: Terminal,
  {
    isAll,
    hasControl = false,
    watch,
    signal,
  }: {
    isAll: boolean;
    hasControl?: boolean;
    watch?: (event: ReadEvent) => void;
    signal?: AbortSignal;
  },
): Promise<number> => {
  const wanted = isAll ? ["request", "delivery", "timer"] : ["request"];
  const path = `/events${watch ? "?rows=true" : hasControl ? "?control=true" : ""}`;
  const lineOf = activityLines(terminal.style, { hasControl });
  const show = (event: ReadEvent) => {
    if (event.event === START_OVER) terminal.note(`some events were missed: ${event.data.why}`);
    if (event.event === "stopped")
      terminal.note(`the world stopped at ${event.data.by}: ${event.data.why}`);
    if (![...wanted, START_OVER, "reset", "stopped"].includes(event.event)) return;
    terminal.document({ event: event.event, ...event.data });
    const activity = wanted.includes(event.event) ? activityOf(event) : undefined;
    const line = activity && lineOf(activity);
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
    const ended = client.follow(path, hear, from);
    await reach(ended.then((failure) => failure ?? { status: 200, body: {} }));
  }
  terminal.document({ event: "ended" });
  terminal.note("the simulator stopped");
  return EXIT.done;
};
