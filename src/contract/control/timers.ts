import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant, InstantInput } from "../core/scalars.ts";

/** The timer that fires next, in short. */
export const NextTimer = z.lazy(() =>
  z.object({ dueAt: Instant, timer: z.string(), subject: z.string() }).meta({ id: "NextTimer" }),
);

export type NextTimer = z.infer<typeof NextTimer>;

/** A timer that will fire. */
export const PendingTimer = z.lazy(() =>
  z
    .object({
      /** Its name and its subject: `quote.expire@Quote:…`. It names the timer in paths. */
      id: z.string(),
      dueAt: Instant,
      /** Simulated milliseconds from now. */
      inMs: z.number(),
      timer: z.string(),
      subject: z.string(),
      /** The state it leads to. */
      // biome-ignore lint/suspicious/noThenProperty: the member is part of the reply
      then: z.string(),
      /** The outcome row that decided it: `quotedPayment.003`. */
      rule: z.string().optional(),
      /** Failure that stopped the world. */
      poisoned: z.string().optional(),
    })
    .meta({ id: "PendingTimer" }),
);

export type PendingTimer = z.infer<typeof PendingTimer>;

/** A timer that a tester canceled. */
export const CanceledTimer = named("CanceledTimer", () =>
  z.object({
    id: z.string(),
    timer: z.string(),
    subject: z.string(),
    /** The instant at which it would have fired. */
    dueAt: Instant,
    canceledAt: Instant,
    /** Effect of the cancellation: `Quote:… stays PENDING: nothing will expire it`. */
    leaves: z.string(),
  }),
);

export type CanceledTimer = z.infer<typeof CanceledTimer>;

/** Pending timers of one part of a span; parts without any are left out. */
export const TimerBucket = named("TimerBucket", () =>
  z.object({
    /** The instant at which the part begins. */
    at: Instant,
    count: z.int(),
    /** The timer that fires first. */
    first: z.string(),
    /** Counts by the names of timers. */
    timers: z.record(z.string(), z.int()),
  }),
);

export type TimerBucket = z.infer<typeof TimerBucket>;

/** Most timers that one reply lists, and most parts that it counts. */
export const TIMER_LIMITS = { rows: 1000, buckets: 1000 } as const;

const upTo = (most: number) =>
  z
    .string()
    .regex(/^[0-9]{1,4}$/, `Expected a whole number from 1 to ${most}`)
    .transform(Number)
    .pipe(z.number().min(1).max(most))
    .meta({ type: "integer", minimum: 1, maximum: most });

/** Query of GET /_sim/timers (spec/clock.md#timers). */
export const TimersQuery = {
  from: InstantInput.optional(),
  to: InstantInput.optional(),
  limit: z.lazy(() => upTo(TIMER_LIMITS.rows)).optional(),
  cursor: z.string().optional(),
  buckets: z.lazy(() => upTo(TIMER_LIMITS.buckets)).optional(),
};

/** Reply of GET /_sim/timers. */
export const PendingTimers = named("PendingTimerList", () =>
  z.object({
    data: z.array(PendingTimer),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    totalCount: z.int(),
    /** The instant at which the last of all pending timers is due, when there are some. */
    lastDueAt: Instant.optional(),
    /** Parts of the span with their counts, where they were asked for. */
    buckets: z.array(TimerBucket).optional(),
    /** Timers that a tester canceled, when there are some. */
    canceled: z.array(CanceledTimer).optional(),
  }),
);

/** Reply of POST /_sim/timers/{timerId}/fire. */
export const TimerFiredNow = named("TimerFiredNow", () =>
  z.object({
    id: z.string(),
    timer: z.string(),
    subject: z.string(),
    /** The instant at which it would have fired. */
    wasDueAt: Instant,
    /** Both are absent when its record had moved on, so that nothing happened. */
    from: z.string().optional(),
    to: z.string().optional(),
    rule: z.string().optional(),
  }),
);

export type TimerFiredNow = z.infer<typeof TimerFiredNow>;

/** Reply of POST /_sim/timers/{timerId}/postpone. */
export const PostponedTimer = named("PostponedTimer", () =>
  PendingTimer.unwrap().extend({ wasDueAt: Instant }),
);

export type PostponedTimer = z.infer<typeof PostponedTimer>;

export type PendingTimers = z.infer<typeof PendingTimers>;
