import { defined } from "../contract/core/defined.ts";
import type { Change } from "../runtime/change.ts";
import type { AttemptReport } from "../runtime/ports.ts";

/**
 * Reports of the events that a change collects for lack of an endpoint. They have attempt 0, since
 * none is made (spec/webhooks.md#missing-endpoint).
 */
export const collectedIn = ({ emit = [], at }: Change): AttemptReport[] =>
  emit
    .filter(({ deliverable, lab }) => !deliverable && lab === undefined)
    .map(({ id, type, about }) => ({
      id,
      type,
      ...defined({ about }),
      status: "UNDELIVERABLE",
      attempt: 0,
      atMs: at,
      tookMs: 0,
    }));
