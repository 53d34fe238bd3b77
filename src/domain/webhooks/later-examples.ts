import { FIRST_REVISION, type Revision } from "../../contract/core/revision-names.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import { instant, type Moment } from "../core/draft.ts";
import { days } from "../core/durations.ts";
import { EXAMPLE_PAYLOADS } from "./example-events.ts";

type Example = Readonly<Record<string, unknown>>;

/** The day that a transfer of the example takes. */
const DAY_SECONDS = days(1) / 1000;

/** Members that later revisions added to examples, or took from them, by the beginning of the type. */
const LATER_MEMBERS: Readonly<Record<string, (example: Example, moment: Moment) => Example>> = {
  OUTGOING_PAYMENT: (_example, { atMs }) => ({
    direction: "DEBIT",
    platformFees: 0,
    paymentRail: "SEPA",
    railSelectionMode: "AUTO",
    expectedSettlementAt: instant(atMs + days(1)),
    settlementTimelineSeconds: DAY_SECONDS,
  }),
  INCOMING_PAYMENT: () => ({ direction: "CREDIT", rateDetails: undefined }),
  INTERNAL_ACCOUNT: ({ balance }) => ({ totalBalance: balance }),
  CARD: ({ issuerRef }) => ({
    maxSpendPerTransaction: null,
    processorRef: String(issuerRef).replace("card", "proc"),
  }),
};

/** The example of a type as a revision shows it (spec/events.md#payloads). */
export const exampleIn = (
  revision: Revision,
  type: EventType,
  moment: Moment,
): { id?: string; code?: string } => {
  const example = EXAMPLE_PAYLOADS[type](moment);
  const later = LATER_MEMBERS[type.toUpperCase().split(".")[0] ?? ""];
  if (revision === FIRST_REVISION || !later) return example;
  const all = Object.entries({ ...example, ...later(example as Example, moment) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};
