import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Reply of GET / and of GET /_sim: the addresses of a simulator. */
export const SimulatorIndex = named("SimulatorIndex", () =>
  z.object({
    name: z.literal("service-sim"),
    version: z.string(),
    /** Base of the platform's operations. */
    apiUrl: z.string(),
    console: z.string(),
    docs: z.string(),
    openapi: z.string(),
    controlOpenapi: z.string(),
    ready: z.string(),
    status: z.string(),
  }),
);

/** Reply of GET /_sim/live. */
export const Live = named("Liveness", () => z.object({ live: z.literal(true), pid: z.int() }));

/** Reply of GET /_sim/ready. */
export const Ready = named("Readiness", () => z.object({ ready: z.literal(true) }));

/** Reply of POST /_sim/reset. */
export const ResetReport = named("ResetReport", () =>
  z.object({
    world: z.string(),
    fixture: z.string(),
    seed: z.string(),
    dropped: z.object({ records: z.int(), timers: z.int(), webhooks: z.int() }),
  }),
);

export type ResetReport = z.infer<typeof ResetReport>;
