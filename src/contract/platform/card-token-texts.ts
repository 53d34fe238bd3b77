import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { oneLine } from "../core/scalars.ts";

const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine(...oneLine)
    .optional();

const EmailTexts = named("CardTokenization2FAEmailConfig", () =>
  z.object({
    fromAddress: line(255),
    fromName: line(255),
    replyToAddress: line(255),
    subject: line(255),
    bodyText: z.string().max(2_000).optional(),
  }),
);

const SmsTexts = named("CardTokenization2FASmsConfig", () =>
  z.object({ templateSid: line(64), bodyText: z.string().max(480).optional() }),
);

/** Texts of the messages by which a card is added to a phone (spec/later-payments.md#card-token-texts). */
export const CardTokenTexts = named("CardTokenization2FAConfig", () =>
  z.object({
    displayName: line(255),
    logoUrl: z
      .url({ protocol: /^https$/, error: "Expected an https URL" })
      .max(512)
      .refine(...oneLine)
      .optional(),
    email: EmailTexts.optional(),
    sms: SmsTexts.optional(),
  }),
);

export type CardTokenTexts = z.infer<typeof CardTokenTexts>;
