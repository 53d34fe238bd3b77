import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { AmountInput } from "../core/scalars.ts";

/** Reply of POST /sandbox/webhooks/test; snake case as published (platform digest 12.2). */
export const WebhookTestReply = z.lazy(() =>
  z
    .object({
      response_status: z.int(),
      url: z.url(),
      /** The first 2 KiB of the answer, from loopback alone. */
      response_body: z.string().optional(),
    })
    .meta({ id: "WebhookTestReply" }),
);

export type WebhookTestReply = z.infer<typeof WebhookTestReply>;

/** Body of POST /sandbox/send (payments digest 13.2); the quote's total when no amount is given. */
export const SendInput = z.lazy(() =>
  z.object({
    quoteId: AnyId,
    currencyCode: z.string(),
    currencyAmount: AmountInput.optional(),
  }),
);

export type SendInput = z.infer<typeof SendInput>;

/** Body of POST /sandbox/uma/receive (payments digest 13.3); one receiver field is needed. */
export const UmaReceiveInput = z.lazy(() =>
  z.object({
    senderUmaAddress: z.string(),
    receivingCurrencyCode: z.string(),
    receivingCurrencyAmount: AmountInput,
    receiverUmaAddress: z.string().optional(),
    customerId: AnyId.optional(),
  }),
);

export type UmaReceiveInput = z.infer<typeof UmaReceiveInput>;
