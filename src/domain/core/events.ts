import { type EventType, hasEvent } from "../../contract/webhooks/events.ts";
import { type Draft, type EmittedEvent, instant, type Moment } from "./draft.ts";
import { treatmentOf } from "./event-troubles.ts";
import { platformConfig } from "./platform-config.ts";
import { revisionOf } from "./revision.ts";

interface EventData {
  id?: string;
  code?: string;
}

/**
 * Records an event, where the revision of the world has its type. The envelope's bytes are fixed here and sent unchanged in every attempt
 * (spec/events.md#envelope). Its lane is its resource.
 * @returns the id of the event, which is the id of its delivery; empty where there is none
 */
export const emit = (
  draft: Draft,
  moment: Moment,
  event: { type: EventType; data: EventData },
): string => {
  const { type, data } = event;
  if (!hasEvent(revisionOf(draft), type)) return "";
  const id = moment.newId("Webhook");
  const about = data.id ?? data.code;
  const deliverable = platformConfig(draft).webhookEndpoint !== undefined;
  const body = JSON.stringify({ id, type, timestamp: instant(moment.atMs), data });
  const emitted = { id, type, lane: about ?? id } as EmittedEvent;
  if (about !== undefined) emitted.about = about;
  emitted.body = body;
  emitted.deliverable = deliverable;
  const trouble = deliverable ? treatmentOf(draft, emitted, moment) : undefined;
  if (trouble) emitted.trouble = trouble;
  draft.emit(emitted);
  return id;
};
