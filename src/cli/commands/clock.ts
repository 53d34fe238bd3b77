import { showDuration } from "../../domain/durations.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../command.ts";
import { fullInstant } from "../layout.ts";
import { findInstance, reach } from "../reach.ts";
import type { Style } from "../terminal.ts";
import { driftOf } from "./status.ts";

/** Reply of GET /_sim/clock. */
export interface ClockReply {
  now: string;
  mode: string;
  aheadMs: number;
  next?: { dueAt: string; timer: string; subject: string };
}

export const formatClock = (clock: ClockReply, { id }: Style): string[] => {
  const { now, next } = clock;
  const line = `${fullInstant(now)}  ${driftOf(clock)}`;
  if (!next) return [line];
  const inMs = Date.parse(next.dueAt) - Date.parse(now);
  return [line, `next  ${next.timer} ${id(next.subject)} in ${showDuration(inMs)}`];
};

export const command: Command = {
  name: "clock",
  summary: "show what time it is in the world",
  options: CLIENT_OPTIONS,
  examples: ["service-sim clock", "service-sim clock --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const clock = await reach(client.get<ClockReply>("/clock"));
    terminal.document(clock);
    terminal.print(...formatClock(clock, terminal.style));
    return EXIT.done;
  },
};
