import type { DeliveryRow } from "../contract/control/feed-rows.ts";
import type { MarkName } from "../text/marks.ts";
import { countdown, timeOf } from "./clock-face.ts";
import type { RowContext } from "./column.ts";
import { list, markSpan, shortOf, tailOf } from "./list.ts";

const STATE_MARKS: Readonly<Record<string, MarkName>> = {
  WAITING: "waits",
  HELD: "waits",
  RETRYING: "waits",
  ACCEPTED: "done",
  GIVEN_UP: "failed",
  UNDELIVERABLE: "over",
  DROPPED: "over",
  FORKED: "over",
};

const UNSENT: ReadonlySet<string> = new Set(["UNDELIVERABLE", "DROPPED", "FORKED"]);

/** A delivery's state in words: `retrying`, `not sent, no endpoint`. */
export const stateWords = (state: string) =>
  state === "UNDELIVERABLE"
    ? "not sent, no endpoint"
    : UNSENT.has(state)
      ? `not sent, ${state.toLowerCase()}`
      : state.toLowerCase().replaceAll("_", " ");

const resultOf = ({ state, status, attempt }: DeliveryRow) => {
  if (status !== null) return String(status);
  if (UNSENT.has(state)) return "not sent";
  if (state === "HELD") return "held";
  return attempt === 0 ? "waits" : "no answer";
};

/** Below this width the number of attempts stands alone. */
const ROOMY = 110;

/** Attempts so far and the next step: `attempt 8, next in 0:42`. */
const attemptsText = (row: DeliveryRow, context: RowContext) => {
  const { state, status, attempt, nextAttemptAt, reason, trouble } = row;
  if (state === "UNDELIVERABLE") return "no endpoint";
  const isRoomy = context.width >= ROOMY || (state === "ACCEPTED" && status !== 409);
  const parts = [
    ...(attempt > 0 ? [isRoomy ? `attempt ${attempt}` : `${attempt}`] : []),
    ...(nextAttemptAt === undefined
      ? []
      : [`next${isRoomy ? " in" : ""} ${countdown(nextAttemptAt, context)}`]),
    ...(state === "ACCEPTED" && status === 409 ? ["duplicate"] : []),
    ...(state === "GIVEN_UP" ? [reason ?? "given up"] : []),
    ...(trouble === undefined ? [] : [`${trouble} on purpose`]),
  ];
  return parts.join(", ");
};

/** Webhooks and the results of their attempts. */
export const deliveries = list({
  name: "deliveries",
  order: "newest first",
  empty: "No webhook yet. E sets where they go",
  columns: [
    { head: "", cell: ({ state }) => markSpan(STATE_MARKS[state] ?? "waits") },
    { head: "result", gap: 1, min: 8, cell: resultOf },
    { head: "webhook", cell: ({ id }, context) => tailOf(id, context) },
    { head: "type", cut: "end", cell: ({ type }) => type },
    {
      head: "about",
      from: 110,
      cut: "end",
      cell: ({ about = "" }, context) => shortOf(about, context),
    },
    {
      head: "sent",
      cell: ({ sentAt }, context) => (sentAt === undefined ? "" : timeOf(sentAt, context)),
    },
    {
      head: "took",
      from: 96,
      align: "right",
      cell: ({ tookMs }) => (tookMs === undefined ? "" : `${tookMs} ms`),
    },
    { head: "attempts", from: 70, cell: attemptsText },
  ],
  fields: ({ id, state, type, status, about, error }) => ({
    id,
    status: state,
    type,
    code: String(status ?? ""),
    isOpen: ["WAITING", "HELD", "RETRYING"].includes(state),
    words: () => [about, error],
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim webhooks show ${id}`,
  explain: (row, context) =>
    [
      row.about && `about ${shortOf(row.about, context)}`,
      attemptsText(row, { ...context, width: ROOMY }),
    ]
      .filter(Boolean)
      .join(", "),
  reads: ({ id }) => `/webhooks/${encodeURIComponent(id)}`,
});
