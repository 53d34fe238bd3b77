import * as z from "zod";
import { PageQuery } from "../contract/lists.ts";
import { verifyBytes } from "../crypto/ecdsa.ts";
import { instant, type View } from "../domain/draft.ts";
import { page } from "../domain/lists.ts";
import type { DeliveryRecord } from "../domain/records.ts";
import { refuse } from "../domain/refusal.ts";
import { endpoint } from "../http/endpoint.ts";
import { TextReply } from "../http/text-reply.ts";
import type { WorldControl } from "./world-control.ts";

/** What was sent, what is waiting, and how receivers check it. */
export const webhookEndpoints = (control: WorldControl) => [
  endpoint({
    operationId: "webhooks",
    summary: "Deliveries, newest first",
    method: "GET",
    path: "/webhooks",
    permission: "none",
    query: PageQuery,
    replies: [200, z.looseObject({ data: z.array(z.looseObject({})), hasMore: z.boolean() })],
    refuses: [],
    handle: (input, call) =>
      call.read(
        (view) => page(view, { kind: "Delivery", input, indexed: [], show: showDelivery }),
        undefined,
      ),
  }),
  endpoint({
    operationId: "webhookKey",
    summary: "The public key that verifies X-Service-Signature, as PEM",
    method: "GET",
    path: "/webhooks/key",
    permission: "none",
    replies: [200, z.string()],
    refuses: [],
    handle: () => new TextReply(control.key.publicPem),
  }),
  endpoint({
    operationId: "webhook",
    summary: "One delivery: its attempts, its cause and its exact bytes",
    method: "GET",
    path: "/webhooks/{webhookId}",
    permission: "none",
    replies: [200, z.looseObject({ id: z.string(), body: z.string() })],
    refuses: ["ID_NOT_FOUND"],
    handle: ({ params: { webhookId } }, call) =>
      call.read((view) => showWhole(view, webhookId, control), undefined),
  }),
];

const showDelivery = (_view: View, delivery: DeliveryRecord) => {
  const last = delivery.attempts.at(-1);
  return {
    id: delivery.id,
    type: delivery.type,
    ...(delivery.about !== undefined && { about: delivery.about }),
    status: last?.httpStatus ?? null,
    state: delivery.state,
    attempt: delivery.attemptCount,
    createdAt: instant(delivery.bornAtMs),
    ...(last && { tookMs: last.tookMs, sentAt: instant(last.atMs) }),
    ...(last?.error !== undefined && { error: last.error }),
    ...(delivery.nextAttemptAtMs !== undefined && {
      nextAttemptAt: instant(delivery.nextAttemptAtMs),
    }),
  };
};

const showWhole = (view: View, id: string, { key }: WorldControl) => {
  const delivery = view.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const body = view.get("Event", id)?.body ?? "";
  const signature = delivery.attempts.at(-1)?.signature;
  return {
    ...showDelivery(view, delivery),
    cause: { id: delivery.cause, ...(delivery.rule !== undefined && { rule: delivery.rule }) },
    attempts: delivery.attempts.map(({ atMs, httpStatus, signature: _sent, ...attempt }) => ({
      at: instant(atMs),
      status: httpStatus ?? null,
      ...attempt,
    })),
    headers: {
      "content-type": "application/json",
      ...(signature !== undefined && { "X-Service-Signature": signature }),
    },
    signature: {
      key: key.fingerprint,
      ...(signature !== undefined && {
        valid: verifyBytes(key.publicPem, Buffer.from(body), signature),
      }),
    },
    body,
  };
};
