import { Refusal } from "../domain/core/refusal.ts";

/** A place in a fixture: names of members, positions in lists. */
export type ScriptPath = readonly (string | number)[];

/**
 * `invalid`: it can be told without running it; `refused`: a step was not answered as expected
 * while it was tried on a copy of the world.
 */
export type ProblemKind = "invalid" | "refused";

interface FoundProblem {
  path: ScriptPath;
  /** Reads on from "Expected …". */
  expected: string;
  /** Reads on from "… but found". */
  found: string;
  /** The member's name is meant, not its value. */
  onName?: boolean;
}

/** `steps.3.request.path`, as refusals name a field. */
const fieldOf = (path: ScriptPath) => ["fixture", ...path].join(".");

/**
 * A problem that keeps a fixture out of a world. It knows the place in the document; the text
 * adds line and column.
 */
export class ScriptProblem extends Refusal {
  readonly kind: ProblemKind;
  readonly path: ScriptPath;
  readonly onName: boolean;
  private readonly problem: FoundProblem;

  constructor(kind: ProblemKind, problem: FoundProblem) {
    const { path, expected, onName = false } = problem;
    super(
      "INVALID_INPUT",
      { field: fieldOf(path), kind, at: path, onName, expected, found: problem.found },
      `Expected ${expected} at ${fieldOf(path)} but found ${problem.found}`,
    );
    this.kind = kind;
    this.path = path;
    this.onName = onName;
    this.problem = problem;
  }

  /** The sentence, for a reader who knows the place by another name. */
  sentenceAt(place: string) {
    return `Expected ${this.problem.expected} at ${place} but found ${this.problem.found}`;
  }
}
