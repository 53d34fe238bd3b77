import { shapeIn } from "../../contract/core/revised-shape.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { ApproveInput } from "../../contract/payments/transactions.ts";
import { eventName, spelledEvent } from "../../contract/webhooks/event-payloads.ts";
import { EVENT_SUMMARIES } from "../../contract/webhooks/event-summaries.ts";
import { type EventType, eventsOf } from "../../contract/webhooks/events.ts";
import { instant } from "../../domain/core/draft.ts";
import { exampleIn } from "../../domain/webhooks/later-examples.ts";
import type { DescribedAnswer, DescribedWebhook } from "../../http/openapi/webhooks.ts";
import { momentAt } from "../../runtime/ids.ts";

/** Source of the examples: every document has the same ones. */
const EXAMPLE_AT_MS = Date.UTC(2026, 0, 5, 9);
const EXAMPLE_SEED = "example";

/** Answers of a receiver that end a delivery (spec/webhooks.md#acceptance). */
const ACCEPTED: readonly DescribedAnswer[] = [
  { status: "2XX", says: "The event is accepted" },
  { status: "409", says: "The event is accepted: the receiver already has it" },
];

/** Answers of a receiver that decide about a payment (spec/uma-payments.md#approval-answers). */
const DECIDED: readonly DescribedAnswer[] = [
  { status: "200", says: "The payment is approved", body: ApproveInput.unwrap() },
  { status: "202", says: "A call of approveTransaction or rejectTransaction follows" },
  { status: "403", says: "The payment is rejected" },
  { status: "422", says: "More information about the sender is requested: the payment fails" },
];

const answersTo = (type: EventType) => (type === "INCOMING_PAYMENT.PENDING" ? DECIDED : ACCEPTED);

const summaryOf = ([type = "TEST", ...others]: readonly EventType[]) => {
  const spelled = others.length === 0 ? "" : `; also spelled ${others.join(", ")}`;
  return EVENT_SUMMARIES[type] + spelled;
};

/** An event as it would be sent, about a resource that exists nowhere. */
const exampleOf = (type: EventType, revision: Revision) => {
  const moment = momentAt(EXAMPLE_AT_MS, { seed: EXAMPLE_SEED, branch: 0, counter: 0, seq: 1 });
  const data = exampleIn(revision, type, moment);
  return { id: moment.newId("Webhook"), type, timestamp: instant(EXAMPLE_AT_MS), data };
};

/** Every webhook of the platform, with the shape of its body and an example (spec/events.md#types). */
export const describedWebhooks = (revision: Revision): DescribedWebhook[] =>
  eventsOf(revision).map((types) => {
    const [type = "TEST"] = types;
    return {
      name: type,
      operationId: eventName(type),
      summary: summaryOf(types),
      body: shapeIn(spelledEvent(types), revision),
      example: exampleOf(type, revision),
      answers: answersTo(type),
    };
  });
