import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

/** The outcome of one request of a fixture. */
export const SeedRequest = named("SeededCall", () =>
  z.object({
    name: z.string().optional(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    /** Id of the record that the answer shows, or of the only one it lists. */
    id: z.string().optional(),
  }),
);

export type SeedRequest = z.infer<typeof SeedRequest>;

/** The outcome of one clock step. */
export const SeedAdvance = z.lazy(() =>
  z.object({
    advance: z.string(),
    /** The instant reached. */
    to: Instant,
    firedCount: z.int(),
    /** Attempts, which are made when the whole fixture is in; its last clock step counts them. */
    webhookCount: z.int(),
  }),
);

export type SeedAdvance = z.infer<typeof SeedAdvance>;

/** Counts of records that were made in bulk. */
export const Generated = named("Generated", () =>
  z.object({ customers: z.int(), externalAccounts: z.int(), quotes: z.int() }),
);

export type Generated = z.infer<typeof Generated>;

/** Reply of POST /_sim/seed. */
export const SeedReport = named("SeedReport", () =>
  z.object({
    fixture: z.string(),
    steps: z.array(z.union([SeedRequest, SeedAdvance])),
    /** Ids of the named answers. */
    names: z.record(z.string(), z.string()),
    generated: Generated.optional(),
  }),
);

export type SeedReport = z.infer<typeof SeedReport>;

/** Reply of GET /_sim/seed. */
export const SeedProgress = named("SeedProgress", () =>
  z.object({
    /** Records made so far of those that are being generated. */
    done: z.int(),
    /** Zero while nothing is being generated. */
    total: z.int(),
  }),
);

export type SeedProgress = z.infer<typeof SeedProgress>;
