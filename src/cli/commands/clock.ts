import type { ShownClock } from "../../contract/control/clock.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { CLIENT_OPTIONS, type Command, EXIT, usageError } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { driftOf } from "../text/drift.ts";
import { fullInstant } from "../text/layout.ts";
import type { Style } from "../text/terminal.ts";

export const formatClock = (clock: ShownClock, { id }: Style): string[] => {
  const { now, next } = clock;
  const line = `${fullInstant(now)}  ${driftOf(clock)}`;
  if (!next) return [line];
  const inMs = Date.parse(next.dueAt) - Date.parse(now);
  return [line, `next  ${next.timer} ${id(next.subject)} in ${showDuration(inMs)}`];
};

const MODES: Readonly<Record<string, string>> = { freeze: "manual", run: "real" };

export const command: Command = {
  name: "clock",
  summary: "show the simulated time; freeze the clock or let it run",
  operands: "[freeze|run]",
  options: CLIENT_OPTIONS,
  examples: ["service-sim clock", "service-sim clock freeze", "service-sim clock run"],
  run: async (invocation, terminal) => {
    const [word] = invocation.args;
    const mode = word === undefined ? undefined : MODES[word];
    if (word !== undefined && mode === undefined)
      throw usageError(`Expected freeze or run but found "${word}"`, "service-sim clock freeze");
    const { client } = findInstance(invocation);
    const call = mode
      ? client.put<ShownClock>("/clock", { mode })
      : client.get<ShownClock>("/clock");
    const clock = await reach(call);
    terminal.document(clock);
    if (terminal.quiet && !terminal.json) terminal.answer(clock.now);
    terminal.print(...formatClock(clock, terminal.style));
    return EXIT.done;
  },
};
