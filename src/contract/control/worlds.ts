import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { BrandInput } from "./brands.ts";
import { Name } from "./names.ts";

/** One world, as the list of worlds shows it. */
export const WorldRow = named("WorldRow", () =>
  z.object({
    name: z.string(),
    /** User name of HTTP Basic that means this world. */
    clientId: z.string(),
    /** Number of its records. */
    records: z.int(),
    /** Its simulated instant. */
    now: Instant,
    /** The world that every other one is forked from, unless its creation says otherwise. */
    isStarting: z.literal(true).optional(),
    /** Name of the world that it was forked from. */
    from: z.string().optional(),
    /** True when the default world had been written to before it was forked on a first call. */
    isLate: z.literal(true).optional(),
    /** False when it is on storage alone: its next call loads it. */
    isLoaded: z.literal(false).optional(),
  }),
);

export type WorldRow = z.infer<typeof WorldRow>;

/** A world whose files cannot be read. */
export const DamagedWorld = named("DamagedWorld", () =>
  z.object({
    name: z.string(),
    /** The file, and its fault. */
    found: z.string(),
  }),
);

export type DamagedWorld = z.infer<typeof DamagedWorld>;

/** Reply of GET /_sim/worlds, the default world first. */
export const WorldList = named("WorldList", () =>
  z.object({ data: z.array(WorldRow), damaged: z.array(DamagedWorld).optional() }),
);

export type WorldList = z.infer<typeof WorldList>;

/** Body of POST /_sim/worlds. */
export const WorldInput = z.lazy(() =>
  z.object({
    name: Name.optional(),
    from: z.string().optional(),
    clientId: z
      .string()
      .regex(/^[^:\p{Cc}]+$/u, "Expected text without a colon")
      .optional(),
    clientSecret: z
      .string()
      .regex(/^\P{Cc}+$/u, "Expected text without control characters")
      .optional(),
    seed: z.string().min(1).optional(),
    /** Another brand than its origin's: a word, or a brand file. */
    brand: BrandInput.optional(),
    /** Asks for `newestWebhook` in the reply: capsules of earlier versions have none there. */
    withNewestWebhook: z.boolean().optional(),
    /** Name of a world that is removed once the new one is made; one that is gone is passed over. */
    inPlaceOf: z.string().optional(),
  }),
);

export type WorldInput = z.infer<typeof WorldInput>;

/** Reply of POST /_sim/worlds. */
export const CreatedWorld = named("CreatedWorld", () =>
  z.object({
    name: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    apiUrl: z.string(),
    /** Id of the newest webhook that it inherits, where the body asks for it. */
    newestWebhook: z.string().nullable().optional(),
  }),
);

export type CreatedWorld = z.infer<typeof CreatedWorld>;
