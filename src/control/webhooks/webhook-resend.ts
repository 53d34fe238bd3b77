import * as z from "zod";
import { BooleanQuery } from "../../contract/core/lists.ts";
import { isAccepted } from "../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../contract/webhooks/webhook-lab.ts";
import type { View } from "../../domain/core/draft.ts";
import { positionIn } from "../../domain/core/ids.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { DeliveryRecord } from "../../domain/records/records.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import { recordResend } from "../../domain/webhooks/delivery-consequences.ts";
import type { Call } from "../../http/call.ts";
import { endpoint } from "../../http/endpoint.ts";
import { findId } from "../core/find-id.ts";
import type { WorldControl } from "../core/world-control.ts";

const ForwardedInput = z.lazy(() =>
  z.object({
    status: z.int().min(100).max(599),
    tookMs: z.int().min(0).max(3_600_000),
    signature: z.string().max(1024),
  }),
);

type ForwardedInput = z.infer<typeof ForwardedInput>;

const ResendInput = z.lazy(() => z.object({ resign: z.boolean().optional() }).optional());

/** Sending again what was sent, one at a time, and what there is to send again. */
export const webhookResendEndpoints = (control: WorldControl) => [
  endpoint({
    operationId: "resendWebhook",
    summary:
      "Send the same bytes, id and signature once more, beside the lane and without retries; " +
      "with resign under a fresh signature",
    method: "POST",
    path: "/webhooks/{webhookId}/resend",
    permission: "none",
    body: ResendInput,
    replies: [200, z.looseObject({ id: z.string(), state: z.string() })],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS", "WEBHOOK_ENDPOINT_NOT_SET"],
    handle: ({ params: { webhookId }, body }, call) => {
      const id = call.read(() => findId(control.engine.state, webhookId, ["Delivery"]), undefined);
      return resend({ id, resign: body?.resign === true }, call, control);
    },
  }),
  endpoint({
    operationId: "forwardedWebhook",
    summary: "Report that another place was sent this delivery and accepted it: 2xx or 409",
    method: "POST",
    path: "/webhooks/{webhookId}/forwarded",
    permission: "none",
    body: ForwardedInput,
    replies: [200, z.looseObject({ id: z.string(), state: z.string() })],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS", "INVALID_INPUT"],
    handle: ({ params: { webhookId }, body }, call) => {
      const id = call.read(() => findId(control.engine.state, webhookId, ["Delivery"]), undefined);
      return takeForwarded({ id, ...body }, call, control);
    },
  }),
  endpoint({
    operationId: "webhookIds",
    summary: "Ids of deliveries, oldest first: from one to another, or those nobody took",
    method: "GET",
    path: "/webhooks/ids",
    permission: "none",
    query: {
      from: z.string().optional(),
      to: z.string().optional(),
      failed: BooleanQuery.optional(),
    },
    replies: [200, z.object({ data: z.array(z.string()) })],
    refuses: ["ID_NOT_FOUND", "ID_AMBIGUOUS"],
    handle: ({ query }, call) =>
      call.read((view) => ({ data: idsOf(view, query, control) }), undefined),
  }),
];

/** What the header of the newest attempt said: the same delivery again has the same one. */
const signatureSent = ({ attempts }: DeliveryRecord) => attempts.at(-1)?.signature;

const resend = async (
  { id, resign }: { id: string; resign: boolean },
  call: Call,
  { engine }: WorldControl,
) => {
  const sent = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const answer = await call.deliveries.resend(id, resign ? undefined : signatureSent(sent));
  if (!answer) return refuse("WEBHOOK_ENDPOINT_NOT_SET");
  call.sawEverything();
  const delivery = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const { httpStatus, reply, error, tookMs } = answer;
  const { error: _before, ...shown } = showDelivery(delivery);
  return {
    ...shown,
    status: httpStatus ?? null,
    tookMs,
    ...(reply !== undefined && { reply }),
    ...(error !== undefined && { error }),
  };
};

const takeForwarded = (
  { id, status: httpStatus, tookMs, signature }: ForwardedInput & { id: string },
  call: Call,
  { engine }: WorldControl,
) => {
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

/** Sent, or to be sent, and not taken by anyone so far; what is wrong on purpose is not meant. */
const hasFailed = ({ state, attemptCount, lab }: DeliveryRecord) =>
  !isWrongOnPurpose(lab) &&
  (state === "GIVEN_UP" || state === "UNDELIVERABLE" || (state === "RETRYING" && attemptCount > 0));

interface IdsQuery {
  from?: string | undefined;
  to?: string | undefined;
  failed?: boolean | undefined;
}

const idsOf = (view: View, { from, to, failed }: IdsQuery, { engine }: WorldControl) => {
  const all = view.ids("Delivery", "all", "");
  const placeOf = (text: string) => positionIn(all, findId(engine.state, text, ["Delivery"]));
  const first = from === undefined ? 0 : placeOf(from);
  const last = to === undefined ? all.length - 1 : placeOf(to);
  if (from !== undefined && to !== undefined && first > last)
    refuse("INVALID_INPUT", { field: "to" }, `Expected ${from} before ${to} but found it after`);
  const within = all.slice(first, last + 1);
  return failed === true
    ? within.filter((id) => hasFailed(view.get("Delivery", id) as DeliveryRecord))
    : within;
};
