import type { SimulatorStatus } from "../contract/control/status.ts";
import { API_VERSION } from "../contract/core/api-version.ts";
import { ApiError } from "./api-error.ts";
import { tellAtCaller } from "./at-caller.ts";
import type {
  AdvanceReport,
  CallsOf,
  CanceledTimer,
  ClearedCount,
  Clock,
  CoverageReport,
  DecidedAction,
  Diff,
  Fault,
  FaultList,
  FixtureName,
  Ledger,
  LoggedCallDetails,
  LoggedCallList,
  MailList,
  NextOutcome,
  NextOutcomeList,
  OperationCalls,
  PendingTimerList,
  PostponedTimer,
  RecordStatus,
  ResetReport,
  RestoredSnapshot,
  Revision,
  Rewound,
  SeedReport,
  Snapshot,
  SnapshotList,
  Story,
  TimerFiredNow,
  WaitingActionPage,
  WebhookPage,
  WorldRecording,
} from "./contract-types.ts";
import { type FakeTimers, followFakeTimers } from "./fake-timers.ts";
import { checked, requireArguments } from "./member-arguments.ts";
import { operationCalls } from "./operation-calls.ts";
import { queryText, type ReachedWorld } from "./reached-world.ts";
import type {
  ApprovalCalls,
  ClockCalls,
  FaultCalls,
  InboxCalls,
  LedgerOptions,
  OutcomeCalls,
  RequestCalls,
  RewindGoal,
  Simulator,
  SnapshotCalls,
  StateName,
  TimerCalls,
  WebhookCalls,
} from "./simulator.ts";
import { type Cursor, webhookCalls } from "./webhook-calls.ts";

const goalOf = (goal: RewindGoal) => (typeof goal === "string" ? { by: goal } : goal);

const notReached = ({ until }: AdvanceReport) =>
  new Error(
    `Expected ${until?.id} to reach ${until?.wanted} but found ${until?.found ?? "no status"}`,
  );

/** Refuses calls of a revision that a world does not serve. */
const requireServed = (revision: Revision, { world, revision: served }: WorldCalls) => {
  if (revision === served) return;
  throw new TypeError(
    `Expected revision ${served}, which the world "${world}" serves, but found ${revision}: ` +
      `start it with revision: "${revision}", or --revision ${revision}`,
  );
};

/** Members of a world that are calls of its surfaces, the same in process and over HTTP. */
export abstract class WorldCalls implements Omit<Simulator, "fork" | "webhookPublicKey"> {
  protected abstract readonly reached: ReachedWorld;
  abstract readonly world: string;
  abstract readonly revision: Revision;
  /** Waits leave out the webhooks up to this one. */
  protected cursor: Cursor = {};
  private operations: OperationCalls | undefined;
  private readonly followed = new Set<() => void>();

  protected abstract readonly origin: string;
  abstract fetch(request: Request): Promise<Response>;
  /** Gives up what stands behind it. */
  protected abstract end(): Promise<void>;

  get apiUrl() {
    return `${this.origin}/${API_VERSION}`;
  }

  get controlUrl() {
    return `${this.origin}/_sim`;
  }

  get clientId() {
    return this.reached.access.clientId;
  }

  get clientSecret() {
    return this.reached.access.clientSecret ?? "";
  }

  get call(): OperationCalls {
    this.operations ??= operationCalls(this.reached);
    return this.operations;
  }

  callIn<Of extends Revision>(revision: Of): CallsOf[Of] {
    requireServed(revision, this);
    return this.call as CallsOf[Of];
  }

  get clock(): ClockCalls {
    const { reached } = this;
    const read = () => reached.control<Clock>("GET", "/clock");
    return checked("clock", {
      read,
      now: async () => (await read()).now,
      set: (mode, options = {}) => reached.control<Clock>("PUT", "/clock", { mode, ...options }),
    });
  }

  get webhooks(): WebhookCalls {
    return checked(
      "webhooks",
      webhookCalls(this.reached, () => this.cursor),
    );
  }

