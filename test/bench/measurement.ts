import { type Figure, type Pair, Skipped } from "./figure.ts";
import { isMet, type Ratios, ratiosOf } from "./ratios.ts";
import type { Workplace } from "./workplace.ts";

/** A figure and its result: ratios, or the sentence why there are none. */
export type Measurement = Omit<Figure, "measure"> &
  (
    | { state: "MEASURED"; ratios: Ratios; holds?: boolean; pairs: Pair[] }
    | { state: "SKIPPED" | "FAILED"; why: string }
  );

/** Measures a figure and ends what it started; an error becomes part of the result. */
export const measureFigure = async (
  { measure, ...about }: Figure,
  workplace: Workplace,
): Promise<Measurement> => {
  try {
    const pairs = await measure(workplace);
    const ratios = ratiosOf(pairs);
    const holds = about.target && { holds: isMet(about.target, ratios) };
    return { ...about, state: "MEASURED", ratios, ...holds, pairs };
  } catch (error) {
    const state = error instanceof Skipped ? "SKIPPED" : "FAILED";
    return { ...about, state, why: error instanceof Error ? error.message : String(error) };
  } finally {
    await workplace.endAll();
  }
};
