import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** One thing that happens, `atMs` of simulated time after the call that set it off. */
const TimelineEntry = named("TimelineEntry", () =>
  z.object({
    atMs: z.number(),
    timer: z.string().optional(),
    // biome-ignore lint/suspicious/noThenProperty: the member is part of the reply
    then: z.string(),
    failureReason: z.string().optional(),
    refundReason: z.string().optional(),
  }),
);

export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** One row of an outcome table. */
const OutcomeRow = named("OutcomeRow", () =>
  z.object({
    /** The ending, or `otherwise`. */
    match: z.string(),
    /** Its name in `x-sim-rule`, in `why` and in the log: `quotedPayment.003`. */
    rule: z.string(),
    says: z.string(),
    ends: z.string(),
    afterMs: z.number(),
    timeline: z.array(TimelineEntry),
  }),
);

export type OutcomeRow = z.infer<typeof OutcomeRow>;

/** The rows of one trigger. */
const OutcomeGroup = named("OutcomeGroup", () =>
  z.object({
    group: z.string(),
    title: z.string(),
    reads: z.string(),
    rows: z.array(OutcomeRow),
  }),
);

export type OutcomeGroup = z.infer<typeof OutcomeGroup>;

/** Reply of GET /_sim/outcomes. */
export const OutcomeGroups = named("OutcomeGroupList", () =>
  z.object({ data: z.array(OutcomeGroup) }),
);
