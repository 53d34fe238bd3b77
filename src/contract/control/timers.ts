import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

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

/** Reply of GET /_sim/timers. */
export const PendingTimers = named("PendingTimerList", () =>
  z.object({
    data: z.array(PendingTimer),
    hasMore: z.boolean(),
    totalCount: z.int(),
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
