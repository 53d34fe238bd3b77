import type { TimerRow } from "../contract/control/feed-rows.ts";
import { countdown, timeOf } from "./clock-face.ts";
import { list, ruleWords, shortOf } from "./list.ts";
import { span } from "./span.ts";

const thenText = ({ then, rule, poisoned }: TimerRow) =>
  poisoned ?? (rule === undefined ? then : `${then}, ${ruleWords(rule)}`);

/** Pending timers. */
export const timers = list({
  name: "timers",
  order: "next first",
  empty: "No pending timers",
  columns: [
    { head: "", cell: () => span("@", "cyan") },
    { head: "due", gap: 1, min: 8, cell: ({ dueAt }, context) => timeOf(dueAt, context) },
    {
      head: "in",
      align: "right",
      min: 5,
      cell: ({ dueAt }, context) => countdown(dueAt, context),
    },
    { head: "timer", cell: ({ timer }) => timer },
    { head: "subject", cell: ({ subject }, context) => shortOf(subject, context) },
    { head: "then", from: 76, cut: "end", cell: thenText },
  ],
  fields: ({ id, timer, subject, then, rule }) => ({
    id: subject,
    status: then,
    type: timer,
    code: rule ?? "",
    isOpen: true,
    words: () => [id],
  }),
  subject: ({ subject }) => subject,
  command: ({ subject }) => `service-sim why ${subject}`,
  explain: thenText,
});
