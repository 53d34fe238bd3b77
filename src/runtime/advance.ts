import { FINAL_STATUSES } from "../domain/lifecycles/payment-ends.ts";
import { KINDS } from "../domain/records/tables.ts";
import { nextTurn } from "../machine/host-time.ts";
import type { Engine } from "./engine.ts";
import type { FiredTimer } from "./listeners.ts";
import type { AttemptReport, Deliveries, Wall } from "./ports.ts";
import type { WorldState } from "./world-state.ts";

/** Report of an advance (spec/clock.md#advance-report). Lists are cut, counts are not. */
export interface AdvanceReport {
  fromMs: number;
  toMs: number;
  /**
   * False when the wall-clock budget ran out, or the world was stopped, reset or faulty meanwhile.
   */
  complete: boolean;
  fired: FiredTimer[];
  firedCount: number;
  webhooks: AttemptReport[];
  webhookCount: number;
  /** Attempts that were still under way when the budget ran out. */
  waitingFor: number;
  /** Attempts still under way when the advance was answered. */
  underWay: number;
  /** Deliveries that wait for their lane, for room, or for a world that cannot send now. */
  unsent: number;
  /** Open deliveries that nothing would ever send: a bug, reported as one. */
  stranded: readonly string[];
  /** Result of waiting for a record's status. */
  until?: UntilReport;
}

/** A wanted status, and the status that the record has. */
export interface UntilReport {
  id: string;
  wanted: string;
  found: string | undefined;
  reached: boolean;
}

/** A target for the clock: a span, an instant, or the status of a record, whichever comes first. */
export interface AdvanceRequest {
  /** Simulated instant of the call; now by default. */
  fromMs?: number;
  /** An instant, or a span, which is counted from the end of the relative moves under way. */
  target: { byMs: number } | { toMs: number };
  budgetMs: number;
  until?: { id: string; status: string };
  /** The caller's name for the advance, like `advance 6m`: `why` shows it. */
  called?: string;
}

interface Goal extends AdvanceReport {
  /** True for a span: later spans add to it. */
  isRelative: boolean;
  called: string | undefined;
  generation: number;
  deadlineWallMs: number;
  answer(report: AdvanceReport): void;
}

/** Finds a record's status, whose field differs by kind. */
const statusOf = (record: object): string | undefined => {
  const { status, state, kycStatus, kybStatus } = record as Record<string, string | undefined>;
  return status ?? state ?? kycStatus ?? kybStatus;
};

const findRecord = (state: WorldState, id: string) => {
  for (const kind of KINDS) {
    const record = state.get(kind, id);
    if (record) return record;
  }
  return undefined;
};

const isFinalStatus = ({ id }: { id: string }, status: string) =>
  /^(Quote|Transaction):/.test(id) && FINAL_STATUSES.has(status);

/** Entries listed in a report; the rest is only counted (spec/clock.md#advance-report). */
export const REPORT_LIMIT = 1000;
export const DEFAULT_BUDGET_MS = 60_000;
/**
 * Longest wait for attempts that were already under way, in wall milliseconds
 * (spec/clock.md#steps).
 */
const OLD_ATTEMPTS_MS = 5000;

/**
 * Moves a world's clock in one loop that serves any number of goals (spec/clock.md#steps). The
 * clock stays at each timer's instant until the webhooks caused there were attempted. So a retry is
 * sent exactly when it is due, and a receiver that calls back is served at that instant.
 */
export class Advance {
  private readonly engine: Engine;
  private readonly deliveries: Deliveries;
  private readonly wall: Wall;
  private goals: Goal[] = [];
  private readonly answered: Goal[] = [];
  private readonly waitingForIdle: (() => void)[] = [];
  private running = false;
  private wake = () => {};
  /** Attempts no longer waited for, since they were under way before the advance was asked for. */
  private readonly released = new Set<string>();
  private readonly releases = new Map<string, number>();

