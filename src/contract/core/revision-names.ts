/** Revisions of the service, oldest first; the first is what a simulator serves by default. */
export const REVISIONS = ["2025-10", "2026-08"] as const;
export type Revision = (typeof REVISIONS)[number];

export const FIRST_REVISION = REVISIONS[0];
/** The revision whose records have every member. */
export const LATEST_REVISION = REVISIONS[REVISIONS.length - 1] as Revision;
