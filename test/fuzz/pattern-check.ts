import type { Pattern } from "./patterns.ts";

// The checker in this process: its other backends are programs that it starts.
process.env.RECHECK_BACKEND = "pure";
const { check } = await import("recheck");

/** Time for one pattern; the checker gives up afterwards. */
const TIMEOUT_MS = 60_000;

/** A pattern for which a text takes more than a multiple of its length. */
export interface SlowPattern extends Pattern {
  /** Such as `2nd degree polynomial` or `exponential`. */
  complexity: string;
  /** A text that shows it, as an expression of JavaScript. */
  attack: string;
}

/**
 * Parts that run for one person alone, in a terminal or a browser: a long text makes that person
 * wait, and nobody else. The square of its length is accepted there, and nothing above. Everywhere
 * else, whoever sends the text keeps others waiting, so each pattern must be linear.
 */
const OF_ONE_PERSON = /^src\/(cli|tui|console|conform)\//;

const isAccepted = ({ at }: Pattern, complexity: string) =>
  OF_ONE_PERSON.test(at) && complexity.startsWith("2nd degree polynomial");

/** Checks a pattern; tells of one that a caller could make slow. */
export const slowPattern = async (pattern: Pattern): Promise<SlowPattern | undefined> => {
  const params = { timeout: TIMEOUT_MS, randomSeed: 1 };
  const found = await check(pattern.source, pattern.flags, params);
  if (found.status === "safe") return undefined;
  const isKnown = found.status === "vulnerable";
  const complexity = isKnown ? found.complexity.summary : `unknown: ${found.error.kind}`;
  if (isAccepted(pattern, complexity)) return undefined;
  return { ...pattern, complexity, attack: isKnown ? found.attack.pattern : "" };
};
