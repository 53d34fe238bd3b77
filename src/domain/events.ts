import type { EventType } from "../contract/events.ts";
import { all, type Draft, instant, type Moment, type View } from "./draft.ts";
import { assertInvariant } from "./invariant.ts";
import type { PlatformConfigRecord } from "./records.ts";

/** The configuration of the platform this world is. */
export const platformConfig = (view: View): PlatformConfigRecord => {
  const [config] = all(view, "PlatformConfig");
  assertInvariant(config !== undefined, "an opened platform");
  return config;
};

interface EventData {
  id?: string;
  code?: string;
}

/**
 * Records that something happened: the envelope's bytes are fixed here and sent unchanged in
 * every attempt (contract decisions, Webhooks). Its lane is the resource it tells of.
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
  draft.emit({
    id,
    type,
    lane: about ?? id,
    ...(about !== undefined && { about }),
    body: JSON.stringify({ id, type, timestamp: instant(moment.atMs), data }),
    deliverable: platformConfig(draft).webhookEndpoint !== undefined,
  });
  return id;
};
