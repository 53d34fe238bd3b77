import { ReceiverReport, SentVector } from "../../contract/control/webhook-lab.ts";
import { SentWebhook } from "../../contract/control/webhooks.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { defined } from "../../contract/core/defined.ts";
import {
  EVENT_TYPES,
  type EventType,
  eventSince,
  isEventType,
} from "../../contract/webhooks/events.ts";
import { VECTORS, type Vector } from "../../contract/webhooks/lab-vectors.ts";
import {
  type Judgement,
  judgeAnswer,
  TriggerInput,
  VectorInput,
} from "../../contract/webhooks/webhook-lab.ts";
import { parseDuration } from "../../domain/core/durations.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { asSentence, isChanged, takenElsewhere } from "../../domain/core/revision.ts";
import { showDelivery } from "../../domain/webhooks/deliveries.ts";
import { makeVector, triggerEvent } from "../../domain/webhooks/lab-events.ts";
import type { Call } from "../../http/door/call.ts";
import { endpoint } from "../core/control-endpoint.ts";
import type { World } from "../core/world.ts";
import { requireKeyFor, sendMade } from "./lab-sending.ts";
import { checkReceiver } from "./receiver-check.ts";

/** Default type of a vector. */
const USUAL_TYPE = "OUTGOING_PAYMENT.COMPLETED";

/** Deliveries made by hand: right ones, and wrong ones on purpose. */
export const webhookLabEndpoints = [
  endpoint({
    operationId: "triggerWebhook",
    summary: "Send a correctly signed event of any type: an example, or your own bytes",
    method: "POST",
    path: "/webhooks/trigger",
    body: TriggerInput,
    replies: [200, SentWebhook],
    refuses: ["EVENT_TYPE_UNKNOWN", "INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_SET"],
    handle: ({ body: { type: name, set, raw } }, call, world) => {
      const type = requireEventType(name, world);
      const bytes = raw === undefined ? undefined : Buffer.from(raw, "base64");
      const id = call.commit(triggerEvent, { type, set, raw: bytes });
      return sendMade({ id }, call, world);
    },
  }),
  endpoint({
    operationId: "sendVector",
    summary: "Send the receiver a delivery that it must reject or tolerate",
    method: "POST",
    path: "/webhooks/vectors",
    body: VectorInput,
    replies: [200, SentVector],
    refuses: [
      "EVENT_TYPE_UNKNOWN",
      "INVALID_DURATION",
      "INVALID_INPUT",
      "NO_RETIRED_KEY",
      "WEBHOOK_ENDPOINT_NOT_SET",
    ],
    handle: ({ body }, call, world) => sendVector(body, call, world),
  }),
  endpoint({
    operationId: "checkReceiver",
    summary: "Send the endpoint good, tampered and wrongly signed deliveries and judge its answers",
    method: "POST",
    path: "/webhooks/check",
    replies: [200, ReceiverReport],
    refuses: ["WEBHOOK_ENDPOINT_NOT_SET"],
    handle: (_input, call, world) => checkReceiver(call, world),
  }),
];

const requireEventType = (name: string, { engine: { state } }: World): EventType => {
  const since = isEventType(name) ? eventSince(name) : undefined;
  if (since && !isChanged(state, since))
    return refuse(
      "EVENT_TYPE_UNKNOWN",
      { type: name },
      {
        says: `This world has no event type "${name}"`,
        next: asSentence(takenElsewhere(state, since)),
      },
    );
  if (isEventType(name)) return name;
  const closest = closestTo(name, EVENT_TYPES);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  const says = `No event type "${name}"${hint}`;
  return refuse("EVENT_TYPE_UNKNOWN", { type: name, ...defined({ closest }) }, says);
};

const delayOf = (after: string | undefined) =>
  after === undefined
    ? undefined
    : (parseDuration(after) ?? refuse("INVALID_DURATION", { field: "after", value: after }));

const sendVector = async (
  { vector, type: name = USUAL_TYPE, set, after }: VectorInput,
  call: Call,
  world: World,
): Promise<SentVector> => {
  const wanted = { vector, type: requireEventType(name, world), set, afterMs: delayOf(after) };
  requireKeyFor(vector, world);
  const ids = call.commit(makeVector, wanted);
  const { what, expects } = VECTORS[vector];
  const deliveries =
    expects === "wait"
      ? ids.map((id) => waiting(id, vector, world))
      : await sendInOrder({ ids, expects }, call, world);
  return { vector, what, expects, ok: deliveries.every(({ verdict }) => verdict.ok), deliveries };
};

const sendInOrder = async (
  { ids, expects }: { ids: readonly string[]; expects: "refuse" | "take" },
  call: Call,
  world: World,
) => {
  const sent = [];
  for (const id of ids) {
    const delivery = await sendMade({ id }, call, world);
    const httpStatus = delivery.status ?? undefined;
    const verdict = judgeAnswer(expects, { type: delivery.type, httpStatus });
    sent.push({ ...delivery, verdict });
  }
  return sent;
};

/** Shows a delivery that is sent later or never: there is nothing to judge yet. */
const waiting = (id: string, vector: Vector, { engine }: World) => {
  const delivery = engine.state.get("Delivery", id) ?? refuse("ID_NOT_FOUND", { id });
  const says = vector === "dropped" ? "never sent" : "sent later";
  const verdict: Judgement = { ok: true, says };
  return { ...showDelivery(delivery), verdict };
};
