import type { Revision } from "../../contract/core/revision-names.ts";
import type { RevisionChange } from "../../contract/core/revisions.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import { instant, type Moment } from "../core/draft.ts";
import { days } from "../core/durations.ts";
import { rowsIn } from "../core/revision.ts";
import { EXAMPLE_PAYLOADS } from "./example-events.ts";

type Example = Readonly<Record<string, unknown>>;

/** The day that a transfer of the example takes. */
const DAY_SECONDS = days(1) / 1000;

/** Members of examples since a change; one without a value is left out. */
interface LaterExample {
  since: RevisionChange;
  members(example: Example, moment: Moment): Example;
}

/** Members that changes added to examples, or took from them, by the beginning of the type. */
const LATER_MEMBERS: Readonly<Record<string, readonly LaterExample[]>> = {
  OUTGOING_PAYMENT: [
    { since: "transactionDirections", members: () => ({ direction: "DEBIT" }) },
    { since: "platformFees", members: () => ({ platformFees: 0 }) },
    {
      since: "settlementForecasts",
      members: (_example, { atMs }) => ({
        paymentRail: "SEPA",
        railSelectionMode: "AUTO",
        expectedSettlementAt: instant(atMs + days(1)),
        settlementTimelineSeconds: DAY_SECONDS,
      }),
    },
  ],
  INCOMING_PAYMENT: [
    { since: "transactionDirections", members: () => ({ direction: "CREDIT" }) },
    { since: "incomingSides", members: () => ({ rateDetails: undefined }) },
  ],
  INTERNAL_ACCOUNT: [
    { since: "totalBalances", members: ({ balance }) => ({ totalBalance: balance }) },
  ],
  CARD: [
    {
      since: "cardLimits",
      members: ({ issuerRef }) => ({
        maxSpendPerTransaction: null,
        processorRef: String(issuerRef).replace("card", "proc"),
      }),
    },
  ],
};

/** The example of a type as a revision shows it (spec/events.md#payloads). */
export const exampleIn = (
  revision: Revision,
  type: EventType,
  moment: Moment,
): { id?: string; code?: string } => {
  const example = EXAMPLE_PAYLOADS[type](moment);
  const later = rowsIn(revision, LATER_MEMBERS[type.toUpperCase().split(".")[0] ?? ""] ?? []);
  if (later.length === 0) return example;
  const added = later.map(({ members }) => members(example as Example, moment));
  const all = Object.entries(Object.assign({}, example, ...added) as Example);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};
