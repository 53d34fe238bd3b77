import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { DELIVERY_STATES } from "../webhooks/delivery-states.ts";
import { EVENT_TYPES } from "../webhooks/events.ts";
import { CLOCK_MODES } from "./clock-modes.ts";
import { NextTimer } from "./timers.ts";

const Mode = enumOf("ClockMode", CLOCK_MODES);

/** Simulated milliseconds in one of the system clock (spec/clock.md#speed); absent where it is 1. */
export const Speed = z.number();

/** Reply of GET and PUT /_sim/clock. */
export const ShownClock = named("Clock", () =>
  z.object({
    now: Instant,
    mode: Mode,
    speed: Speed.optional(),
    /** Simulated time ahead of the system clock, milliseconds. */
    aheadMs: z.number(),
    nextTimerAt: Instant.optional(),
    next: NextTimer.optional(),
  }),
);

export type ShownClock = z.infer<typeof ShownClock>;

/** A timer that fired during an advance. */
const Fired = named("FiredTimer", () =>
  z.object({
    at: Instant,
    timer: z.string(),
    subject: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
    rule: z.string().optional(),
  }),
);

/** A webhook attempt made during an advance: `status` is the receiver's, `state` the delivery's. */
export const ShownAttempt = named("AttemptedWebhook", () =>
  z.object({
    at: Instant,
    id: z.string(),
    type: enumOf("EventType", EVENT_TYPES),
    about: z.string().optional(),
    status: z.int().nullable(),
    state: enumOf("DeliveryState", DELIVERY_STATES),
    attempt: z.int(),
    tookMs: z.number(),
  }),
);

export type ShownAttempt = z.infer<typeof ShownAttempt>;

/** Reply of POST /_sim/clock/advance. */
export const Advanced = named("AdvanceReport", () =>
  z.object({
    from: Instant,
    to: Instant,
    complete: z.boolean(),
    aheadMs: z.number(),
    mode: Mode,
    speed: Speed.optional(),
    fired: z.array(Fired),
    firedCount: z.int(),
    webhooks: z.array(ShownAttempt),
    webhookCount: z.int(),
    /** Deliveries that no receiver has accepted and that will be attempted again. */
    open: z.int(),
    /** Attempts under way, and deliveries not attempted yet. */
    underWay: z.int().optional(),
    unsent: z.int().optional(),
    /** Deliveries that are held back on purpose. */
    held: z.int().optional(),
    /** Open deliveries that nothing would ever send, which is a bug. */
    stranded: z.array(z.string()).readonly().optional(),
    /** The reason for open deliveries that no retry on the clock would send. */
    why: z.string().optional(),
    /** Attempts still under way when the budget ran out. */
    waitingFor: z.int().optional(),
    /** Endpoint of webhooks, when some attempts are still open. */
    endpoint: z.string().optional(),
    until: z
      .object({
        id: z.string(),
        wanted: z.string(),
        found: z.string().optional(),
        reached: z.boolean(),
      })
      .optional(),
    next: NextTimer.optional(),
  }),
);

export type Advanced = z.infer<typeof Advanced>;
