import type { ShownClock } from "../../contract/control/clock.ts";
import { clockOf } from "../../contract/control/clock-modes.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { fullInstant } from "../../text/layout.ts";
import { clientCommand } from "../frame/client-command.ts";
import { usageError } from "../frame/command.ts";
import { driftOf } from "../text/drift.ts";
import type { Style } from "../text/terminal.ts";

export const formatClock = (clock: ShownClock, { id }: Style): string[] => {
  const { now, next } = clock;
  const line = `${fullInstant(now)}  ${driftOf(clock)}`;
  if (!next) return [line];
  const inMs = Date.parse(next.dueAt) - Date.parse(now);
  return [line, `next  ${next.timer} ${id(next.subject)} in ${showDuration(inMs)}`];
};

/** Words beside those of the option --clock. */
const MODES: Readonly<Record<string, string>> = { freeze: "manual", run: "real" };

const paceOf = (word: string) => {
  const pace = clockOf(MODES[word] ?? word);
  if (pace) return pace;
  throw usageError(
    `Expected freeze, run, auto or a speed like 60x but found "${word}"`,
    "service-sim clock freeze",
  );
};

export const command = clientCommand<ShownClock>({
  name: "clock",
  summary: "show the simulated time; freeze the clock, let it run at a speed, or skip waits",
  operands: "[freeze|run|auto|60x]",
  examples: [
    "service-sim clock",
    "service-sim clock freeze",
    "service-sim clock run",
    "service-sim clock 60x",
    "service-sim clock auto",
  ],
  call: ({ args: [word] }) =>
    word === undefined ? ["GET", "/clock"] : ["PUT", "/clock", paceOf(word)],
  value: ({ now }) => now,
  lines: formatClock,
});
