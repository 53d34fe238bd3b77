import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant, InstantInput } from "../core/scalars.ts";

/** Marks of what happened, from the worst to the least: a part shows its worst. */
export const HISTORY_MARKS = ["failed", "asks", "waits", "done", "clock", "over"] as const;

export type HistoryMark = (typeof HISTORY_MARKS)[number];

/** Kinds of what happened. */
export const HISTORY_LANES = ["requests", "timers", "webhooks", "approvals"] as const;

export type HistoryLane = (typeof HISTORY_LANES)[number];

/** Parts of a span when nobody says how many, and at most. */
export const HISTORY_PARTS = { usual: 240, most: 1000 } as const;

const Parts = z.lazy(() =>
  z
    .string()
    .regex(/^[0-9]{1,4}$/, `Expected a whole number from 1 to ${HISTORY_PARTS.most}`)
    .transform(Number)
    .pipe(z.number().min(1).max(HISTORY_PARTS.most))
    .meta({ type: "integer", minimum: 1, maximum: HISTORY_PARTS.most }),
);

/** Query of GET /_sim/history (spec/clock.md#history). */
export const HistoryQuery = {
  from: InstantInput.optional(),
  to: InstantInput.optional(),
  buckets: Parts.optional(),
};

/** Events of one part of a span; parts without anything are left out. */
export const HistoryBucket = named("HistoryBucket", () =>
  z.object({
    /** The instant of the first of them. */
    at: Instant,
    count: z.int(),
    worst: enumOf("HistoryMark", HISTORY_MARKS),
    /** Those that failed. */
    failed: z.int(),
    /** The first of them: an id to look up, and a few words. */
    first: z.object({ id: z.string(), says: z.string() }),
  }),
);

export type HistoryBucket = z.infer<typeof HistoryBucket>;

const Lane = z.lazy(() => z.array(HistoryBucket));

/** Reply of GET /_sim/history. */
export const History = named("History", () =>
  z.object({
    from: Instant,
    to: Instant,
    /** The earliest instant that a rewind reaches. */
    earliest: Instant,
    lanes: z.object({ requests: Lane, timers: Lane, webhooks: Lane, approvals: Lane }),
    /** Actions that wait for a person now, and since when; the oldest 100. */
    open: z.array(z.object({ id: z.string(), from: Instant })),
  }),
);

export type History = z.infer<typeof History>;
