import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { PendingTimer } from "./timers.ts";

/** Timers that a preview names; the others are counted. */
export const PREVIEW_ROWS = 20;

/** Reply of POST /_sim/clock/preview. */
export const ClockPreview = named("ClockPreview", () =>
  z.object({
    from: Instant,
    to: Instant,
    /** Simulated milliseconds between them. */
    inMs: z.number(),
    /** Timers that are known now and fire on the way. */
    count: z.int(),
    /** Their counts by name. */
    byTimer: z.record(z.string(), z.int()),
    /** The first of them, in firing order. */
    fires: z.array(PendingTimer),
  }),
);

export type ClockPreview = z.infer<typeof ClockPreview>;
