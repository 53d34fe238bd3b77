import * as z from "zod";
import { Instant } from "../core/scalars.ts";

/** One mail of the inbox (spec/inbox.md#mail-fields). */
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
      /** Set for a text message; others are mails. */
      channel: z.literal("sms").optional(),
      /** The reason why the code is always refused, in a mode that refuses it. */
      neverValid: z.string().optional(),
    })
    .meta({ id: "Mail" }),
);

export type Mail = z.infer<typeof Mail>;
