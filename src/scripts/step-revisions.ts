import { FIRST_REVISION, REVISIONS, type Revision } from "../contract/core/revision-names.ts";

/** Revisions of the world in which a step runs: all of them, where none is named. */
export interface StepRevisions {
  /** This one and later ones. */
  since?: Revision | undefined;
  /** Earlier ones than this. */
  before?: Revision | undefined;
}

const placeOf = (revision: Revision) => REVISIONS.indexOf(revision);

/** Tells whether a step runs in worlds of a revision (spec/scenarios.md#revisions). */
export const runsIn = (
  { since = FIRST_REVISION, before }: StepRevisions,
  revision: Revision,
): boolean =>
  placeOf(revision) >= placeOf(since) &&
  (before === undefined || placeOf(revision) < placeOf(before));

/** The steps that a revision has: each with its place in the file, and its number among them. */
export const stepsIn = <Step extends StepRevisions>(steps: readonly Step[], revision: Revision) =>
  [...steps.entries()]
    .filter(([, step]) => runsIn(step, revision))
    .map(([at, step], index) => ({ at, step, number: index + 1 }));

/** Tells whether no world runs both of two steps. */
export const neverMeet = (one: StepRevisions, other: StepRevisions): boolean =>
  !REVISIONS.some((revision) => runsIn(one, revision) && runsIn(other, revision));
