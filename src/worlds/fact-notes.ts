import type { FactName, FindFact } from "../domain/core/facts.ts";

/** The answer of a check, as a capsule keeps it (spec/capsules.md#facts). */
export interface NotedFact {
  of: FactName;
  /** Left out when the check found nothing. */
  is?: unknown;
}

/** Makes each check of one request, and notes its answer in the order of asking. */
export class FactNotes {
  readonly facts: NotedFact[] = [];

  readonly find: FindFact = (of, check) => {
    const noted: NotedFact = { of };
    this.facts.push(noted);
    const note = <Found>(is: Found): Found => {
      noted.is = is;
      return is;
    };
    // A check that could not be made has no answer.
    const drop = (error: unknown): never => {
      this.facts.splice(this.facts.indexOf(noted), 1);
      throw error;
    };
    try {
      const fact = check();
      if (!(fact instanceof Promise)) return note(fact);
      return fact.then(note, drop) as typeof fact;
    } catch (error) {
      return drop(error);
    }
  };
}
