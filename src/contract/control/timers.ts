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

/** Reply of GET /_sim/timers. */
export const PendingTimers = named("PendingTimerList", () =>
  z.object({ data: z.array(PendingTimer), hasMore: z.boolean(), totalCount: z.int() }),
);

export type PendingTimers = z.infer<typeof PendingTimers>;
