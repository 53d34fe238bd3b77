import type { RequestRow } from "../contract/control/feed-rows.ts";
import { counted } from "../text/layout.ts";
import { timeOf } from "./clock-face.ts";
import { list, markSpan, shortIdsIn } from "./list.ts";

const isTimer = (id: string) => id.includes(" ");

/** Effects of a call: its error, or counts of webhooks, timers and records. */
const causedText = ({ error, fault, caused }: RequestRow) => {
  if (error) return `${fault === undefined ? "" : "fault: "}${error.reason ?? error.code}`;
  const webhooks = caused.filter((id) => id.startsWith("Webhook:")).length;
  const timers = caused.filter(isTimer).length;
  const actions = caused.filter((id) => id.startsWith("AgentAction:")).length;
  const records = caused.length - webhooks - timers - actions;
  const parts = [
    [actions, "action"],
    [webhooks, "webhook"],
    [timers, "timer"],
    [records, "record"],
  ] as const;
  return [
    ...(fault === undefined ? [] : ["fault"]),
    ...parts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun)),
  ].join(", ");
};

/** Calls of the platform. */
export const requests = list({
  name: "requests",
  order: "newest first",
  empty: "No request yet. service-sim status prints the address",
  columns: [
    { head: "", cell: ({ status }) => markSpan(status < 400 ? "done" : "failed") },
    { head: "status", gap: 1, min: 6, cell: ({ status }) => String(status) },
    { head: "id", cell: ({ id }) => id },
    {
      head: "request",
      cut: "middle",
      cell: ({ method, path }, context) => `${method.padEnd(5)} ${shortIdsIn(path, context)}`,
    },
    { head: "at", cell: ({ at }, context) => timeOf(at, context) },
    { head: "took", from: 96, align: "right", cell: ({ tookMs }) => `${tookMs} ms` },
    { head: "caused", from: 76, cut: "end", cell: causedText },
  ],
  fields: ({ id, status, method, path, operation, error, fault }) => ({
    id,
    status: status < 400 ? "done" : "failed",
    type: method,
    code: String(status),
    isOpen: false,
    words: () => [path, operation, error?.code, error?.reason, fault && "fault"],
  }),
  subject: ({ id }) => id,
  command: ({ id }) => `service-sim why ${id}`,
  explain: (row, context) => [shortIdsIn(row.path, context), causedText(row)].join("  "),
  reads: ({ id }) => `/requests/${encodeURIComponent(id)}`,
});
