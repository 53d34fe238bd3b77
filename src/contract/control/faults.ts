import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Fault } from "../platform/faults.ts";

/** Reply of GET /_sim/faults. */
export const Faults = named("FaultList", () => z.object({ data: z.array(Fault) }));

export type Faults = z.infer<typeof Faults>;

/** Reply of DELETE /_sim/faults and /_sim/faults/{faultId}: how many were switched off. */
export const ClearedFaults = named("ClearedCount", () => z.object({ cleared: z.int() }));

export type ClearedFaults = z.infer<typeof ClearedFaults>;
