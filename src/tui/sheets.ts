import type { ApprovalRow } from "../contract/control/feed-rows.ts";
import { goalOf, SUGGESTIONS } from "../rows/advance-goal.ts";
import { payeeName, waitsBecause } from "../rows/approvals.ts";
import { armedIn } from "../rows/armed-faults.ts";
import type { RowContext } from "../rows/column.ts";
import { PAYOUT_CALLS } from "../rows/first-payout.ts";
import { shortOf } from "../rows/list.ts";
import { SHARED_KEYS } from "../rows/shared-keys.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { money } from "../text/layout.ts";
import { safeLine } from "../text/safe-text.ts";
import { cutStart, widthOf } from "../text/text-width.ts";
import { previewOf } from "./advance-text.ts";
import { armedPreview, choicesOf } from "./answering.ts";
import { faultWords } from "./armed-faults.ts";
import { isCall } from "./fault-form.ts";
import { foldedTo } from "./fold.ts";
import { fitLine, type Line, textLine } from "./line.ts";
import { listWord } from "./pane-title.ts";
import { ruleLine } from "./rule.ts";
import type { Scene } from "./scene.ts";
import { focusedList, type Sheet } from "./view.ts";
import { worldsQuestion } from "./worlds-sheet.ts";

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

/** Faults that a question names. */
const MAX_FAULTS = 3;

const approvalIn = (watched: WatchedWorld, id: string) =>
  watched.lists.approvals.find((row) => row.id === id);

const confirmLines = (
  { does, id }: Extract<Sheet, { kind: "confirm" }>,
  watched: WatchedWorld,
  context: RowContext,
): { title: string; lines: string[]; keys: string } => {
  if (does === "stop")
    return {
      title: "Leave and stop the simulator?",
      lines: ["It runs in this process. State in memory is lost; state in files stays"],
      keys: "enter stop    esc cancel",
    };
  if (does === "make-payout")
    return {
      title: "Make a payout?",
      lines: [
        "250.00 USD of a new customer, Ada Byron, to Lucie Moreau; it takes six minutes",
        `${PAYOUT_CALLS.length} calls, as your server would make them: POST /customers to execute`,
      ],
      keys: `enter ${SHARED_KEYS["make-payout"].word}    esc cancel`,
    };
  if (does === "approve") {
    const row = approvalIn(watched, id);
    return {
      title: "Approve this?",
      lines: row ? actionLines(row, context) : [gone],
      keys: `enter ${SHARED_KEYS.approve.word}    X ${SHARED_KEYS.reject.word} instead    esc cancel`,
    };
  }
  if (does === "remove-world")
    return {
      title: `Remove the world ${id}?`,
      lines: ["Everything in it is deleted, and no command brings it back"],
      keys: "enter remove    esc cancel",
    };
  if (does === "take-back") {
    const armed = armedIn(watched, context.nowMs);
    const more = armed.length - MAX_FAULTS;
    return {
      title: armed.length === 1 ? "Remove this fault?" : `Remove ${armed.length} faults?`,
      lines: [
        ...armed.slice(0, MAX_FAULTS).map(faultWords),
        ...(more > 0 ? [`and ${more} more`] : []),
        ...(armed.length === 0 ? [gone] : []),
      ],
      keys: "enter remove    esc cancel",
    };
  }
  const endpoint = watched.webhookEndpoint ?? "no endpoint";
  if (does === "send-test")
    return {
      title: "Send a TEST webhook?",
      lines: [`correctly signed, sent once without retries, to ${endpoint}`],
      keys: `enter ${SHARED_KEYS["send-test"].word}    esc cancel`,
    };
  const row = watched.lists.deliveries.find((one) => one.id === id);
  const about = row?.about === undefined ? "" : `, about ${shortOf(row.about, context)}`;
  return {
    title: "Resend this webhook?",
    lines: [
      row ? `${row.type}${about}` : gone,
      `same id and body, sent once without retries, to ${endpoint}`,
    ],
    keys: `enter ${SHARED_KEYS.resend.word}    esc cancel`,
  };
};

/** A question, what is known about its answer, and the keys. */
interface Question {
  title: string;
  lines: readonly Line[];
  keys: string;
}

