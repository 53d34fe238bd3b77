import type { SimulatorStatus } from "../contract/control/status.ts";
import type * as contract from "./contract-types.ts";
import type { FakeTimers } from "./fake-timers.ts";

/** Part of a list: its size, and the cursor where it begins. */
export interface PageOptions {
  limit?: number;
  cursor?: string;
}

/** A page of postings, perhaps of one account and of a span of simulated time. */
export interface LedgerOptions extends PageOptions {
  account?: string;
  /** Instants, ISO 8601. */
  from?: string;
  to?: string;
}

/** The clock of a world. */
export interface ClockCalls {
  /** The simulated instant, ISO 8601. */
  now(): Promise<string>;
  /** Instant, mode and next timer. */
  read(): Promise<contract.Clock>;
  /**
   * Sets its mode. `manual` moves only when it is advanced. `real` follows the system clock, at a
   * speed where one is given. `auto` skips to the next timer while a client waits.
   */
  set(mode: contract.ClockMode, options?: { speed?: number }): Promise<contract.Clock>;
}

/** Webhooks that a test waits for. */
export interface WantedWebhook<Type extends contract.EventType = contract.EventType> {
  type: Type;
  /** Id of the record that they tell of; a short one is enough. */
  about?: string;
  /** At least this many; 1 by default. */
  count?: number;
  /** Longest wait, wall milliseconds; 5,000 by default. */
  timeoutMs?: number;
}

/** A webhook that came, with its body. */
export type ReceivedWebhook<Type extends contract.EventType = contract.EventType> =
  contract.WebhookDetails & {
    event: contract.EventOf<Type>;
  };

/** The webhooks of a world, received or not. */
export interface WebhookCalls {
  /**
   * Resolves once `count` webhooks of a type were accepted; those that came before count too.
   * Without an endpoint they are collected. Leaves out those that a fork inherited.
   * @returns all that fit, oldest first, with their bodies
   * @throws ApiError `WEBHOOK_DID_NOT_COME` when the time is over
   */
  wait<Type extends contract.EventType>(
    wanted: WantedWebhook<Type>,
  ): Promise<ReceivedWebhook<Type>[]>;
  /** The number of those that `wait` resolves to; what came by then when the time is over. */
  count(wanted: WantedWebhook): Promise<number>;
  /** Deliveries, newest first, those of its origin included. */
  list(
    query?: PageOptions & {
      type?: contract.EventType;
      about?: string;
      state?: contract.DeliveryState;
    },
  ): Promise<contract.WebhookPage>;
  /** One delivery with its attempts, its cause and its exact body. */
  get(id: string): Promise<contract.WebhookDetails>;
  /** Sends the same bytes once more; with `resign` under a fresh signature. */
  resend(id: string, options?: { resign?: boolean }): Promise<contract.SentWebhook>;
  /** Sends an example of any type to the endpoint, with some members set. */
  trigger(
    type: contract.EventType,
    options?: { set?: Record<string, string> },
  ): Promise<contract.SentWebhook>;
}

/** Mails with their codes. */
export interface InboxCalls {
  list(query?: { to?: string }): Promise<contract.MailList>;
  /**
   * Resolves to the mails of an address, or of all, as soon as there is one.
   * @throws ApiError `MAIL_DID_NOT_COME` when the time is over
   */
  wait(query?: { to?: string; timeoutMs?: number }): Promise<contract.MailList>;
}

/** Agents' actions that wait for a person. */
export interface ApprovalCalls {
  list(query?: PageOptions): Promise<contract.WaitingActionPage>;
  approve(actionId: string): Promise<contract.DecidedAction>;
  reject(actionId: string, reason?: string): Promise<contract.DecidedAction>;
  /** By a person (`ask`), or by the simulator at once. */
  set(mode: "ask" | "approve" | "reject"): Promise<void>;
}

