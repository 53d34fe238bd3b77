interface SharedKey {
  keys: readonly string[];
  /** The word of the key on a button, in a bar of keys, in the screen's help. */
  word: string;
  /** Its line in the page's list of keys: the action and its object. */
  says: string;
}

/** Keys that mean the same on the screen and in the page, each with its word. */
export const SHARED_KEYS = {
  advance: { keys: ["a"], word: "advance", says: "advance the clock" },
  "next-timer": { keys: ["n"], word: "next", says: "advance to the next timer, at once" },
  "step-back": { keys: ["b"], word: "rewind", says: "rewind to before the last act" },
  clock: { keys: ["z"], word: "freeze", says: "freeze the clock, or let it run" },
  "make-payout": { keys: ["P"], word: "make a payout", says: "make a payout, to try things with" },
  filter: { keys: ["/"], word: "filter", says: "filter the rows" },
  "copy-id": { keys: ["y"], word: "copy id", says: "copy the id of the record" },
  "copy-command": { keys: ["Y"], word: "copy command", says: "copy the command that shows it" },
  "copy-link": { keys: ["L"], word: "copy link", says: "copy the link to it in the console" },
  "pane-1": { keys: ["1"], word: "payments", says: "payments" },
  "pane-2": { keys: ["2"], word: "approvals", says: "approvals" },
  "pane-3": { keys: ["3"], word: "webhooks", says: "webhooks" },
  "pane-4": { keys: ["4"], word: "requests", says: "requests" },
  "record-before": { keys: ["["], word: "above", says: "the record in the row above" },
  "record-after": { keys: ["]"], word: "below", says: "the record in the row below" },
  approve: { keys: ["A"], word: "approve", says: "approve the action" },
  reject: { keys: ["X"], word: "reject", says: "reject the action" },
  resend: { keys: ["R"], word: "resend", says: "resend the webhook" },
  "send-test": { keys: ["T"], word: "send TEST", says: "send a TEST webhook" },
  endpoint: { keys: ["E"], word: "set endpoint", says: "set the endpoint of webhooks" },
  "fail-next": { keys: ["F"], word: "add fault", says: "add a fault to a call" },
  worlds: { keys: ["o"], word: "worlds", says: "worlds" },
  retry: { keys: ["r"], word: "try now", says: "try to reach the simulator now" },
  back: { keys: ["escape"], word: "back", says: "close, or back by one level" },
  help: { keys: ["?"], word: "keys", says: "these keys" },
} as const satisfies Record<string, SharedKey>;

export type SharedAction = keyof typeof SHARED_KEYS;
