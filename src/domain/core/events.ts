import { defined } from "../../contract/core/defined.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import { type Draft, instant, type Moment } from "./draft.ts";
import { treatmentOf } from "./event-troubles.ts";
import { platformConfig } from "./platform-config.ts";

interface EventData {
  id?: string;
  code?: string;
}

/**
 * Records an event. The envelope's bytes are fixed here and sent unchanged in every attempt
 * (spec/events.md#envelope). Its lane is its resource.
 * @returns the id of the event, which is the id of its delivery
 */
export const emit = (
  draft: Draft,
  moment: Moment,
  event: { type: EventType; data: EventData },
): string => {
  const { type, data } = event;
  const id = moment.newId("Webhook");
  const about = data.id ?? data.code;
  const deliverable = platformConfig(draft).webhookEndpoint !== undefined;
  const told = { id, type, ...defined({ about }) };
  const trouble = deliverable ? treatmentOf(draft, told, moment) : undefined;
  draft.emit({
    id,
    type,
    lane: about ?? id,
    ...defined({ about }),
    body: JSON.stringify({ id, type, timestamp: instant(moment.atMs), data }),
    deliverable,
    ...defined({ trouble }),
  });
  return id;
};
