import type { Call } from "./call.ts";

/** Moves the clock of a world by a span. */
export const advanceCall = (world: string, by: string, budgetMs = 600_000): Call => ({
  surface: "control",
  world,
  operation: "advance",
  method: "POST",
  path: "/clock/advance",
  body: { by, budgetMs },
  expects: [200],
});
