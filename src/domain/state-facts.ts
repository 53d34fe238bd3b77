import { LATEST_INSTANT_MS, LATEST_NOW_MS } from "./records/latest-instant.ts";
import type { Records } from "./records/records.ts";

/** Changes that a world can number: later ones would have no order for their timers. */
export const MAX_CHANGES = 2 ** 32;
/** Ids that a world can count, far below what numbers hold exactly. */
export const MAX_IDS = 2 ** 48;

const MARGIN = 2 ** 20;
/** Changes and ids that a world makes, a margin below what can be numbered. */
export const MOST_MADE = { changes: MAX_CHANGES - MARGIN, ids: MAX_IDS - MARGIN } as const;
const IMPORTED = { changes: MAX_CHANGES / 2, ids: MAX_IDS / 2 };

/** The reason why a world takes no more changes; nothing while it is below its bounds. */
export const fullProblem = ({ seq, counter }: Pick<StateFacts, "seq" | "counter">) => {
  const { changes, ids } = MOST_MADE;
  const most = seq >= changes ? `${changes} changes` : undefined;
  const bound = most ?? (counter >= ids ? `${ids} ids` : undefined);
  return bound && `it has made ${bound}, and no world makes more; another world can continue`;
};

/** The facts of a state beside its records and its ledger. */
export interface StateFacts {
  seq: number;
  counter: number;
  atMs: number;
  branch: number | string;
  clock: { instantMs: number; offsetMs: number; speed?: number } | undefined;
  each(kind: "PlatformConfig"): Iterable<Records["PlatformConfig"]>;
}

const bounded = (name: string, value: number, most: number) =>
  Number.isSafeInteger(value) && value >= 0 && value <= most
    ? undefined
    : `Expected ${name} from 0 to ${most} but found ${value}`;

const clockProblem = ({ clock }: StateFacts) => {
  if (!clock) return undefined;
  const { instantMs, offsetMs, speed = 1 } = clock;
  if (!(speed > 0)) return `Expected a speed above 0 but found ${speed}`;
  if (!(Math.abs(offsetMs) <= LATEST_INSTANT_MS))
    return `Expected an offset of the clock within ${LATEST_INSTANT_MS} ms but found ${offsetMs}`;
  return bounded("an instant of the clock", instantMs, LATEST_INSTANT_MS);
};

const branchProblem = ({ branch }: StateFacts) =>
  typeof branch === "number" ? bounded("a branch", branch, MAX_IDS) : undefined;

const configProblem = (state: StateFacts) => {
  const count = [...state.each("PlatformConfig")].length;
  if (count === 1) return undefined;
  return `Expected one configuration of the platform but found ${count === 0 ? "none" : count}`;
};

/**
 * The first reason why a world could not continue from a state at all, at a cost that does not grow
 * with it: counters and instants out of bounds, or no configuration.
 */
export const factsProblem = (state: StateFacts): string | undefined =>
  bounded("the number of changes", state.seq, MAX_CHANGES) ??
  bounded("the number of ids", state.counter, MAX_IDS) ??
  bounded("the instant of the last change", state.atMs, LATEST_INSTANT_MS) ??
  branchProblem(state) ??
  clockProblem(state) ??
  configProblem(state);

/**
 * The first reason why an imported state is too near to a bound: its world could not continue for
 * long.
 */
export const roomProblem = ({ seq, counter, atMs, clock }: StateFacts): string | undefined =>
  bounded("the number of changes", seq, IMPORTED.changes) ??
  bounded("the number of ids", counter, IMPORTED.ids) ??
  bounded("the instant of the last change", atMs, LATEST_NOW_MS) ??
  (clock && bounded("an instant of the clock", clock.instantMs, LATEST_NOW_MS));
