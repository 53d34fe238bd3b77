import * as z from "zod";
import {
  AwaitedWebhooks,
  type Webhook,
  WebhookRequest,
  Webhooks,
  WholeWebhook,
} from "../../contract/control/webhooks.ts";
import { defined } from "../../contract/core/defined.ts";
import { PageQuery } from "../../contract/core/lists.ts";
import { enumOf } from "../../contract/core/named-shape.ts";
import { DELIVERY_STATES } from "../../contract/webhooks/delivery-states.ts";
import { EVENT_TYPES, type EventType } from "../../contract/webhooks/events.ts";
import { verifyBytes } from "../../crypto/ecdsa.ts";
import {
  bareSignature,
  signatureHeader,
  type WebhookKeys,
} from "../../crypto/webhook-signature.ts";
import { brandIn } from "../../domain/core/brand.ts";
import { instant, type View } from "../../domain/core/draft.ts";
import { parseDuration, showDuration } from "../../domain/core/durations.ts";
import { page } from "../../domain/core/lists.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { DeliveryAttempt, DeliveryRecord } from "../../domain/records/records.ts";
import { bytesOf, DELIVERY_BOUNDS, showDelivery } from "../../domain/webhooks/deliveries.ts";
import type { Call } from "../../http/door/call.ts";
import { TextReply } from "../../http/message/text-reply.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { findPresentId } from "../core/present-ids.ts";
import { LONGEST_WAIT_MS } from "../core/wait-until.ts";
import type { World } from "../core/world.ts";
import { becauseOfDelivery } from "../why/why-causes.ts";
import { type Since, waitForWebhooks } from "./webhook-wait.ts";

const WaitCount = z
  .string()
  .regex(/^[1-9][0-9]{0,3}$/, `Expected a whole number from 1 to ${DELIVERY_BOUNDS.ended}`)
  .transform(Number)
  .pipe(z.number().max(DELIVERY_BOUNDS.ended))
  .optional();

const AttemptNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,3}$/, "Expected a whole number from 1 to 9999")
  .transform(Number);

const DEFAULT_WAIT = "5s";

/** Most deliveries listed in the answer to a wait; the rest is counted. */
const MAX_SHOWN = 100;

/** Deliveries, sent and waiting, and the key that verifies them. */
export const webhookEndpoints = [
  endpoint({
    operationId: "webhooks",
    summary: "Deliveries, newest first",
    method: "GET",
    path: "/webhooks",
    query: {
      ...PageQuery,
      type: enumOf("EventType", EVENT_TYPES).optional(),
      state: enumOf("DeliveryState", DELIVERY_STATES).optional(),
      about: z.string().optional(),
    },
    replies: [200, Webhooks],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: (input, call, world) =>
      call.read((view) => listDeliveries(view, input, world), undefined),
  }),
  endpoint({
    operationId: "webhookKey",
    summary: "The public key that verifies X-Service-Signature, as PEM",
    method: "GET",
    path: "/webhooks/key",
    replies: [200, z.string(), "text/plain"],
    refuses: [],
    handle: (_input, _call, world) => new TextReply(world.keys().current.publicPem),
  }),
  endpoint({
    operationId: "waitForWebhooks",
    summary:
      "Answer once N webhooks of a type have been accepted, counting earlier ones; " +
      "without an endpoint, stored ones count too",
    method: "GET",
    path: "/webhooks/wait",
    query: {
      type: enumOf("EventType", EVENT_TYPES),
      count: WaitCount,
      about: z.string().optional(),
      since: z.string().optional(),
      timeout: z.string().optional(),
    },
    replies: [200, AwaitedWebhooks],
    refuses: ["INVALID_DURATION", "WEBHOOK_DID_NOT_COME", "ID_NOT_FOUND", "ID_AMBIGUOUS"],
    outlivesReset: true,
    handle: ({ query }, call, world) => waitFor(query, call, world),
  }),
  endpoint({
    operationId: "webhookRequest",
    summary: "The headers and bytes of one attempt, or of an unsent event as it would be sent",
    method: "GET",
    path: "/webhooks/{webhookId}/request",
    query: { attempt: AttemptNumber.optional() },
    replies: [200, WebhookRequest],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { webhookId }, query }, call, world) =>
      call.read((view) => requestOf(view, { webhookId, ...query }, world), undefined),
  }),
  endpoint({
    operationId: "webhook",
    summary: "One delivery: its attempts, its cause and its exact bytes; a short id is enough",
    method: "GET",
    path: "/webhooks/{webhookId}",
    replies: [200, WholeWebhook],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ params: { webhookId } }, call, world) =>
      call.read((view) => showWhole(view, webhookId, world), undefined),
  }),
];

interface WaitQuery {
  type: EventType;
  count?: number | undefined;
  about?: string | undefined;
  since?: string | undefined;
  timeout?: string | undefined;
}

