import { createContext, runInNewContext, Script } from "node:vm";
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

/** Time for one measurement; a text that takes longer shows a high power. */
const MEASURED_MS = 20_000;
/** From this processor time on a measurement is above all noise. */
const CLEAR_MS = 100;
const LONGEST_TEXT = 1_000_000;
/** Share of the checker's own text, which often takes minutes. */
const SHORTEST = 1 / 1_024;
const MICROSECONDS_PER_MS = 1_000;

const SEARCH = new Script("text.search(pattern)");

/** Processor time of a search, the shorter of two: the first compiles the pattern. */
const tookMs = ({ source, flags }: Pattern, text: string): number => {
  const context = createContext({ text, pattern: new RegExp(source, flags.replace("y", "")) });
  const once = () => {
    const started = process.cpuUsage();
    SEARCH.runInContext(context, { timeout: MEASURED_MS });
    return process.cpuUsage(started).user / MICROSECONDS_PER_MS;
  };
  try {
    return Math.min(once(), once());
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/** The text of an attack, its repeated parts longer or shorter by a factor. */
const textOf = (attack: string, factor: number): string =>
  runInNewContext(
    attack.replace(/\.repeat\((\d+)\)/g, (_, count) => `.repeat(${Math.ceil(count * factor)})`),
  );

/**
 * The power of a text's length that a pattern takes, measured with texts that grow. The checker's
 * own fuzzer estimates it from few steps, and takes linear patterns for others.
 */
const measuredDegree = (pattern: Pattern, attack: string): number => {
  for (let factor = SHORTEST; ; factor *= 2) {
    const text = textOf(attack, factor);
    const ms = tookMs(pattern, text);
    if (ms >= CLEAR_MS)
      return Math.round(Math.log2(tookMs(pattern, textOf(attack, 2 * factor)) / ms));
    if (text.length > LONGEST_TEXT) return 1;
  }
};

const DEGREES = ["linear", "linear", "2nd degree polynomial", "3rd degree polynomial"] as const;

const complexityOf = (pattern: Pattern, summary: string, attack: string) => {
  if (!summary.endsWith("(fuzz)")) return summary;
  const degree = measuredDegree(pattern, attack);
  return DEGREES[degree] ?? "polynomial of a high degree";
};

/** Checks a pattern; tells of one that a caller could make slow. */
export const slowPattern = async (pattern: Pattern): Promise<SlowPattern | undefined> => {
  const params = { timeout: TIMEOUT_MS, randomSeed: 1 };
  const found = await check(pattern.source, pattern.flags, params);
  if (found.status === "safe") return undefined;
  const isKnown = found.status === "vulnerable";
  const attack = isKnown ? found.attack.pattern : "";
  const complexity = isKnown
    ? complexityOf(pattern, found.complexity.summary, attack)
    : `unknown: ${found.error.kind}`;
  if (complexity === "linear" || isAccepted(pattern, complexity)) return undefined;
  return { ...pattern, complexity, attack };
};
