import * as z from "zod";
import { Fault } from "../platform/faults.ts";

/** Reply of GET /_sim/faults. */
export const Faults = z.lazy(() => z.object({ data: z.array(Fault) }));

export type Faults = z.infer<typeof Faults>;

/** Reply of DELETE /_sim/faults and /_sim/faults/{faultId}: how many were switched off. */
export const ClearedFaults = z.lazy(() => z.object({ cleared: z.int() }));

export type ClearedFaults = z.infer<typeof ClearedFaults>;