/** Switches that make calls fail. */
export interface FaultCalls {
  add(fault: contract.FaultInput): Promise<contract.Fault>;
  list(): Promise<contract.FaultList>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** The log of the platform's calls. */
export interface RequestCalls {
  /** Newest first. */
  list(
    query?: PageOptions & {
      /** `409` is that status, `4xx` all of its hundred. */
      status?: number | `${number}` | `${1 | 2 | 3 | 4 | 5}xx`;
      operation?: contract.OperationId;
      method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    },
  ): Promise<contract.LoggedCallList>;
  /** One call with its bodies, secrets taken out; beyond 2 KiB with `bodies: "whole"` alone. */
  get(id: string, options?: { bodies?: "cut" | "whole" }): Promise<contract.LoggedCallDetails>;
}

/** States that were kept. */
export interface SnapshotCalls {
  list(): Promise<contract.SnapshotList>;
  remove(name: string): Promise<void>;
}

/** A span like `10m`, or one of three goals. */
export type RewindGoal = string | { by: string } | { to: string } | { before: string };

/** A state to compare: the present one, another world's, a snapshot, or an instant, ISO 8601. */
export type StateName = "now" | `world:${string}` | `snapshot:${string}` | (string & {});

/** Timers that a list is about. */
export interface TimerQuery {
  /** Instants between which they are due, both included. */
  from?: string;
  to?: string;
  limit?: number;
  cursor?: string;
  /** Counts them in this many parts of the span, which then needs `to`. */
  buckets?: number;
}

/** Timers: everything that will happen by itself. */
export interface TimerCalls {
  /** The pending ones in the order they will fire, up to 1,000 at a time. */
  list(query?: TimerQuery): Promise<contract.PendingTimerList>;
  /** Fires one now; the clock stays. */
  fire(id: string): Promise<contract.TimerFiredNow>;
  /** Has one fire later by a span, or at an instant. */
  postpone(id: string, until: { by: string } | { to: string }): Promise<contract.PostponedTimer>;
  /** Cancels one, and tells what that leaves undone. */
  cancel(id: string): Promise<contract.CanceledTimer>;
}

/** Rows of the sandbox's tables that are set for what comes next. */
export interface OutcomeCalls {
  /** Has the next matching payment, check or approval take a row, such as `quotedPayment.003`. */
  next(
    rule: contract.OutcomeRule,
    options?: { for?: string; times?: number },
  ): Promise<contract.NextOutcome>;
  /** Those that are set, oldest first. */
  list(): Promise<contract.NextOutcomeList>;
  /** Lifts one, or all. */
  lift(id?: string): Promise<void>;
}

/** Ways to make a world. */
export interface ForkOptions {
  /** A fork of the same simulator that is closed once the new one is made, with the same call. */
  inPlaceOf?: Simulator;
}

/** A world of a simulator, in this process or over HTTP (spec/library.md). */
export interface Simulator {
  /** Name of the world. */
  readonly world: string;
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM of the key that verifies `X-Service-Signature`. */
  readonly webhookPublicKey: string;
  /**
   * The platform's operations by name: `call.createQuote({ body })`. Each resolves to the body of
   * its reply.
   * @throws ApiError for a refusal, NoAnswer when no answer comes
   */
  readonly call: contract.OperationCalls;
  /** The revision of the service that the world serves. */
  readonly revision: contract.Revision;
  /**
   * The same operations with the types of a revision, later ones included.
   * @throws TypeError where the world serves another revision
   */
  callIn<Of extends contract.Revision>(revision: Of): contract.CallsOf[Of];
  readonly clock: ClockCalls;
  readonly webhooks: WebhookCalls;
  readonly inbox: InboxCalls;
  readonly approvals: ApprovalCalls;
  readonly faults: FaultCalls;
  readonly requests: RequestCalls;
  readonly timers: TimerCalls;
  readonly outcomes: OutcomeCalls;
  readonly snapshots: SnapshotCalls;
  /** The report that `service-sim status` shows. */
  status(): SimulatorStatus | Promise<SimulatorStatus>;
  /** Answers a request to any path of the simulator, credentials as the request has them. */
  fetch(request: Request): Promise<Response>;
  /** Resolves when everything that fell due while it was stopped has fired. */
  ready(): Promise<void>;
  /** Moves the clock by a span like `6m`; resolves when everything due has happened. */
  advance(span: string): Promise<contract.AdvanceReport>;
  /** Moves the clock to an instant, ISO 8601. */
  advanceTo(instant: string): Promise<contract.AdvanceReport>;
  /**
   * Moves the clock until a record has a status.
   * @throws Error when it has not within 30 simulated days
   */
  advanceUntil(id: string, status: contract.RecordStatus): Promise<contract.AdvanceReport>;
  /** Moves the clock to the next timer. */
  next(): Promise<contract.AdvanceReport>;
  /** Goes back to the start, ids included; credentials, webhook key and seed stay. */
  reset(): Promise<contract.ResetReport>;
  /**
   * Makes a world that begins as this one is now, with credentials of its own. What happens in
   * either does not reach the other. Closing it removes it.
   * @param name a free one is given by default
   */
  fork(name?: string, options?: ForkOptions): Promise<Simulator>;
  /** Removes another world of the same simulator, with everything in it. */
  removeWorld(name: string): Promise<void>;
  /** Keeps the state under a name. */
  snapshot(name: string): Promise<contract.Snapshot>;
  /** Goes back to a snapshot, its instant included unless `keepClock` is set. */
  restore(name: string, options?: { keepClock?: boolean }): Promise<contract.RestoredSnapshot>;
  /**
   * Goes back by a span, to an instant, or to before a record, request, webhook or timer. What
   * came later is kept as a snapshot.
   */
  rewind(goal: RewindGoal): Promise<contract.Rewound>;
  /**
   * Compares two states, each `world:<name>`, `snapshot:<name>`, an instant or `now`.
   * @param to `now` by default
   */
  diff(from: StateName, to?: StateName): Promise<contract.Diff>;
  /**
   * The parts of the contract that were exercised, and a line that exercises each other one.
   * @param of `all` adds every world of the simulator, removed ones included
   */
  coverage(of?: "world" | "all"): Promise<contract.CoverageReport>;
  /**
   * The calls of a world since its birth, as a capsule that `service-sim replay` repeats.
   * @param name of another world of the simulator, removed ones included
   */
  recording(name?: string): Promise<contract.WorldRecording>;
  /** Puts a fixture in: its name when it is bundled, or the fixture itself. */
  seed(fixture: contract.FixtureName | object): Promise<contract.SeedReport>;
  /** The story of a record, account, webhook or request; short ids are enough. */
  why(id: string): Promise<contract.Story>;
  /** Balances and postings; the totals are zero. With `account` a statement of it. */
  ledger(query?: LedgerOptions): Promise<contract.Ledger>;
  /**
   * Has vitest's or jest's faked timers and this world's clock move together: each call of
   * `advanceTimersByTimeAsync` moves both, to the next timer of either side at a time.
   * @returns a function that ends it
   * @throws TypeError when functions are faked that the simulator needs
   */
  followFakeTimers(timers: FakeTimers): Promise<() => void>;
  /** Ends it: a fork is removed, a connection is closed, a simulator in this process stops. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
