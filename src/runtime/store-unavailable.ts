import { Refusal } from "../domain/core/refusal.ts";
import type { Journal } from "./journal.ts";
import { type CallOutcome, outcomeOf, type PassingTrouble } from "./ports.ts";

/** The refusal of a call that met a trouble of the storage (spec/store.md#trouble). */
export const storeUnavailable = ({ seen: why, ...outcome }: PassingTrouble & CallOutcome) =>
  new Refusal("STORE_UNAVAILABLE", { why, outcome: outcomeOf(outcome) });

/** Refuses a change that storage could not take now. */
export const requireStore = (journal: Journal) => {
  const seen = journal.trouble?.();
  if (seen !== undefined) throw storeUnavailable({ seen, mayBeDone: false });
};

/** Whether a refusal says that the world, or its storage, takes nothing now. */
export const isUnavailable = (error: unknown): error is Refusal =>
  error instanceof Refusal && ["UNAVAILABLE", "STORE_UNAVAILABLE"].includes(error.word);
