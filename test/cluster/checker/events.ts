import type { ClusterHistory } from "./history.ts";

/** Types that are attempted once (spec/webhooks.md#retries). */
const ATTEMPTED_ONCE = ["TEST", "INCOMING_PAYMENT.PENDING"];

/** Each event was accepted by its receiver, always with the same bytes, and none before its change. */
export const wrongEvents = ({ worlds, deliveries }: ClusterHistory): string[] => {
  const found: string[] = [];
  const emitted = new Map(
    worlds.flatMap(({ name, steps }) =>
      steps.flatMap(({ seq, emit = [] }) =>
        emit.map((event) => [event.id, { ...event, at: `change ${seq} of ${name}` }] as const),
      ),
    ),
  );
  const accepted = new Set<string>();
  for (const { id, body, isAccepted } of deliveries) {
    const event = emitted.get(id);
    if (!event) found.push(`the receiver got ${id}, which no change has`);
    else if (event.body !== body) found.push(`the receiver got other bytes of ${id}`);
    if (isAccepted) accepted.add(id);
  }
  for (const [id, { type, deliverable, at }] of emitted)
    if (deliverable && !ATTEMPTED_ONCE.includes(type) && !accepted.has(id))
      found.push(`${type} ${id} of ${at} never reached its receiver`);
  return found;
};