  constructor(engine: Engine, deliveries: Deliveries, wall: Wall) {
    this.engine = engine;
    this.deliveries = deliveries;
    this.wall = wall;
    engine.listeners.add({
      fired: (timer) => this.noteFired(timer),
      changed: ({ put = [] }) => {
        if (this.waitsForStatus()) for (const [, record] of put) this.noteRecord(record);
      },
    });
  }

  get isUnderWay() {
    return this.running;
  }

  /** Resolves when no advance is under way. */
  idle(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve) => this.waitingForIdle.push(resolve));
  }

  private waitsForStatus() {
    return this.goals.some(({ until }) => until !== undefined);
  }

  /**
   * Notes each status of a record: passing through the wanted one counts, even if it changes again.
   */
  private noteRecord(record: { id: string }) {
    for (const { until } of this.goals) {
      if (until?.id !== record.id || until.reached) continue;
      until.found = statusOf(record);
      until.reached = until.found === until.wanted;
    }
  }

  /** Takes the report of an attempt that has ended. */
  noteAttempt(attempt: AttemptReport) {
    for (const goal of this.goals) {
      goal.webhookCount += 1;
      if (goal.webhooks.length < REPORT_LIMIT) goal.webhooks.push(attempt);
    }
  }

  /**
   * Finds the end of a span from the instant of a call, added to the relative moves under way
   * (spec/clock.md#concurrent-advances).
   */
  instantAfter(byMs: number, fromMs = this.engine.clock.now()): number {
    const relative = this.goals.filter(({ isRelative }) => isRelative).map(({ toMs }) => toMs);
    return Math.max(fromMs, ...relative) + byMs;
  }

  /**
   * Resolves when the clock is there and everything that can be sent was attempted
   * (spec/clock.md#advance).
   */
  to({ fromMs: askedMs, target, budgetMs, until, called }: AdvanceRequest): Promise<AdvanceReport> {
    const nowMs = this.engine.clock.now();
    const isRelative = "byMs" in target;
    const fromMs = askedMs ?? nowMs;
    const toMs = isRelative ? this.instantAfter(target.byMs, fromMs) : target.toMs;
    const wallMs = this.spentMs();
    this.engine.clock.stepTo(nowMs);
    for (const id of this.deliveries.inFlight())
      if (!this.releases.has(id)) this.releases.set(id, wallMs + OLD_ATTEMPTS_MS);
    return new Promise((answer) => {
      this.goals.push({
        fromMs,
        toMs,
        isRelative,
        complete: false,
        fired: [],
        firedCount: 0,
        webhooks: [],
        webhookCount: 0,
        waitingFor: 0,
        underWay: 0,
        unsent: 0,
        stranded: [],
        ...(until && { until: this.startOf(until) }),
        called,
        generation: this.engine.generation,
        deadlineWallMs: wallMs + budgetMs,
        answer,
      });
      if (!this.running) void this.run();
      // A running wait for an attempt must respect this goal's deadlines too.
      this.wake();
    });
  }

  private startOf({ id, status }: { id: string; status: string }): UntilReport {
    const record = findRecord(this.engine.state, id);
    const recordStatus = record && statusOf(record);
    return { id, wanted: status, found: recordStatus, reached: recordStatus === status };
  }

  /** Ends every goal where it is: the world stops, is reset or is closed. */
  abandon() {
    for (const goal of this.goals) this.answerGoal(goal, false);
    this.keepAndAnswer();
    this.wake();
  }

  private noteFired(timer: FiredTimer) {
    for (const goal of this.goals) {
      goal.firedCount += 1;
      if (goal.fired.length < REPORT_LIMIT) goal.fired.push(timer);
    }
  }

  private async run() {
    this.running = true;
    try {
      while (this.goals.length > 0) {
        await this.step();
        if (this.answered.length > 0) this.keepAndAnswer();
      }
    } catch (error) {
      this.abandon();
      this.engine.alarm(`advance ended: ${error}`);
    }
    this.running = false;
    this.releases.clear();
    this.released.clear();
    for (const resolve of this.waitingForIdle.splice(0)) resolve();
  }

  /** Journals the instant reached before any goal is answered; the remaining goals continue. */
  private keepAndAnswer() {
    const { engine } = this;
    if (engine.clock.isStepping && engine.isWritable) {
      const nowMs = engine.clock.now();
      engine.keepClock(engine.clock.stateFromNow(), { cause: "advance", by: "advance" });
      if (this.goals.length > 0) engine.clock.stepTo(nowMs);
    }
    for (const goal of this.answered.splice(0)) goal.answer(goal);
  }

  private async step() {
    const { engine, deliveries } = this;
    while (engine.catchUpBatch()) await nextTurn();
    await engine.journal.reached(engine.state.seq);
    deliveries.dispatch();
    this.dropStale();
    // Answer goals whose budget has run out now, not when the others continue.
    if (this.answered.length > 0) return;
    if (deliveries.isHeldBack()) return nextTurn();
    if (this.mustWait()) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const delayMs = this.nextDeadlineMs() - this.spentMs();
      const callOff = this.wall.after(delayMs, () => this.wake());
      await Promise.race([deliveries.nextEnd(), woken]);
      return callOff();
    }
    if (this.answerReached()) return;
    this.stepOn();
    await nextTurn();
  }

  /** Answers goals whose world is gone or whose budget has run out. */
  private dropStale() {
    const wallMs = this.spentMs();
    for (const goal of this.goals)
      if (
        goal.generation !== this.engine.generation ||
        !this.engine.isWritable ||
        goal.deadlineWallMs <= wallMs
      )
        this.answerGoal(goal, false);
  }

  /** Tells whether an attempt is under way that must be waited for. */
  private mustWait() {
    const wallMs = this.spentMs();
    for (const [id, atWallMs] of this.releases) if (atWallMs <= wallMs) this.released.add(id);
    const waiting = [...this.deliveries.inFlight()].filter((id) => !this.released.has(id));
    return this.goals.length > 0 && waiting.length > 0;
  }

  /** Milliseconds by which budgets count: they do not follow a system clock that is set. */
  private spentMs() {
    return this.wall.monotonicMs?.() ?? this.wall.nowMs();
  }

  private nextDeadlineMs() {
    const waits = [...this.releases].filter(([id]) => !this.released.has(id));
    return Math.min(
      ...this.goals.map(({ deadlineWallMs }) => deadlineWallMs),
      ...waits.map(([, atWallMs]) => atWallMs),
    );
  }

  private answerReached(): boolean {
    const nowMs = this.engine.clock.now();
    const isIdle = this.engine.nextTimer() === undefined;
    for (const goal of [...this.goals]) {
      const { until } = goal;
      if (until && (until.reached || isIdle || this.isFinal(until))) goal.toMs = nowMs;
      if (goal.toMs <= nowMs) this.answerGoal(goal, true);
    }
    return this.goals.length === 0;
  }

  /** Tells whether a record has reached another final status, so the wanted one cannot come. */
  private isFinal({ id, found }: UntilReport) {
    const record = findRecord(this.engine.state, id);
    return found !== undefined && record !== undefined && isFinalStatus(record, found);
  }

  private stepOn() {
    const targetMs = Math.min(...this.goals.map(({ toMs }) => toMs));
    const dueAtMs = this.engine.nextTimer()?.dueAtMs ?? Number.POSITIVE_INFINITY;
    this.engine.clock.stepTo(Math.min(targetMs, dueAtMs), this.goals[0]?.called);
  }

  private answerGoal(goal: Goal, complete: boolean) {
    this.goals = this.goals.filter((other) => other !== goal);
    const { deliveries, engine } = this;
    goal.stranded = complete ? deliveries.stranded() : [];
    goal.complete = complete && goal.stranded.length === 0;
    goal.toMs = complete ? goal.toMs : engine.clock.now();
    goal.underWay = deliveries.inFlight().size;
    goal.waitingFor = complete ? 0 : goal.underWay;
    goal.unsent = deliveries.unsentCount();
    if (goal.stranded.length > 0)
      engine.alarm(`bug: nothing would send the webhooks ${goal.stranded.join(", ")}`);
    this.answered.push(goal);
  }
}