/** The line below a typed text: why it was refused, what it means, or a hint. */
const belowLine = (failure: string | undefined, meaning: string | undefined, hint: string): Line =>
  failure === undefined
    ? textLine(safeLine(meaning ?? hint), meaning === undefined ? "dim" : undefined)
    : textLine(`✗ ${safeLine(failure)}`, "red");

/** Typed text with its end; a prefilled text stands in brackets until it is changed. */
const typedText = (text: string, isFresh = false) =>
  isFresh ? `[${safeLine(text)}]` : `${safeLine(text)}_`;

/** Cells that a hint behind a typed text needs to be of use. */
const LEAST_HINT = 12;

/** A label, the text typed behind it, of which the end is always in sight, and a hint. */
const typedSpans = (
  label: string,
  { text, isFresh = false, hint = "" }: { text: string; isFresh?: boolean; hint?: string },
  { width, ellipsis }: RowContext,
) => {
  const typed = typedText(text, isFresh);
  const room = width - widthOf(label);
  const hasRoom = room - widthOf(typed) >= LEAST_HINT;
  return [
    span(label),
    span(isFresh ? typed : cutStart(typed, room, ellipsis), "bold"),
    ...(hasRoom && hint !== "" ? [span(`    ${hint}`, "dim")] : []),
  ];
};

const ADVANCE_HINT = `tab  ${SUGGESTIONS.join(" · ")}    or <instant>, <id>=<STATUS>`;

const advanceQuestion = (
  sheet: Extract<Sheet, { kind: "advance" }>,
  watched: WatchedWorld,
  context: RowContext,
): Question => {
  const preview = previewOf(sheet.text, watched, context.nowMs);
  const meaning = goalOf(sheet.text) && preview;
  return {
    title: "Advance the clock: how far?",
    lines: [
      typedSpans("by ", { text: sheet.text, hint: ADVANCE_HINT }, context),
      belowLine(sheet.failure, meaning, preview),
    ],
    keys: `enter ${SHARED_KEYS.advance.word}  tab suggestion  ↑ earlier ones  esc cancel`,
  };
};

const endpointHint = ({ text, before, isFresh }: Extract<Sheet, { kind: "endpoint" }>) => {
  if (isFresh) return "type to replace it, backspace to edit it; an empty line clears it";
  if (text !== "") return "a TEST event follows at once";
  return before === ""
    ? "your receiver, like http://127.0.0.1:3000/webhooks"
    : "enter clears the endpoint: webhooks are then stored, not sent";
};

const endpointQuestion = (
  sheet: Extract<Sheet, { kind: "endpoint" }>,
  context: RowContext,
): Question => ({
  title: "Where should webhooks go?",
  lines: [
    typedSpans("url ", sheet, context),
    belowLine(sheet.failure, sheet.isSent ? "setting …" : undefined, endpointHint(sheet)),
  ],
  keys: `enter ${SHARED_KEYS.endpoint.word}    ctrl-u empty the line    esc cancel`,
});

const CALL_HINT = "any, an operation like createQuote, or POST /quotes; ↓ takes one";
const HOW_HINT = "a status, an error code, lost, closed, or a wait like 5s; also 5s 503";

const FIELD_LABELS = { call: "call ", how: "how  " } as const;

/** Cells of the mark before the field that is typed. */
const MARK_WIDTH = 2;

/** Choices that a line names. */
const MAX_CHOICES = 4;

const choicesText = (choices: readonly string[], chosen: string) => {
  const at = Math.max(0, choices.indexOf(chosen));
  const shown = [...choices.slice(at), ...choices.slice(0, at)].slice(0, MAX_CHOICES);
  return shown.length === 0 ? "an operation, or POST /path" : `↑↓ ${shown.join(" · ")}`;
};

