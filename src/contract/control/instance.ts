import * as z from "zod";

/** Reply of GET /_sim/live. */
export const Live = z.lazy(() => z.object({ live: z.literal(true) }));

/** Reply of GET /_sim/ready. */
export const Ready = z.lazy(() => z.object({ ready: z.literal(true) }));

/** Reply of POST /_sim/reset. */
export const ResetReport = z.lazy(() =>
  z.object({
    world: z.string(),
    fixture: z.string(),
    seed: z.string(),
    dropped: z.object({ records: z.int(), timers: z.int(), webhooks: z.int() }),
  }),
);

export type ResetReport = z.infer<typeof ResetReport>;
