import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

/** Most choices that one call sets a row for. */
export const MAX_OUTCOME_TIMES = 1000;

/** Body of POST /_sim/outcomes/next. */
export const NextOutcomeInput = named("NextOutcomeInput", () =>
  z.strictObject({
    rule: z.string().min(1),
    for: z.string().min(1).optional(),
    times: z.int().min(1).max(MAX_OUTCOME_TIMES).optional(),
  }),
);

export type NextOutcomeInput = z.infer<typeof NextOutcomeInput>;

/** A row that the next matching choices take. */
export const NextOutcome = named("NextOutcome", () =>
  z.object({
    id: z.string(),
    /** `quotedPayment.003`. */
    rule: z.string(),
    /** The row in words. */
    says: z.string(),
    /** Id of the customer, account, agent or card; absent for any. */
    for: z.string().optional(),
    /** Choices that still take it. */
    times: z.int(),
    createdAt: Instant,
  }),
);

export type NextOutcome = z.infer<typeof NextOutcome>;

/** Reply of GET /_sim/outcomes/next, oldest first. */
export const NextOutcomes = named("NextOutcomeList", () =>
  z.object({ data: z.array(NextOutcome) }),
);

export type NextOutcomes = z.infer<typeof NextOutcomes>;

/** Reply of DELETE /_sim/outcomes/next and /_sim/outcomes/next/{outcomeId}. */
export const LiftedOutcomes = named("LiftedCount", () => z.object({ lifted: z.int() }));

export type LiftedOutcomes = z.infer<typeof LiftedOutcomes>;
