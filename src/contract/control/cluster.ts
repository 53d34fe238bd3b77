import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** One process of a store that several processes share. */
const StoreProcess = named("StoreProcess", () =>
  z.object({
    id: z.string(),
    /** Host and port at which the others reach it; absent where they do not. */
    peer: z.string().optional(),
    version: z.string(),
    /** The newest state format that it reads and writes. */
    knows: z.int(),
    /** Number of worlds that it has in memory. */
    worlds: z.int(),
    /** Time until its lease ends, if it does not renew it; not above 0 once it has ended. */
    leaseLeftMs: z.number(),
  }),
);

/** Reply of GET /_sim/cluster: the processes that share the store, as this one sees them. */
export const Cluster = named("Cluster", () =>
  z.object({
    /** Id of the process that answers. */
    process: z.string(),
    /** The state format that all of them write. */
    format: z.int(),
    /** All whose lease holds or ended within the hour; none while the store does not answer. */
    processes: z.array(StoreProcess),
    /** Trouble of this process with the store; absent where there is none. */
    trouble: z.string().optional(),
  }),
);

export type Cluster = z.infer<typeof Cluster>;
