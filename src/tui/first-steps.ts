import type { RowContext } from "../rows/column.ts";
import { areStepsDue, FIRST_STEPS, stepsDone } from "../rows/first-payout.ts";
import { markSpan } from "../rows/list.ts";
import { span } from "../rows/span.ts";
import type { WatchedWorld } from "../rows/world.ts";
import { fitLine, type Line } from "./line.ts";
import { quietRule } from "./rule.ts";

const KEYS_OF = {
  make: "P",
  why: "w",
  advance: "a, then 6m",
  webhook: "3, then enter",
} as const;

const STEPS = ["make", "why", "advance", "webhook"] as const;

const WORD_WIDTH = 24;

/** The way through a first payment, with the key of each step; nothing once it was gone. */
export const firstStepLines = (
  { lists }: WatchedWorld,
  { width, ellipsis }: RowContext,
): Line[] => {
  if (!areStepsDue(lists)) return [];
  const done = stepsDone(lists);
  const lines = STEPS.map(
    (step, at): Line => [
      span("  "),
      done[step] ? markSpan("done") : span(String(at + 1), "dim"),
      span(` ${FIRST_STEPS[step].padEnd(WORD_WIDTH)}`),
      span(KEYS_OF[step], "bold"),
    ],
  );
  return [quietRule(FIRST_STEPS.title, "four steps", width), ...lines].map((line) =>
    fitLine(line, width, ellipsis),
  );
};
