import { money } from "../cli/text/layout.ts";
import { safeText } from "../cli/text/safe-text.ts";
import type { ApprovalRow } from "../contract/control/feed-rows.ts";
import { previewOf, SUGGESTIONS } from "./advance-text.ts";
import { fitLine, type Line, span, textLine } from "./line.ts";
import { payeeName, waitsBecause } from "./lists/approvals.ts";
import { shortOf } from "./lists/list.ts";
import { ruleLine } from "./rule.ts";
import type { RowContext } from "./table.ts";
import type { Sheet, View } from "./view.ts";
import type { Watched } from "./world.ts";

const VERBS: Readonly<Record<string, string>> = {
  TRANSFER_OUT: "sends",
  TRANSFER_IN: "takes",
  EXECUTE_QUOTE: "pays",
};

/** An action, its effect on the balance, and the reason it waits. */
const actionLines = (row: ApprovalRow, context: RowContext): string[] => {
  const { amount, currency, from } = row;
  const verb = VERBS[row.type] ?? "moves";
  const side = row.type === "TRANSFER_IN" ? "from" : "to";
  const what = `${row.agentName} ${verb} ${money(amount, currency)} ${side} ${payeeName(row, context)}, ${shortOf(row.to.id, context)}`;
  const leaves =
    from && from.currency === currency && row.type !== "TRANSFER_IN"
      ? [
          `from ${shortOf(from.id, context)}, ${money(from.amount, currency)} → ${money(from.amount - amount, currency)}`,
        ]
      : [];
  const because = waitsBecause(row).replace(
    /^above threshold/,
    "it is above the approval threshold of",
  );
  return [what, ...leaves, `It waits because ${because}`];
};

const gone = "it is no longer there";

const approvalIn = (watched: Watched, id: string) =>
  watched.lists.approvals.find((row) => row.id === id);

const confirmLines = (
  { does, id }: Extract<Sheet, { kind: "confirm" }>,
  watched: Watched,
  context: RowContext,
): { title: string; lines: string[]; keys: string } => {
  if (does === "stop")
    return {
      title: "Leave and stop the simulator?",
      lines: ["It runs in this process. State in memory is lost; state in files stays"],
      keys: "enter stop    esc keep watching",
    };
  if (does === "approve") {
    const row = approvalIn(watched, id);
    return {
      title: "Approve this?",
      lines: row ? actionLines(row, context) : [gone],
      keys: "enter approve    X reject instead    esc leave it waiting",
    };
  }
  const endpoint = watched.webhookEndpoint ?? "no endpoint";
  if (does === "send-test")
    return {
      title: "Send a TEST webhook?",
      lines: [`correctly signed, sent once without retries, to ${endpoint}`],
      keys: "enter send    esc cancel",
    };
  const row = watched.lists.deliveries.find((one) => one.id === id);
  const about = row?.about === undefined ? "" : `, about ${shortOf(row.about, context)}`;
  return {
    title: "Redeliver this webhook?",
    lines: [
      row ? `${row.type}${about}` : gone,
      `the same bytes and id, at once and without retries, to ${endpoint}`,
    ],
    keys: "enter send    esc cancel",
  };
};

/** The lines of the focused sheet, its keys last; empty without one. */
export const sheetLines = (watched: Watched, view: View, context: RowContext): Line[] => {
  const { sheet } = view;
  if (!sheet) return [];
  const { width, nowMs, ellipsis } = context;
  const lines = (title: string, texts: readonly string[], keys: string) => [
    ruleLine(title, width),
    ...texts.map((text) => fitLine(textLine(safeText(text)), width, ellipsis)),
    fitLine(textLine(keys, "dim"), width, ellipsis),
  ];
  if (sheet.kind === "filter")
    return [
      fitLine(
        [
          span("/", "bold"),
          span(`${safeText(sheet.text)}_`),
          span("    enter keep    esc undo    status: type: code: id: is:open", "dim"),
        ],
        width,
        ellipsis,
      ),
    ];
  if (sheet.kind === "advance")
    return lines(
      "Advance the clock",
      [
        `by ${sheet.text}_    tab  ${SUGGESTIONS.join(" · ")}    or <instant>, <id>=<STATUS>`,
        previewOf(sheet.text, watched, nowMs),
      ],
      "enter advance  tab next suggestion  ↑ earlier ones  esc cancel",
    );
  if (sheet.kind === "reason") {
    const row = approvalIn(watched, sheet.id);
    const what = row ? actionLines(row, context) : [gone];
    return lines(
      "Reject this?",
      [...what, `reason ${sheet.text}_`],
      "enter reject    esc leave it waiting",
    );
  }
  const { title, lines: texts, keys } = confirmLines(sheet, watched, context);
  return lines(title, texts, keys);
};
