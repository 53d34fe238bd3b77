import { type Figure, type Found, type Pair, Skipped } from "./figure.ts";
import { isFarOff, isMet, type Ratios, ratiosOf } from "./ratios.ts";
import type { Workplace } from "./workplace.ts";

/** A figure and its result: ratios, or the sentence why there are none. */
export type Measurement = Omit<Figure, "measure"> &
  (
    | { state: "MEASURED"; ratios: Ratios; holds?: boolean; isFarOff?: boolean; found: Found }
    | { state: "SKIPPED" | "FAILED"; why: string }
  );

const foundIn = (measured: Pair[] | Found): Found =>
  Array.isArray(measured) ? { pairs: measured } : measured;

/** Measures a figure and ends what it started; an error becomes part of the result. */
export const measureFigure = async (
  { measure, ...about }: Figure,
  workplace: Workplace,
): Promise<Measurement> => {
  const { target } = about;
  try {
    const found = foundIn(await measure(workplace));
    const ratios = ratiosOf(found.pairs);
    const verdict = target && { holds: isMet(target, ratios), isFarOff: isFarOff(target, ratios) };
    return { ...about, state: "MEASURED", ratios, ...verdict, found };
  } catch (error) {
    const state = error instanceof Skipped ? "SKIPPED" : "FAILED";
    return { ...about, state, why: error instanceof Error ? error.message : String(error) };
  } finally {
    await workplace.endAll();
  }
};

/** The result of a figure that is not measured at all. */
export const skippedFor = ({ measure: _unused, ...about }: Figure, why: string): Measurement => ({
  ...about,
  state: "SKIPPED",
  why,
});

/** Whether a short run would fail by it: it could not be measured, or is far from its goal. */
export const failsShortRun = (measurement: Measurement) =>
  measurement.state === "MEASURED" ? measurement.isFarOff === true : measurement.state === "FAILED";
