/** Revisions of the service, oldest first; the first is what a simulator serves by default. */
export const REVISIONS = ["2025-10", "2026-08"] as const;
export type Revision = (typeof REVISIONS)[number];

/** The day of the service's description that each revision follows. */
export const DESCRIBED_ON = {
  "2025-10": "2026-05-28",
  "2026-08": "2026-08-21",
} as const satisfies Record<Revision, string>;

export const FIRST_REVISION = REVISIONS[0];
/** The revision whose records have every member. */
export const LATEST_REVISION = REVISIONS[REVISIONS.length - 1] as Revision;
