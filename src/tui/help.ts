import type { ApprovalRow } from "../contract/control/feed-rows.ts";
import type { RowContext } from "../rows/column.ts";
import { SHARED_KEYS, type SharedAction } from "../rows/shared-keys.ts";
import { span } from "../rows/span.ts";
import { padTo, widthOf } from "../text/text-width.ts";
import { type Action, KEYS, keySign } from "./keys.ts";
import { fitLine, type Line, lineWidth, textLine } from "./line.ts";
import { quietRule, ruleLine } from "./rule.ts";
import type { Scene } from "./scene.ts";
import { targetOf } from "./target.ts";
import { focusedList } from "./view.ts";

const word = (...actions: SharedAction[]) =>
  actions.map((action) => SHARED_KEYS[action].word).join(", ");

/** Rows of the help: actions that belong together, with their keys in this order. */
export const HELP: readonly { does: readonly Action[]; says: string }[] = [
  { does: ["row-up", "row-down"], says: "row" },
  { does: ["first", "last", "half-up", "half-down"], says: "ends, half a page" },
  { does: ["pane-next", "pane-before"], says: "next pane" },
  { does: ["pane-1", "pane-2", "pane-3", "pane-4"], says: "panes" },
  { does: ["open", "back"], says: "open, back" },
  { does: ["why", "json"], says: "why, raw JSON" },
  {
    does: ["tab-before", "tab-next", "record-before", "record-after"],
    says: "next list, row",
  },
  { does: ["filter", "newest"], says: `${word("filter")}, newest` },
  { does: ["copy-id", "copy-command", "copy-link"], says: "copy id, cmd, link" },
  { does: ["make-payout"], says: word("make-payout") },
  { does: ["advance", "next-timer"], says: word("advance", "next-timer") },
  { does: ["clock", "step-back"], says: word("clock", "step-back") },
  { does: ["approve", "reject"], says: word("approve", "reject") },
  { does: ["endpoint"], says: word("endpoint") },
  { does: ["resend", "send-test"], says: word("resend", "send-test") },
  { does: ["fail-next", "take-back"], says: "add, remove fault" },
  { does: ["lines", "retry"], says: `text, ${word("retry")}` },
  { does: ["worlds", "help", "leave"], says: `${word("worlds", "help")}, quit` },
];

/** Keys of actions that are shown; shift-tab goes without saying. */
const UNSAID: ReadonlySet<Action> = new Set(["pane-before"]);

const signOf = (action: Action) => {
  const row = KEYS.find(
    ({ does, focus }) => does === action && (focus.includes("list") || focus.includes("detail")),
  );
  return keySign(row?.keys[0] ?? "").replace("ctrl-", "^");
};

const signsOf = (does: readonly Action[]) => {
  const signs = does.filter((action) => !UNSAID.has(action)).map(signOf);
  return [...new Set(signs)].join(" ");
};

const widest = (texts: readonly string[]) => Math.max(...texts.map(widthOf));

/** Every key with its action, in as many columns as fit. */
const keyRows = (width: number): string[] => {
  const signs = HELP.map(({ does }) => signsOf(does));
  const signWidth = widest(signs) + 2;
  const wordWidth = widest(HELP.map(({ says }) => says)) + 2;
  const perLine = Math.max(1, Math.floor((width + 2) / (signWidth + wordWidth)));
  const height = Math.ceil(HELP.length / perLine);
  const cell = (at: number) => {
    const row = HELP[at];
    return row ? padTo(signs[at] ?? "", signWidth) + padTo(row.says, wordWidth) : "";
  };
  return Array.from({ length: height }, (_, at) =>
    Array.from({ length: perLine }, (__, column) => cell(column * height + at))
      .join("")
      .trimEnd(),
  );
};

/** Lines below the keys, each with a shorter form for a narrow screen. */
const NOTES = [
  [
    "lowercase keys look, or move the clock; capitals change things, and ask first",
    "capitals change things, and ask first",
  ],
  [
    "filter  lyon  status:failed  type:OUTGOING  code:4xx  id:9f3c2e  is:open",
    "filter  lyon  status:failed  code:4xx  id:9f3c2e  is:open",
  ],
  [
    "marks   ✓ done  ~ waits for time  ! waits for you  ✗ failed  - ended",
    "marks   ✓ done  ~ waits  ! asks you  ✗ failed  - ended",
  ],
] as const;

const helpTexts = (width: number) => [
  ...keyRows(width),
  ...NOTES.map(([long, short]) => (widthOf(long) <= width ? long : short)),
];

/** The help, drawn from the table of keys. */
export const helpLines = ({ width, ellipsis }: RowContext): Line[] => [
  ruleLine("Keys, any key closes", width),
  ...helpTexts(width).map((text) => fitLine(textLine(text), width, ellipsis)),
];

/** The help below the panes of a tall terminal. */
export const quietHelp = ({ width, ellipsis }: RowContext): Line[] => [
  quietRule("Keys", "?", width),
  ...helpTexts(width).map((text) => fitLine(textLine(`  ${text}`, "dim"), width, ellipsis)),
];

/** True for a key that has something to act on here. */
const isOffered = (does: Action, { view, watched }: Scene) => {
  const list = view.detail?.list ?? focusedList(view);
  const row = targetOf({ view, watched })?.row;
  if (does === "approve" || does === "reject")
    return list === "approvals" && (row as ApprovalRow | undefined)?.status === "PENDING_APPROVAL";
  if (does === "resend")
    return list === "deliveries" && row !== undefined && watched.webhookEndpoint !== undefined;
  if (does === "endpoint") return list === "deliveries" || watched.webhookEndpoint === undefined;
  if (does === "fail-next") return list === "requests";
  if (does === "tab-next") return view.pane === "more";
  if (does === "back") return view.detail !== undefined;
  if (does === "open") return view.detail?.isWhy ?? row !== undefined;
  if (does === "why") return view.detail ? !view.detail.isWhy : row !== undefined;
  if (does === "copy-id") return view.detail !== undefined || row !== undefined;
  if (does === "make-payout") return watched.lists.payments.length === 0;
  return true;
};

const SEPARATOR = "  ";

/** The active keys in one line; the least important are dropped first. */
export const keyBar = (scene: Scene, { width }: RowContext): Line => {
  const focus = scene.view.detail ? "detail" : "list";
  const offered = KEYS.flatMap(({ keys, focus: there, does, bar }) =>
    bar && there.includes(focus) && isOffered(does, scene)
      ? [{ rank: bar.rank, key: keySign(keys[0] ?? ""), says: bar.says }]
      : [],
  );
  const lineOf = (rows: typeof offered): Line =>
    rows.flatMap(({ key, says }, at) => [
      span(at === 0 ? key : SEPARATOR + key, "bold"),
      span(` ${says}`, "dim"),
    ]);
  let shown = offered;
  while (shown.length > 1 && lineWidth(lineOf(shown)) > width) {
    const worst = Math.max(...shown.map(({ rank }) => rank));
    const at = shown.findLastIndex(({ rank }) => rank === worst);
    shown = shown.toSpliced(at, 1);
  }
  return fitLine(lineOf(shown), width);
};
