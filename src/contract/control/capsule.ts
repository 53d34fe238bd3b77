import * as z from "zod";

/** Body of POST /_sim/capsule. */
export const CapsuleInput = z.lazy(() =>
  z.object({
    /** Name of the file, for others who want to record. */
    name: z.string().max(200).optional(),
    /** Keeps every secret. */
    withSecrets: z.boolean().optional(),
  }),
);

/** The end of a recording. */
export const CapsuleEnded = z.lazy(() =>
  z.object({
    /** Calls that the capsule has. */
    requests: z.int(),
  }),
);

export type CapsuleEnded = z.infer<typeof CapsuleEnded>;