  get inbox(): InboxCalls {
    const { reached } = this;
    return checked("inbox", {
      list: (query = {}) => reached.control<MailList>("GET", `/inbox${queryText(query)}`),
      wait: (query = {}) => reached.control<MailList>("GET", `/inbox/wait${queryText(query)}`),
    });
  }

  get approvals(): ApprovalCalls {
    const { reached } = this;
    const decide = (id: string, how: string, body?: object) =>
      reached.control<DecidedAction>("POST", `/approvals/${id}/${how}`, body);
    return checked("approvals", {
      list: (query = {}) =>
        reached.control<WaitingActionPage>("GET", `/approvals${queryText({ ...query })}`),
      approve: (id) => decide(id, "approve"),
      reject: (id, reason) => decide(id, "reject", reason === undefined ? {} : { reason }),
      set: async (mode) => {
        await reached.control("PUT", "/approvals", { mode });
      },
    });
  }

  get faults(): FaultCalls {
    const { reached } = this;
    return checked("faults", {
      add: (fault) => reached.control<Fault>("POST", "/faults", fault),
      list: () => reached.control<FaultList>("GET", "/faults"),
      remove: async (id) => {
        await reached.control<ClearedCount>("DELETE", `/faults/${id}`);
      },
      clear: async () => {
        await reached.control<ClearedCount>("DELETE", "/faults");
      },
    });
  }

  get requests(): RequestCalls {
    const { reached } = this;
    return checked("requests", {
      list: (query = {}) =>
        reached.control<LoggedCallList>("GET", `/requests${queryText({ ...query })}`),
      get: (id, options) =>
        reached.control<LoggedCallDetails>("GET", `/requests/${id}${queryText({ ...options })}`),
    });
  }

  get timers(): TimerCalls {
    const { reached } = this;
    return checked("timers", {
      list: (query = {}) =>
        reached.control<PendingTimerList>("GET", `/timers${queryText({ ...query })}`),
      fire: (id) => reached.control<TimerFiredNow>("POST", `/timers/${id}/fire`),
      postpone: (id, until) =>
        reached.control<PostponedTimer>("POST", `/timers/${id}/postpone`, until),
      cancel: (id) => reached.control<CanceledTimer>("DELETE", `/timers/${id}`),
    });
  }

  get outcomes(): OutcomeCalls {
    const { reached } = this;
    return checked("outcomes", {
      next: (rule, options = {}) =>
        reached.control<NextOutcome>("POST", "/outcomes/next", { rule, ...options }),
      list: () => reached.control<NextOutcomeList>("GET", "/outcomes/next"),
      lift: async (id) => {
        await reached.control(
          "DELETE",
          id === undefined ? "/outcomes/next" : `/outcomes/next/${id}`,
        );
      },
    });
  }

  get snapshots(): SnapshotCalls {
    const { reached } = this;
    return checked("snapshots", {
      list: () => reached.control<SnapshotList>("GET", "/snapshots"),
      remove: (name) => reached.control<void>("DELETE", `/snapshots/${encodeURIComponent(name)}`),
    });
  }

  status(): SimulatorStatus | Promise<SimulatorStatus> {
    return this.reached.control<SimulatorStatus>("GET", "/status");
  }

  async ready() {
    await this.reached.control("GET", "/ready");
  }

  async advance(span: string): Promise<AdvanceReport> {
    requireArguments("advance", [span]);
    return this.move({ by: span });
  }

  async advanceTo(instant: string): Promise<AdvanceReport> {
    requireArguments("advanceTo", [instant]);
    return this.move({ to: instant });
  }

  async advanceUntil(id: string, status: RecordStatus): Promise<AdvanceReport> {
    requireArguments("advanceUntil", [id, status]);
    const report = await this.move({ until: { id, status } });
    if (report.until?.reached !== true) throw notReached(report);
    return report;
  }

  next(): Promise<AdvanceReport> {
    return this.move({ next: true });
  }

