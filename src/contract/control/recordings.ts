import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** A call that was refused, as the recording of a world tells of it. */
export const RefusedCall = named("RefusedCall", () =>
  z.object({
    requestId: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    code: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
  }),
);

export type RefusedCall = z.infer<typeof RefusedCall>;

/** Reply of GET /_sim/worlds/{name}/recording. */
export const WorldRecording = named("WorldRecording", () =>
  z.object({
    world: z.string(),
    /** Calls that it has. */
    calls: z.int(),
    /** The newest calls that were refused, the newest last. */
    refused: z.array(RefusedCall),
    /** The newest webhooks, the newest last. */
    webhooks: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        about: z.string().optional(),
        state: z.string(),
        /** HTTP status of the newest attempt, or the reason why no answer came. */
        answer: z.string().optional(),
      }),
    ),
    /** The text of the file; left out when the run was too long. */
    capsule: z.string().optional(),
    /** Says why there is no capsule, and what to do instead. */
    left: z.string().optional(),
  }),
);

export type WorldRecording = z.infer<typeof WorldRecording>;
