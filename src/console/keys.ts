/** Actions of the keys of the page. */
export type PageAction =
  | "advance"
  | "next-timer"
  | "step-back"
  | "clock"
  | "filter"
  | "why"
  | "copy-id"
  | "copy-command"
  | "retry"
  | "approve"
  | "reject"
  | "resend"
  | "send-test"
  | "pane-1"
  | "pane-2"
  | "pane-3"
  | "pane-4"
  | "home"
  | "tab-before"
  | "tab-next"
  | "go-to"
  | "back"
  | "help";

interface PageKey {
  keys: readonly string[];
  does: PageAction;
  says: string;
}

/** Keys of the page, the screen's where they fit; small letters look or move time, capitals change a record. */
export const PAGE_KEYS: readonly PageKey[] = [
  { keys: ["a"], does: "advance", says: "advance the clock" },
  { keys: ["n"], does: "next-timer", says: "advance to the next timer, at once" },
  { keys: ["b"], does: "step-back", says: "go back to before the last act" },
  { keys: ["z"], does: "clock", says: "freeze the clock, or let it run" },
  { keys: ["/"], does: "filter", says: "search this view" },
  { keys: ["ctrl k"], does: "go-to", says: "go to anything by its name or id" },
  { keys: ["1"], does: "pane-1", says: "payments" },
  { keys: ["2"], does: "pane-2", says: "approvals" },
  { keys: ["3"], does: "pane-3", says: "webhooks" },
  { keys: ["4"], does: "pane-4", says: "requests" },
  { keys: ["0"], does: "home", says: "home" },
  { keys: ["["], does: "tab-before", says: "the record above, in the list you came from" },
  { keys: ["]"], does: "tab-next", says: "the record below" },
  { keys: ["y"], does: "copy-id", says: "copy the address of this place" },
  { keys: ["Y"], does: "copy-command", says: "copy the command that shows the same" },
  { keys: ["A"], does: "approve", says: "approve the open action" },
  { keys: ["X"], does: "reject", says: "reject the open action" },
  { keys: ["R"], does: "resend", says: "send the open webhook again" },
  { keys: ["T"], does: "send-test", says: "send a test webhook" },
  { keys: ["r"], does: "retry", says: "try to reach the simulator now" },
  { keys: ["escape"], does: "back", says: "close, or one level up" },
  { keys: ["?"], does: "help", says: "these keys" },
];

const BY_KEY = new Map(PAGE_KEYS.flatMap(({ keys, does }) => keys.map((key) => [key, does])));

/** Keys within lists, which each list takes itself. */
export const LIST_KEYS = [
  ["j k ↓ ↑", "next and previous row"],
  ["g G", "first and last row"],
  ["enter", "open the row"],
] as const;

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The action of a key; nothing for one that is the browser's. */
export const pageActionOf = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: KeyPress): PageAction | undefined => {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key === "k" ? "go-to" : undefined;
  return BY_KEY.get(key === "Escape" ? "escape" : key);
};

const LETTERS = "service-sim letters";

/** Whether single letters act: some people speak to their computer, and letters would be words. */
export const hasLetterKeys = () => localStorage.getItem(LETTERS) !== "off";

export const setLetterKeys = (isOn: boolean) => localStorage.setItem(LETTERS, isOn ? "on" : "off");
