import type { PendingTimers } from "../../../contract/control/timers.ts";
import { showDuration } from "../../../domain/core/durations.ts";
import { instantsAmong } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { type Column, tableOf } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";
import { cutRows } from "../advance.ts";

const COLUMNS: readonly Column[] = [
  { head: "DUE" },
  { head: "IN", leaves: 1 },
  { head: "TIMER" },
  { head: "SUBJECT" },
  { head: "THEN", as: "words" },
];

export const formatTimers = (
  { data, now, canceled = [] }: Pick<PendingTimers, "data" | "canceled"> & { now?: string },
  { id, color, screen }: Style,
): string[] => {
  const left = canceled.map(
    ({ timer, subject, leaves }) =>
      `${timer} canceled: ${leaves.replace(subject, () => id(subject))}`,
  );
  if (data.length === 0) return ["no pending timers", ...left];
  const at = instantsAmong([now, ...data.map(({ dueAt }) => dueAt)]);
  const rows = data.map((timer) => [
    at(timer.dueAt),
    showDuration(Math.max(0, timer.inMs)),
    timer.timer,
    id(timer.subject),
    timer.poisoned ?? [timer.then, timer.rule].filter(Boolean).join(", "),
  ]);
  const { head, rows: lines } = tableOf(COLUMNS, rows, screen);
  return [color.dim(head), ...cutRows(lines), ...left];
};

export const command = clientCommand<PendingTimers>({
  name: "list",
  summary: "show pending timers",
  examples: ["service-sim timers list", "service-sim timers list --json"],
  call: () => ["GET", "/timers"],
  lines: formatTimers,
});
