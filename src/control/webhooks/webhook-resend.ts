import * as z from "zod";
import { SentWebhook, Webhook, WebhookIds } from "../../contract/control/webhooks.ts";
import { defined } from "../../contract/core/defined.ts";
import { BooleanQuery } from "../../contract/core/lists.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../contract/webhooks/lab-vectors.ts";
import type { View } from "../../domain/core/draft.ts";
import { positionIn } from "../../domain/core/ids.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import { recordResend } from "../../domain/webhooks/delivery-consequences.ts";
import { refuseWithoutEndpoint } from "../../domain/webhooks/no-endpoint.ts";
import type { Call } from "../../http/door/call.ts";
import { endpoint } from "../core/control-endpoint.ts";
import { findPresentId } from "../core/present-ids.ts";
import type { World } from "../core/world.ts";

const ForwardedInput = z.lazy(() =>
  z.object({
    status: z.int().min(100).max(599),
    tookMs: z.int().min(0).max(3_600_000),
    signature: z.string().max(1024),
  }),
);

type ForwardedInput = z.infer<typeof ForwardedInput>;

const ResendInput = z.lazy(() => z.object({ resign: z.boolean().optional() }).optional());

/** Resending deliveries one at a time, and listing those that can be resent. */
export const webhookResendEndpoints = [
  endpoint({
    operationId: "resendWebhook",
    summary:
      "Redeliver the same bytes, id and signature at once, without retries; " +
      "with resign, signed again with the current key",
    method: "POST",
    path: "/webhooks/{webhookId}/resend",
    body: ResendInput,
    replies: [200, SentWebhook],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS", "WEBHOOK_ENDPOINT_NOT_SET"],
    handle: ({ params: { webhookId }, body }, call, world) => {
      const id = call.read(() => findPresentId(world, webhookId, ["Delivery"]), undefined);
      return resend({ id, resign: body?.resign === true }, call, world);
    },
  }),
  endpoint({
    operationId: "forwardedWebhook",
    summary: "Report that a second URL accepted this delivery: 2xx or 409",
    method: "POST",
    path: "/webhooks/{webhookId}/forwarded",
    body: ForwardedInput,
    replies: [200, Webhook],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS", "INVALID_INPUT"],
    handle: ({ params: { webhookId }, body }, call, world) => {
      const id = call.read(() => findPresentId(world, webhookId, ["Delivery"]), undefined);
      return takeForwarded({ id, ...body }, call, world);
    },
  }),
  endpoint({
    operationId: "webhookIds",
    summary: "Ids of deliveries, oldest first: from one to another, or those not yet accepted",
    method: "GET",
    path: "/webhooks/ids",
    query: {
      from: z.string().optional(),
      to: z.string().optional(),
      failed: BooleanQuery.optional(),
    },
    replies: [200, WebhookIds],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ query }, call, world) =>
      call.read((view) => ({ data: idsOf(view, query, world) }), undefined),
  }),
];

/** The header of the newest attempt, which a repeated delivery carries again. */
const signatureSent = ({ attempts }: DeliveryRecord) => attempts.at(-1)?.signature;

const resend = async (
  { id, resign }: { id: string; resign: boolean },
  call: Call,
  { engine }: World,
): Promise<SentWebhook> => {
  const sent = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const answer = await call.deliveries.resend(id, resign ? undefined : signatureSent(sent));
  if (!answer) return refuseWithoutEndpoint();
  call.sawEverything();
  const delivery = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const { httpStatus, reply, cut, error, tookMs } = answer;
  const { error: _before, ...shown } = showDelivery(delivery);
  return {
    ...shown,
    status: httpStatus ?? null,
    tookMs,
    ...defined({ reply, cut, error }),
  };
};

const takeForwarded = (
  { id, status: httpStatus, tookMs, signature }: ForwardedInput & { id: string },
  call: Call,
  { engine }: World,
): Webhook => {
  const { type } = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  if (!isAccepted(type, httpStatus))
    refuse(
      "INVALID_INPUT",
      { field: "status", value: httpStatus },
      `${httpStatus} does not accept ${type}: report 2xx or 409`,
    );
  const atMs = engine.clock.now();
  call.commit(recordResend, { deliveryId: id, atMs, tookMs, httpStatus, signature });
  const delivery = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  return showDelivery(delivery);
};

/** Tests for deliveries that were not accepted; those made wrong on purpose are left out. */
const hasFailed = ({ state, attemptCount, lab }: DeliveryRecord) =>
  !isWrongOnPurpose(lab) &&
  (state === "GIVEN_UP" || state === "UNDELIVERABLE" || (state === "RETRYING" && attemptCount > 0));

interface IdsQuery {
  from?: string | undefined;
  to?: string | undefined;
  failed?: boolean | undefined;
}

const idsOf = (view: View, { from, to, failed }: IdsQuery, world: World) => {
  const all = view.ids("Delivery", "all", "");
  const placeOf = (text: string) => positionIn(all, findPresentId(world, text, ["Delivery"]));
  const first = from === undefined ? 0 : placeOf(from);
  const last = to === undefined ? all.length - 1 : placeOf(to);
  if (from !== undefined && to !== undefined && first > last)
    refuse("INVALID_INPUT", { field: "to" }, `Expected ${from} before ${to} but found it after`);
  const within = all.slice(first, last + 1);
  return failed === true
    ? within.filter((id) => hasFailed(view.get("Delivery", id) as DeliveryRecord))
    : within;
};
