/** Owner of the keys: a list, a row in full, the help, a typed line, a question. */
export type Focus = "list" | "detail" | "help" | "text" | "confirm";

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
  "filter",
  "newest",
  "copy-id",
  "copy-command",
  "approve",
  "reject",
  "resend",
  "send-test",
  "retry",
  "help",
  "leave",
  "lines",
  "submit",
  "suggest",
  "earlier",
  "later",
  "erase",
] as const;
export type Action = (typeof ACTIONS)[number];

interface KeyRow {
  keys: readonly string[];
  focus: readonly Focus[];
  does: Action;
  /** Text in the help. */
  says: string;
  /** Text in the last line, if any; the lower the number, the longer it stays. */
  bar?: { says: string; rank: number };
}

const LOOKING: readonly Focus[] = ["list", "detail"];

/** Every key. Small letters look, or move the clock; capitals change a record and ask first. */
export const KEYS: readonly KeyRow[] = [
  {
    keys: ["a"],
    focus: LOOKING,
    does: "advance",
    says: "advance",
    bar: { says: "advance", rank: 3 },
  },
  {
    keys: ["n"],
    focus: LOOKING,
    does: "next-timer",
    says: "next timer",
    bar: { says: "next", rank: 7 },
  },
  {
    keys: ["A"],
    focus: LOOKING,
    does: "approve",
    says: "approve",
    bar: { says: "approve", rank: 2 },
  },
  { keys: ["X"], focus: LOOKING, does: "reject", says: "reject", bar: { says: "reject", rank: 2 } },
  { keys: ["R"], focus: LOOKING, does: "resend", says: "resend", bar: { says: "resend", rank: 2 } },
  { keys: ["T"], focus: LOOKING, does: "send-test", says: "send TEST" },
  {
    keys: ["enter", "l", "right"],
    focus: ["list"],
    does: "open",
    says: "open",
    bar: { says: "open", rank: 4 },
  },
  {
    keys: ["escape", "h", "left"],
    focus: LOOKING,
    does: "back",
    says: "back",
    bar: { says: "back", rank: 1 },
  },
  { keys: ["up", "k"], focus: LOOKING, does: "row-up", says: "row up" },
  { keys: ["down", "j"], focus: LOOKING, does: "row-down", says: "row down" },
  { keys: ["g", "home"], focus: LOOKING, does: "first", says: "first, follow" },
  { keys: ["G", "end"], focus: LOOKING, does: "last", says: "last" },
  { keys: ["ctrl-u", "page-up"], focus: LOOKING, does: "half-up", says: "half a page up" },
  { keys: ["ctrl-d", "page-down"], focus: LOOKING, does: "half-down", says: "half a page down" },
  {
    keys: ["/"],
    focus: ["list"],
    does: "filter",
    says: "filter",
    bar: { says: "filter", rank: 8 },
  },
  { keys: ["f"], focus: ["list"], does: "newest", says: "follow the newest" },
  { keys: ["y"], focus: LOOKING, does: "copy-id", says: "copy id", bar: { says: "copy", rank: 9 } },
  { keys: ["Y"], focus: LOOKING, does: "copy-command", says: "copy command" },
  { keys: ["w"], focus: LOOKING, does: "why", says: "why", bar: { says: "why", rank: 6 } },
  { keys: ["J"], focus: LOOKING, does: "json", says: "raw JSON" },
  {
    keys: ["tab"],
    focus: ["list"],
    does: "pane-next",
    says: "next pane",
    bar: { says: "pane", rank: 5 },
  },
  { keys: ["shift-tab"], focus: ["list"], does: "pane-before", says: "previous pane" },
  { keys: ["1"], focus: ["list"], does: "pane-1", says: "quotes" },
  { keys: ["2"], focus: ["list"], does: "pane-2", says: "approvals" },
  { keys: ["3"], focus: ["list"], does: "pane-3", says: "webhooks" },
  { keys: ["4"], focus: ["list"], does: "pane-4", says: "requests and more" },
  { keys: ["["], focus: ["list"], does: "tab-before", says: "previous tab of pane 4" },
  { keys: ["]"], focus: ["list"], does: "tab-next", says: "next tab of pane 4" },
  { keys: ["z"], focus: LOOKING, does: "clock", says: "freeze, run clock" },
  { keys: ["r"], focus: LOOKING, does: "retry", says: "try to connect now" },
  { keys: ["?"], focus: LOOKING, does: "help", says: "this help", bar: { says: "help", rank: 1 } },
  { keys: ["s"], focus: LOOKING, does: "lines", says: "plain text" },
  { keys: ["q"], focus: LOOKING, does: "leave", says: "leave", bar: { says: "quit", rank: 1 } },
  {
    keys: ["ctrl-c"],
    focus: ["list", "detail", "help", "text", "confirm"],
    does: "leave",
    says: "leave",
  },
  { keys: ["enter"], focus: ["text", "confirm"], does: "submit", says: "do it" },
  { keys: ["escape"], focus: ["text", "confirm"], does: "back", says: "cancel" },
  { keys: ["X"], focus: ["confirm"], does: "reject", says: "reject instead" },
  { keys: ["tab"], focus: ["text"], does: "suggest", says: "next suggestion" },
  { keys: ["up"], focus: ["text"], does: "earlier", says: "earlier ones" },
  { keys: ["down"], focus: ["text"], does: "later", says: "later ones" },
  { keys: ["backspace"], focus: ["text"], does: "erase", says: "erase" },
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
