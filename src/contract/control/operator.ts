import * as z from "zod";

/** Reply of GET and PUT /_sim/rates: units of each currency for one US dollar. */
export const Rates = z.lazy(() => z.object({ perUsd: z.record(z.string(), z.string()) }));
