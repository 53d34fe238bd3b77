import { SHARED_KEYS, type SharedAction } from "../rows/shared-keys.ts";

/** Owner of the keys: a list, a row in full, the help, a typed line, a form, a question, the worlds. */
export type Focus = "list" | "detail" | "help" | "text" | "form" | "confirm" | "worlds";

/** Actions of keys. */
export const ACTIONS = [
  "row-up",
  "row-down",
  "first",
  "last",
  "half-up",
  "half-down",
  "pane-next",
  "pane-before",
  "pane-1",
  "pane-2",
  "pane-3",
  "pane-4",
  "tab-before",
  "tab-next",
  "open",
  "back",
  "why",
  "json",
  "advance",
  "next-timer",
  "clock",
  "step-back",
  "filter",
  "newest",
  "copy-id",
  "copy-command",
  "copy-link",
  "make-payout",
  "record-before",
  "record-after",
  "approve",
  "reject",
  "resend",
  "send-test",
  "endpoint",
  "fail-next",
  "take-back",
  "retry",
  "worlds",
  "fork",
  "remove",
  "help",
  "leave",
  "lines",
  "submit",
  "suggest",
  "earlier",
  "later",
  "field-next",
  "choice-before",
  "choice-next",
  "erase",
  "erase-all",
] as const;
export type Action = (typeof ACTIONS)[number];

interface KeyRow {
  keys: readonly string[];
  focus: readonly Focus[];
  does: Action;
  /** Text in the last line, if any; the lower the number, the longer it stays. */
  bar?: { says: string; rank: number };
}

const LOOKING: readonly Focus[] = ["list", "detail"];

/** A key that the console has too, under the same word. */
const shared = (does: SharedAction, focus: readonly Focus[], rank?: number): KeyRow => {
  const { keys, word } = SHARED_KEYS[does];
  return { keys, focus, does, ...(rank !== undefined && { bar: { says: word, rank } }) };
};

/** Every key. Small letters look, or move the clock; capitals change a record and ask first. */
export const KEYS: readonly KeyRow[] = [
  shared("make-payout", LOOKING, 2),
  shared("advance", LOOKING, 3),
  shared("next-timer", LOOKING, 7),
  shared("approve", LOOKING, 2),
  shared("reject", LOOKING, 2),
  shared("resend", LOOKING, 2),
  shared("send-test", LOOKING),
  shared("endpoint", LOOKING, 6),
  shared("fail-next", LOOKING, 6),
  { keys: ["U"], focus: LOOKING, does: "take-back" },
  {
    keys: ["enter", "l", "right"],
    focus: ["list"],
    does: "open",
    bar: { says: "open", rank: 4 },
  },
  { keys: ["enter"], focus: ["detail"], does: "open", bar: { says: "record", rank: 4 } },
  shared("back", LOOKING, 1),
  { keys: ["h", "left"], focus: LOOKING, does: "back" },
  { keys: ["up", "k"], focus: LOOKING, does: "row-up" },
  { keys: ["down", "j"], focus: LOOKING, does: "row-down" },
  { keys: ["g", "home"], focus: LOOKING, does: "first" },
  { keys: ["G", "end"], focus: LOOKING, does: "last" },
  { keys: ["ctrl-u", "page-up"], focus: LOOKING, does: "half-up" },
  { keys: ["ctrl-d", "page-down"], focus: LOOKING, does: "half-down" },
  shared("filter", ["list"], 8),
  { keys: ["f"], focus: ["list"], does: "newest" },
  shared("copy-id", LOOKING, 9),
  shared("copy-command", LOOKING),
  shared("copy-link", LOOKING),
  { keys: ["w"], focus: LOOKING, does: "why", bar: { says: "why", rank: 5 } },
  { keys: ["J"], focus: LOOKING, does: "json" },
  { keys: ["tab"], focus: ["list"], does: "pane-next", bar: { says: "pane", rank: 6 } },
  { keys: ["shift-tab"], focus: ["list"], does: "pane-before" },
  shared("pane-1", ["list"]),
  shared("pane-2", ["list"]),
  shared("pane-3", ["list"]),
  shared("pane-4", ["list"]),
  { keys: ["["], focus: ["list"], does: "tab-before" },
  { keys: ["]"], focus: ["list"], does: "tab-next", bar: { says: "tab", rank: 4 } },
  shared("record-before", ["detail"]),
  shared("record-after", ["detail"], 8),
  shared("clock", LOOKING),
  shared("step-back", LOOKING),
  shared("retry", LOOKING),
  shared("worlds", LOOKING, 10),
  shared("help", LOOKING, 1),
  { keys: ["s"], focus: LOOKING, does: "lines" },
  { keys: ["q"], focus: LOOKING, does: "leave", bar: { says: "quit", rank: 1 } },
  {
    keys: ["ctrl-c"],
    focus: ["list", "detail", "help", "text", "form", "confirm", "worlds"],
    does: "leave",
  },
  { keys: ["enter"], focus: ["text", "form", "confirm", "worlds"], does: "submit" },
  { keys: ["escape"], focus: ["text", "form", "confirm", "worlds"], does: "back" },
  { keys: ["up", "k"], focus: ["worlds"], does: "row-up" },
  { keys: ["down", "j"], focus: ["worlds"], does: "row-down" },
  { keys: ["F"], focus: ["worlds"], does: "fork" },
  { keys: ["X"], focus: ["worlds"], does: "remove" },
  { keys: ["X"], focus: ["confirm"], does: "reject" },
  { keys: ["tab"], focus: ["text"], does: "suggest" },
  { keys: ["up"], focus: ["text"], does: "earlier" },
  { keys: ["down"], focus: ["text"], does: "later" },
  { keys: ["tab", "shift-tab"], focus: ["form"], does: "field-next" },
  { keys: ["up"], focus: ["form"], does: "choice-before" },
  { keys: ["down"], focus: ["form"], does: "choice-next" },
  { keys: ["backspace"], focus: ["text", "form"], does: "erase" },
  { keys: ["ctrl-u"], focus: ["text", "form"], does: "erase-all" },
];

const BY_FOCUS = new Map<string, Action>(
  KEYS.flatMap(({ keys, focus, does }) =>
    focus.flatMap((one) => keys.map((key) => [`${one} ${key}`, does] as const)),
  ),
);

/** Action of a key in its context; undefined for a key without one. */
export const actionOf = (focus: Focus, key: string): Action | undefined =>
  BY_FOCUS.get(`${focus} ${key}`);

/** The sign of a key in a line of help. */
export const keySign = (key: string) =>
  ({
    up: "↑",
    down: "↓",
    left: "←",
    right: "→",
    escape: "esc",
    "page-up": "pgup",
    "page-down": "pgdn",
  })[key] ?? key;
