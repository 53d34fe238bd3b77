import type * as approvals from "../contract/control/approvals.ts";
import type * as clock from "../contract/control/clock.ts";
import type * as modes from "../contract/control/clock-modes.ts";
import type * as coverage from "../contract/control/coverage.ts";
import type * as diff from "../contract/control/diff.ts";
import type * as faults from "../contract/control/faults.ts";
import type * as inbox from "../contract/control/inbox.ts";
import type * as instance from "../contract/control/instance.ts";
import type * as ledger from "../contract/control/ledger.ts";
import type * as outcomes from "../contract/control/next-outcomes.ts";
import type * as recordings from "../contract/control/recordings.ts";
import type * as requests from "../contract/control/requests.ts";
import type * as rewind from "../contract/control/rewind.ts";
import type * as seed from "../contract/control/seed.ts";
import type * as snapshots from "../contract/control/snapshots.ts";
import type * as timers from "../contract/control/timers.ts";
import type * as webhooks from "../contract/control/webhooks.ts";
import type * as why from "../contract/control/why.ts";
import type { Revision as AnyRevision } from "../contract/core/revision-names.ts";
import type { AnyOperationId } from "../contract/operations.ts";
import type { BundledFixture } from "../contract/platform/bundled-fixtures.ts";
import type {
  Fault as FaultSwitch,
  FaultInput as FaultSwitchInput,
} from "../contract/platform/faults.ts";
import type { DeliveryState as AnyDeliveryState } from "../contract/webhooks/delivery-states.ts";
import type { EventType as AnyEventType } from "../contract/webhooks/events.ts";

// The sources infer these types. The package has the same names with types made from the OpenAPI
// documents, which need no library: bin/contract-types.mjs writes them in the place of this file.

export type AdvanceReport = clock.Advanced;
export type AwaitedWebhooks = webhooks.AwaitedWebhooks;
export type CanceledTimer = timers.CanceledTimer;
export type ClearedCount = faults.ClearedFaults;
export type Clock = clock.ShownClock;
export type ClockMode = modes.ClockMode;
export type CoverageReport = coverage.CoverageReport;
export type DecidedAction = approvals.Decided;
export type Diff = diff.Diff;
export type Fault = FaultSwitch;
export type FaultInput = FaultSwitchInput;
export type FaultList = faults.Faults;
export type Ledger = ledger.Ledger;
export type LoggedCallDetails = requests.CallDetails;
export type LoggedCallList = requests.LoggedCalls;
export type MailList = inbox.Inbox;
export type NextOutcome = outcomes.NextOutcome;
export type NextOutcomeList = outcomes.NextOutcomes;
export type PendingTimerList = timers.PendingTimers;
export type PostponedTimer = timers.PostponedTimer;
export type ResetReport = instance.ResetReport;
export type RestoredSnapshot = snapshots.Restored;
export type Rewound = rewind.Rewound;
export type SeedReport = seed.SeedReport;
export type SentWebhook = webhooks.SentWebhook;
export type Snapshot = snapshots.Snapshot;
export type SnapshotList = snapshots.Snapshots;
export type Story = why.Story;
export type TimerFiredNow = timers.TimerFiredNow;
export type WaitingActionPage = approvals.WaitingActions;
export type WebhookDetails = webhooks.WholeWebhook;
export type WebhookPage = webhooks.Webhooks;
export type WorldRecording = recordings.WorldRecording;

/** Type of a webhook. */
export type EventType = AnyEventType;

/** State of a webhook's delivery. */
export type DeliveryState = AnyDeliveryState;

/** Name of a world that comes with the package. */
export type FixtureName = BundledFixture;

/** Revision of the service. */
export type Revision = AnyRevision;

/** Name of an operation of the platform. */
export type OperationId = AnyOperationId;

/** Row of a table of the sandbox, such as `quotedPayment.003`; the package lists them all. */
export type OutcomeRule = string;

/** Status that a record may have; the package lists them all. */
export type RecordStatus = string;

/** Body of a webhook of some type. */
export type EventOf<Type extends EventType> = { id: string; type: Type } & {
  [member: string]: unknown;
};

/** Input of an operation: every operation takes what its path, query and body name. */
interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Any object, whose members are looked at one by one. */
type AnyBody = Record<string, unknown>;

/** One function for each operation of the platform; it resolves to the body of the reply. */
export type OperationCalls = {
  [Id in OperationId]: <Body = AnyBody>(input?: OperationInput & CallOptions) => Promise<Body>;
};

/** The same, by revision. */
export type CallsOf = { [Of in Revision]: OperationCalls };

/** Options of a call, beside its input. */
export interface CallOptions {
  /** Further headers, like `Idempotency-Key` or `Service-Wallet-Signature`. */
  headers?: Record<string, string>;
  /** Access token of an agent, for the operations that agents call. */
  token?: string;
}
