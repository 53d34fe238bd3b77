import { ENDPOINTS_OF_ANY_REVISION } from "../api/endpoints.ts";
import { ERROR_CODES, LATER_CODES, PUBLISHED_CODES } from "../contract/core/error-codes.ts";
import {
  FIRST_REVISION,
  LATEST_REVISION,
  REVISIONS,
  type Revision,
} from "../contract/core/revision-names.ts";
import { REVISION_FEATURES, type RevisionFeature } from "../contract/core/revisions.ts";
import { operationsOf } from "../contract/operations.ts";
import { EVENT_SPELLINGS, eventsOf } from "../contract/webhooks/events.ts";
import { outcomeGroups } from "../control/core/outcome-groups.ts";
import { TIMER_NAMES } from "../domain/records/timer-names.ts";
import { formIn } from "../http/door/endpoint.ts";
import type { CoverageGroupName } from "./coverage-counts.ts";

/** Ways in which a retried webhook is accepted. */
export const RETRY_ITEMS = { refused: "after an error", unanswered: "after no answer" } as const;

/** Ways in which an accepted webhook comes again and is accepted again. */
export const DUPLICATE_ITEMS = { resent: "resent", vector: "sent twice" } as const;

/** Decisions that something waits for. */
export const APPROVAL_ITEMS = {
  actionApproved: "agent action approved",
  actionRejected: "agent action rejected",
  actionFailed: "agent action failed at approval",
  paymentApproved: "incoming payment approved",
  paymentRejected: "incoming payment rejected",
  paymentRefused: "incoming payment refused",
  paymentExpired: "incoming payment expired",
} as const;

/** Tells whether operations can succeed: others answer as to whom they do not concern. */
const isServed = ({ since }: { since?: RevisionFeature | undefined }) =>
  since === undefined || REVISION_FEATURES[since].served === "full";

const formsIn = (revision: Revision) =>
  ENDPOINTS_OF_ANY_REVISION.filter(isServed).flatMap((one) => formIn(one, revision) ?? []);

const signedIn = (revision: Revision) =>
  formsIn(revision).flatMap(({ signing, operationId }) =>
    signing === "retry" ? [operationId] : [],
  );

/** Operations whose change of a wallet happens at the signed second call, in any revision. */
export const SIGNED_OPERATIONS: ReadonlySet<string> = new Set(REVISIONS.flatMap(signedIn));

/** Never sent by the service (spec/coverage.md#groups). */
const NEVER_SENT: readonly string[] = [
  "VERIFICATION.READY_FOR_VERIFICATION",
  "OUTGOING_PAYMENT.PENDING_AUTHORIZATION",
  "INCOMING_PAYMENT.REFUND_FAILED",
];

const ITEM_OF_TYPE: ReadonlyMap<string, string> = new Map(
  EVENT_SPELLINGS.flatMap((spellings) => spellings.map((type) => [type, spellings[0] as string])),
);

/** The item of a webhook type: both spellings of a card event are one. */
export const webhookItem = (type: string) => ITEM_OF_TYPE.get(type) ?? type;

/** Codes of the platform's errors, with their statuses; some come from fault switches only. */
const codesIn = (revision: Revision): Readonly<Record<string, number>> => ({
  ...PUBLISHED_CODES,
  ...(revision !== FIRST_REVISION && LATER_CODES),
  UNAVAILABLE: ERROR_CODES.UNAVAILABLE,
  PAYLOAD_TOO_LARGE: ERROR_CODES.PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE: ERROR_CODES.UNSUPPORTED_MEDIA_TYPE,
});

const statusesIn = (revision: Revision) => {
  const successes = formsIn(revision).map(({ replies: [status] }) => status);
  const all = [...successes, 202, ...Object.values(codesIn(revision))];
  return [...new Set(all)].sort((a, b) => a - b).map(String);
};

const outcomesIn = (revision: Revision) =>
  outcomeGroups(revision).flatMap(({ rows }) => rows.map(({ rule }) => rule));

/**
 * The items of each group in a revision, read from the tables that the rules read
 * (spec/coverage.md#groups). Operations are in the order of the contract, which begins with what an
 * integration needs first.
 */
const ITEMS: Record<CoverageGroupName, (revision: Revision) => readonly string[]> = {
  operations: (revision) =>
    operationsOf(revision)
      .filter(isServed)
      .map(({ operationId }) => operationId),
  statuses: statusesIn,
  errors: (revision) => Object.keys(codesIn(revision)),
  outcomes: outcomesIn,
  webhooks: (revision) =>
    eventsOf(revision)
      .map(([type]) => type as string)
      .filter((type) => !NEVER_SENT.includes(type)),
  retries: () => Object.values(RETRY_ITEMS),
  duplicates: () => Object.values(DUPLICATE_ITEMS),
  timers: () => TIMER_NAMES,
  replays: (revision) =>
    formsIn(revision).flatMap(({ idempotent, operationId }) => (idempotent ? [operationId] : [])),
  signedRetries: signedIn,
  approvals: () => Object.values(APPROVAL_ITEMS),
};

export interface ItemGroup {
  group: CoverageGroupName;
  items: readonly string[];
}

const made = new Map<Revision, readonly ItemGroup[]>();

/** Every item of a revision, made at the first question: it is the same for all its worlds. */
export const coverageItems = (revision: Revision = FIRST_REVISION): readonly ItemGroup[] => {
  const known =
    made.get(revision) ??
    Object.entries(ITEMS).map(([group, items]) => ({
      group: group as CoverageGroupName,
      items: items(revision),
    }));
  made.set(revision, known);
  return known;
};

/** Status that an error code is answered with. */
export const statusOfCode = (code: string): number | undefined => codesIn(LATEST_REVISION)[code];