  async reset(): Promise<ResetReport> {
    const report = await this.reached.control<ResetReport>("POST", "/reset", {});
    await this.keepCursor();
    return report;
  }

  async removeWorld(name: string): Promise<void> {
    requireArguments("removeWorld", [name]);
    await this.reached.control("DELETE", `/worlds/${encodeURIComponent(name)}`);
  }

  async snapshot(name: string): Promise<Snapshot> {
    requireArguments("snapshot", [name]);
    return this.reached.control<Snapshot>("PUT", `/snapshots/${encodeURIComponent(name)}`);
  }

  async restore(name: string, options: { keepClock?: boolean } = {}): Promise<RestoredSnapshot> {
    requireArguments("restore", [name, options]);
    const path = `/snapshots/${encodeURIComponent(name)}/restore`;
    const restored = await this.reached.control<RestoredSnapshot>("POST", path, options);
    await this.keepCursor();
    return restored;
  }

  async rewind(goal: RewindGoal): Promise<Rewound> {
    requireArguments("rewind", [goal]);
    const path = "/clock/rewind";
    const report = await this.reached.control<Rewound>("POST", path, goalOf(goal));
    await this.keepCursor();
    return report;
  }

  async diff(from: StateName, to: StateName = "now"): Promise<Diff> {
    requireArguments("diff", [from, to]);
    return this.reached.control<Diff>("GET", `/diff${queryText({ from, to })}`);
  }

  async coverage(of: "world" | "all" = "world"): Promise<CoverageReport> {
    requireArguments("coverage", [of]);
    return this.reached.control<CoverageReport>("GET", `/coverage?of=${of}`);
  }

  async recording(name = this.world): Promise<WorldRecording> {
    requireArguments("recording", [name]);
    const path = `/worlds/${encodeURIComponent(name)}/recording`;
    return this.reached.control<WorldRecording>("GET", path);
  }

  async seed(fixture: FixtureName | object): Promise<SeedReport> {
    requireArguments("seed", [fixture]);
    const body = typeof fixture === "string" ? { name: fixture } : { fixture };
    return this.reached.control<SeedReport>("POST", "/seed", body);
  }

  async why(id: string): Promise<Story> {
    requireArguments("why", [id]);
    return this.reached.control<Story>("GET", `/why/${encodeURIComponent(id)}`);
  }

  async ledger(query: LedgerOptions = {}): Promise<Ledger> {
    requireArguments("ledger", [query]);
    return this.reached.control<Ledger>("GET", `/ledger${queryText({ ...query })}`);
  }

  async followFakeTimers(timers: FakeTimers): Promise<() => void> {
    requireArguments("followFakeTimers", [timers]);
    const stop = await followFakeTimers(timers, {
      read: () => this.clock.read(),
      advanceTo: (instant) => this.advanceTo(instant),
      isCalling: () => this.reached.isCalling,
    });
    this.followed.add(stop);
    return () => {
      this.followed.delete(stop);
      stop();
    };
  }

  async close() {
    for (const stop of this.followed) stop();
    this.followed.clear();
    await this.end();
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  /** A fork waits only for its own webhooks: those that it has by now are its origin's. */
  protected async passOverEarlier() {
    const { data } = await this.reached.control<WebhookPage>("GET", "/webhooks?limit=1");
    this.cursor = { after: data[0]?.id };
  }

  /** After the past has changed, the newest inherited webhook may be gone. */
  private async keepCursor() {
    const { after } = this.cursor;
    if (after === undefined) return;
    const reply = await this.webhooks.get(after).catch((error: unknown) => error);
    if (reply instanceof ApiError) await this.passOverEarlier();
  }

  private move(goal: object): Promise<AdvanceReport> {
    return this.reached.control<AdvanceReport>("POST", "/clock/advance", goal);
  }
}

tellAtCaller(WorldCalls, [
  "clock",
  "webhooks",
  "inbox",
  "approvals",
  "faults",
  "requests",
  "timers",
  "outcomes",
  "snapshots",
]);
