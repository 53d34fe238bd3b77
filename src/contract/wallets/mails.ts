import * as z from "zod";
import { Instant } from "../core/scalars.ts";

/** One mail of the inbox (decisions, Inbox). */
export const Mail = z.lazy(() =>
  z
    .object({
      id: z.string(),
      to: z.string(),
      code: z.string(),
      subject: z.string(),
      text: z.string(),
      sentAt: Instant,
      credentialId: z.string(),
      expiresAt: Instant,
      /** Why the code is always refused, where `--crypto` says so. */
      neverValid: z.string().optional(),
    })
    .meta({ id: "Mail" }),
);

export type Mail = z.infer<typeof Mail>;
