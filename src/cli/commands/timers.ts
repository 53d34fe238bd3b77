import type { PendingTimers } from "../../contract/control/timers.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { columns, shortInstant } from "../text/layout.ts";
import type { Style } from "../text/terminal.ts";
import { cutRows } from "./advance.ts";

export const formatTimers = (
  { data }: Pick<PendingTimers, "data">,
  { id, color }: Style,
): string[] => {
  if (data.length === 0) return ["no pending timers"];
  const first = data[0]?.dueAt ?? "";
  const rows = data.map((timer) => [
    shortInstant(timer.dueAt, first),
    showDuration(Math.max(0, timer.inMs)),
    timer.timer,
    id(timer.subject),
    timer.poisoned ?? [timer.then, timer.rule].filter(Boolean).join(", "),
  ]);
  const [head = "", ...lines] = columns([["DUE", "IN", "TIMER", "SUBJECT", "THEN"], ...rows]);
  return [color.dim(head), ...cutRows(lines)];
};

export const command: Command = {
  name: "timers",
  summary: "show pending timers",
  options: CLIENT_OPTIONS,
  examples: ["service-sim timers", "service-sim timers --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const timers = await reach(client.get<PendingTimers>("/timers"));
    terminal.document(timers);
    terminal.print(...formatTimers(timers, terminal.style));
    return EXIT.done;
  },
};
