import * as z from "zod";
import { pageOf } from "../core/lists.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { DELIVERY_STATES } from "../webhooks/delivery-states.ts";
import { EVENT_TYPES } from "../webhooks/events.ts";
import { LAB_KINDS } from "../webhooks/lab-vectors.ts";
import { TROUBLED } from "../webhooks/troubles.ts";
import { becauseMembers } from "./why.ts";

/** Members of a delivery as lists show it. */
export const webhookMembers = () => ({
  id: z.string(),
  type: enumOf("EventType", EVENT_TYPES),
  /** Set for a delivery that was made by hand. */
  lab: enumOf("LabKind", LAB_KINDS).optional(),
  /** Id of the record that it tells of. */
  about: z.string().optional(),
  /** The receiver's answer to the newest attempt. */
  status: z.int().nullable(),
  state: enumOf("DeliveryState", DELIVERY_STATES),
  /** Kept without being sent, for lack of an endpoint. */
  collected: z.literal(true).optional(),
  /** Reason for giving up, unless its attempts ran out. */
  reason: z.string().optional(),
  /** The trouble that its event met, on purpose. */
  trouble: enumOf("WebhookTroubled", TROUBLED).optional(),
  attempt: z.int(),
  createdAt: Instant,
  tookMs: z.number().optional(),
  sentAt: Instant.optional(),
  error: z.string().optional(),
  nextAttemptAt: Instant.optional(),
});

/** A delivery as lists show it: `status` is the receiver's, `state` the delivery's. */
export const Webhook = z.lazy(() => z.object(webhookMembers()).meta({ id: "Webhook" }));

export type Webhook = z.infer<typeof Webhook>;

/** Reply of GET /_sim/webhooks. */
export const Webhooks = pageOf(Webhook);

export type Webhooks = z.infer<typeof Webhooks>;

/** Reply of GET /_sim/webhooks/wait: the newest of those that were waited for. */
export const AwaitedWebhooks = named("AwaitedWebhooks", () =>
  z.object({
    data: z.array(Webhook),
    hasMore: z.boolean(),
    /** All that were accepted or, while no endpoint is set, collected. */
    count: z.int(),
  }),
);

export type AwaitedWebhooks = z.infer<typeof AwaitedWebhooks>;

/** Reply of GET /_sim/webhooks/ids. */
export const WebhookIds = named("WebhookIds", () => z.object({ data: z.array(z.string()) }));

export type WebhookIds = z.infer<typeof WebhookIds>;

const Headers = named("WebhookHeaders", () => z.record(z.string(), z.string()));

/** Reply of GET /_sim/webhooks/{webhookId}/request. */
export const WebhookRequest = named("WebhookRequest", () =>
  z.object({
    headers: Headers,
    /** The bytes of the body. */
    base64: z.string(),
    /** The text that was signed, where it differs from the one that is sent. */
    signed: z.string().optional(),
  }),
);

export type WebhookRequest = z.infer<typeof WebhookRequest>;

/** Bytes of a whole answer that is shown cut. */
export const CutReply = named("CutReply", () => z.object({ reply: z.int().min(0) }));

const WebhookAttempt = named("WebhookAttempt", () =>
  z.object({
    attempt: z.int(),
    at: Instant,
    status: z.int().nullable(),
    tookMs: z.number(),
    httpStatus: z.int().optional(),
    /** Reason why no answer came. */
    error: z.string().optional(),
    /** First 2 KiB of the answer. */
    reply: z.string().optional(),
    cut: CutReply.optional(),
  }),
);

/** Reply of GET /_sim/webhooks/{webhookId}. */
export const WholeWebhook = named("WebhookDetails", () =>
  z.object({
    ...webhookMembers(),
    cause: z.object({ ...becauseMembers(), rule: z.string().optional() }),
    attempts: z.array(WebhookAttempt),
    headers: Headers,
    /** Fingerprint of the key that it verifies with, or will be signed with. */
    signature: z.object({
      key: z.string(),
      valid: z.boolean().optional(),
      isRetired: z.boolean().optional(),
    }),
    /** The exact body; where its bytes are no text, only an approximation. */
    body: z.string(),
    /** The exact bytes where they are no text. */
    bodyBase64: z.string().optional(),
  }),
);

export type WholeWebhook = z.infer<typeof WholeWebhook>;

/** A delivery that was just sent by hand, with the receiver's answer. */
export const SentWebhook = z.lazy(() =>
  z
    .object({
      ...webhookMembers(),
      tookMs: z.number(),
      reply: z.string().optional(),
      cut: CutReply.optional(),
    })
    .meta({ id: "SentWebhook" }),
);

export type SentWebhook = z.infer<typeof SentWebhook>;