const faultQuestion = (
  sheet: Extract<Sheet, { kind: "fault" }>,
  scene: Scene,
  context: RowContext,
): Question => {
  const fieldLine = (field: "call" | "how"): Line => {
    const isTyped = field === sheet.field;
    const text = sheet[field];
    if (!isTyped) return [span(`  ${FIELD_LABELS[field]}`), span(safeLine(text))];
    const typed = {
      text,
      isFresh: sheet.isFresh,
      hint: choicesText(choicesOf(sheet, scene), text),
    };
    const rest = { ...context, width: context.width - MARK_WIDTH };
    return [span("▸ ", "cyan"), ...typedSpans(FIELD_LABELS[field], typed, rest)];
  };
  const hint = isCall(sheet.call) ? HOW_HINT : CALL_HINT;
  return {
    title: "Which call should fail next, and how?",
    lines: [
      fieldLine("call"),
      fieldLine("how"),
      belowLine(sheet.failure, sheet.isSent ? "adding …" : armedPreview(sheet), hint),
    ],
    keys: `enter ${SHARED_KEYS["fail-next"].word}  tab other field  ↑↓ choose  esc cancel`,
  };
};

const FILTER_HINT = "any words, or status: type: code: id: is:open";

const filterQuestion = (
  sheet: Extract<Sheet, { kind: "filter" }>,
  scene: Scene,
  context: RowContext,
): Question => ({
  title: `Filter ${listWord(focusedList(scene.view))}: which rows?`,
  lines: [typedSpans("/", { text: sheet.text, hint: FILTER_HINT }, context)],
  keys: "enter keep    esc undo",
});

const rejectQuestion = (
  { id, text }: Extract<Sheet, { kind: "reason" }>,
  watched: WatchedWorld,
  context: RowContext,
): Question => {
  const row = approvalIn(watched, id);
  const what = row ? actionLines(row, context) : [gone];
  return {
    title: "Reject this?",
    lines: [
      ...what.map((line) => textLine(safeLine(line))),
      typedSpans("reason ", { text, hint: "optional; the agent sees it" }, context),
    ],
    keys: `enter ${SHARED_KEYS.reject.word}    esc cancel`,
  };
};

const stepBackQuestion = ({ undone }: Extract<Sheet, { kind: "step-back" }>): Question => ({
  title: "Rewind?",
  lines: undone
    ? undone.lines.map((line) => textLine(safeLine(line)))
    : [textLine("reading what would be undone …", "dim")],
  keys: undone ? `enter ${SHARED_KEYS["step-back"].word}    esc cancel` : "esc cancel",
});

const forkQuestion = (sheet: Extract<Sheet, { kind: "fork" }>, context: RowContext): Question => ({
  title: `Fork ${safeLine(sheet.from)}: what name?`,
  lines: [
    typedSpans("name ", { text: sheet.text, hint: "lowercase, digits, . _ -" }, context),
    belowLine(
      sheet.failure,
      sheet.isSent ? "creating …" : undefined,
      "a copy of that world as it is now; leave it empty for the next free name",
    ),
  ],
  keys: "enter fork    esc cancel",
});

const questionOf = (sheet: Sheet, scene: Scene, context: RowContext): Question => {
  const { watched } = scene;
  if (sheet.kind === "filter") return filterQuestion(sheet, scene, context);
  if (sheet.kind === "advance") return advanceQuestion(sheet, watched, context);
  if (sheet.kind === "endpoint") return endpointQuestion(sheet, context);
  if (sheet.kind === "fault") return faultQuestion(sheet, scene, context);
  if (sheet.kind === "reason") return rejectQuestion(sheet, watched, context);
  if (sheet.kind === "step-back") return stepBackQuestion(sheet);
  if (sheet.kind === "worlds") return worldsQuestion(sheet, scene, context);
  if (sheet.kind === "fork") return forkQuestion(sheet, context);
  const { title, lines, keys } = confirmLines(sheet, watched, context);
  return { title, lines: lines.map((text) => textLine(safeLine(text))), keys };
};

/** Lines that a refusal, a hint or a fact may take; a line that is typed is cut to one. */
const MAX_FOLDED = 2;

/** The lines of the focused sheet, its keys last; empty without one. */
export const sheetLines = (scene: Scene, context: RowContext): Line[] => {
  const { sheet } = scene.view;
  if (!sheet) return [];
  const { width, ellipsis } = context;
  const { title, lines, keys } = questionOf(sheet, scene, context);
  const body = lines.flatMap((line) =>
    line.length === 1 ? foldedTo(line, MAX_FOLDED, context) : [line],
  );
  return [
    ruleLine(title, width),
    ...[...body, textLine(keys, "dim")].map((line) => fitLine(line, width, ellipsis)),
  ];
};