const waitFor = async (
  { type, count = 1, about, since, timeout }: WaitQuery,
  call: Call,
  world: World,
): Promise<AwaitedWebhooks> => {
  const timeoutMs = timeoutOf(timeout);
  const deliveries = await waitForWebhooks(world, {
    type,
    count,
    timeoutMs,
    ...aboutOf(world, about),
    ...sinceOf(world, since),
  });
  call.sawEverything();
  const data = deliveries.slice(-MAX_SHOWN).reverse().map(showDelivery);
  return { data, hasMore: deliveries.length > data.length, count: deliveries.length };
};

interface ListQuery {
  query: {
    type?: string | undefined;
    state?: string | undefined;
    about?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  };
}

const listDeliveries = (view: View, input: ListQuery, world: World): Webhooks => {
  const { type, state } = input.query;
  const { about } = aboutOf(world, input.query.about);
  const asksMore = type !== undefined || about !== undefined;
  const fits = (delivery: DeliveryRecord) =>
    (type ?? delivery.type) === delivery.type && (about ?? delivery.about) === delivery.about;
  return page<"Delivery", Webhook>(view, {
    kind: "Delivery",
    input,
    indexed: [["byState", state]],
    ...(asksMore && { where: fits }),
    show: (_view, delivery) => showDelivery(delivery),
  });
};

const aboutOf = (world: World, text: string | undefined) =>
  text === undefined ? {} : { about: findPresentId(world, text) };

/** An instant like 2026-01-05T09:00:00Z, or the id of the last webhook that was seen. */
const sinceOf = (world: World, text: string | undefined): { since?: Since } => {
  if (text === undefined) return {};
  return z.iso.datetime({ offset: true }).safeParse(text).success
    ? { since: { fromMs: Date.parse(text) } }
    : { since: { after: findPresentId(world, text, ["Delivery"]) } };
};

const timeoutOf = (text = DEFAULT_WAIT) => {
  const timeoutMs =
    parseDuration(text) ?? refuse("INVALID_DURATION", { field: "timeout", value: text });
  if (timeoutMs <= LONGEST_WAIT_MS) return timeoutMs;
  const says = `Expected timeout up to ${showDuration(LONGEST_WAIT_MS)} but found "${text}"`;
  return refuse("INVALID_INPUT", { field: "timeout", value: text }, says);
};

const showWholeAttempt = ({ atMs, httpStatus, signature: _sent, ...attempt }: DeliveryAttempt) => ({
  at: instant(atMs),
  status: httpStatus ?? null,
  ...attempt,
});

const requestOf = (
  view: View,
  { webhookId, attempt }: { webhookId: string; attempt?: number | undefined },
  world: World,
): WebhookRequest => {
  const id = findPresentId(world, webhookId, ["Delivery"]);
  const { attempts } = view.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const event = view.get("Event", id) ?? refuse("ID_NOT_FOUND", { id });
  const bytes = bytesOf(event, brandIn(view));
  const made = attempts.find((candidate) => candidate.attempt === attempt) ?? attempts.at(-1);
  const { current, form } = world.keys();
  const signature = made?.signature ?? signatureHeader(form, current, bytes);
  return {
    headers: headersWith(signature),
    base64: bytes.toString("base64"),
    ...defined({ signed: event.signed }),
  };
};

const headersWith = (signature: string | undefined): Record<string, string> => ({
  "content-type": "application/json",
  ...(signature !== undefined && { "X-Service-Signature": signature }),
});

const showWhole = (view: View, text: string, world: World): WholeWebhook => {
  const id = findPresentId(world, text, ["Delivery"]);
  const delivery = view.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const event = view.get("Event", id) ?? { id, body: "" };
  const signature = delivery.attempts.at(-1)?.signature;
  return {
    ...showDelivery(delivery),
    cause: {
      ...becauseOfDelivery(world, delivery),
      ...defined({ rule: delivery.rule }),
    },
    attempts: delivery.attempts.map(showWholeAttempt),
    headers: headersWith(signature),
    signature: signatureOf(world.keys(), bytesOf(event, brandIn(view)), signature),
    body: event.body,
    ...defined({ bodyBase64: event.base64 }),
  };
};

/** Finds the key that a signature verifies with: the current one, or a retired one. */
const signatureOf = (
  { current, retired }: WebhookKeys,
  body: Buffer,
  signature: string | undefined,
) => {
  if (signature === undefined) return { key: current.fingerprint };
  const key = [current, ...retired].find(({ publicPem }) =>
    verifyBytes(publicPem, body, bareSignature(signature)),
  );
  return {
    key: (key ?? current).fingerprint,
    valid: key !== undefined,
    ...(key && key !== current && { isRetired: true }),
  };
};
