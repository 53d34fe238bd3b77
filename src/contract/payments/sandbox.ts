import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { named } from "../core/named-shape.ts";
import { AmountInput } from "../core/scalars.ts";

/**
 * Reply of POST /sandbox/webhooks/test, in snake case as the API publishes it
 * (spec/webhooks.md#test-webhook).
 */
export const WebhookTestReply = z.lazy(() =>
  z
    .object({
      response_status: z.int(),
      url: z.url(),
      /** The first 2 KiB of the answer, for a receiver on loopback only. */
      response_body: z.string().optional(),
    })
    .meta({ id: "WebhookTestReply" }),
);

export type WebhookTestReply = z.infer<typeof WebhookTestReply>;

/**
 * Body of POST /sandbox/send; the default amount is the quote's total
 * (spec/sandbox.md#sending-funds).
 */
export const SendInput = named("SandboxSendInput", () =>
  z.object({
    quoteId: AnyId,
    currencyCode: z.string(),
    currencyAmount: AmountInput.optional(),
  }),
);

export type SendInput = z.infer<typeof SendInput>;

/**
 * Body of POST /sandbox/uma/receive; one receiver field is required
 * (spec/uma-payments.md#receive-request).
 */
export const UmaReceiveInput = named("SandboxUmaReceiveInput", () =>
  z.object({
    senderUmaAddress: z.string(),
    receivingCurrencyCode: z.string(),
    receivingCurrencyAmount: AmountInput,
    receiverUmaAddress: z.string().optional(),
    customerId: AnyId.optional(),
  }),
);

export type UmaReceiveInput = z.infer<typeof UmaReceiveInput>;
