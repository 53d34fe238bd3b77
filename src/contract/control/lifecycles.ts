import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** One allowed move of a record, and the webhook that tells of it. */
const LifecycleMove = named("LifecycleMove", () =>
  z.object({ from: z.string(), on: z.string(), to: z.string(), emits: z.string().optional() }),
);

/** The states of a kind of record, and every move between them. */
const LifecycleTable = named("LifecycleTable", () =>
  z.object({
    name: z.string(),
    starts: z.string(),
    /** Webhook of the record's creation. */
    startEmits: z.string().optional(),
    /** Final states. */
    ends: z.array(z.string()),
    /** Every state in the order in which a record can reach them, the final ones last. */
    states: z.array(z.string()),
    moves: z.array(LifecycleMove),
  }),
);

export type LifecycleTable = z.infer<typeof LifecycleTable>;

/** Reply of GET /_sim/lifecycles. */
export const LifecycleTables = named("LifecycleTableList", () =>
  z.object({ data: z.array(LifecycleTable) }),
);

export type LifecycleTables = z.infer<typeof LifecycleTables>;
