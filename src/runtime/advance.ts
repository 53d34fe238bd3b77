import { FINAL_STATUSES } from "../domain/lifecycles/payment-ends.ts";
import { KINDS } from "../domain/records/tables.ts";
import type { Engine } from "./engine.ts";
import type { FiredTimer } from "./listeners.ts";
import type { AttemptReport, Deliveries, Wall } from "./ports.ts";
import type { WorldState } from "./world-state.ts";

/** What an advance did; lists are cut, counts are not. */
export interface AdvanceReport {
  fromMs: number;
  toMs: number;
  /** False when the wall budget ran out, or the world was stopped, reset or at fault on the way. */
  complete: boolean;
  fired: FiredTimer[];
  firedCount: number;
  webhooks: AttemptReport[];
  webhookCount: number;
  /** Attempts that were still under way when the budget ran out. */
  waitingFor: number;
  /** Attempts still under way when it was answered. */
  underWay: number;
  /** Deliveries that wait for their lane, for room, or for a world that sends nothing now. */
  unsent: number;
  /** Open deliveries that nothing would ever send: a bug, told as one. */
  stranded: readonly string[];
  /** How a wait for a record's status ended. */
  until?: UntilReport;
}

/** A status waited for, and what the record has come to. */
export interface UntilReport {
  id: string;
  wanted: string;
  found: string | undefined;
  reached: boolean;
}

/**
 * Where to move the clock: by a span or to an instant, or until a record has a status, whichever
 * is first.
 */
export interface AdvanceRequest {
  /** When it was asked; now, when left out. */
  fromMs?: number;
  /** An instant; a span is counted from where the relative moves under way will end. */
  target: { byMs: number } | { toMs: number };
  budgetMs: number;
  until?: { id: string; status: string };
  /** What whoever asks calls it, like `advance 6m`: `why` names it. */
  called?: string;
}

interface Goal extends AdvanceReport {
  /** It was asked for as a span: later spans add to it. */
  isRelative: boolean;
  called: string | undefined;
  generation: number;
  deadlineWallMs: number;
  answer(report: AdvanceReport): void;
}

/** What a record's status is called differs with its kind. */
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

/** The reply names the first of each list and counts the rest (ARCHITECTURE, Control surface). */
export const REPORT_LIMIT = 1000;
export const DEFAULT_BUDGET_MS = 60_000;
/** How long attempts that were out already are waited for, on the wall clock. */
const OLD_ATTEMPTS_MS = 5000;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Moves a world's clock: one loop, any number of goals in it. The clock stands at each timer's
 * instant until the webhooks caused there were attempted, so a retry lands exactly when it should,
 * and a receiver that calls back is served at that instant (MECHANISMS 6).
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
  /** Attempts no longer waited for, since they were out before anyone asked. */
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

  /** Resolves when no advance is under way. */
  idle(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve) => this.waitingForIdle.push(resolve));
  }

  private waitsForStatus() {
    return this.goals.some(({ until }) => until !== undefined);
  }

  /** A status passed through counts as reached, also when the record has moved on since. */
  private noteRecord(record: { id: string }) {
    for (const { until } of this.goals) {
      if (until?.id !== record.id || until.reached) continue;
      until.found = statusOf(record);
      until.reached = until.found === until.wanted;
    }
  }

  /** Reports of attempts come in here as they end. */
  noteAttempt(attempt: AttemptReport) {
    for (const goal of this.goals) {
      goal.webhookCount += 1;
      if (goal.webhooks.length < REPORT_LIMIT) goal.webhooks.push(attempt);
    }
  }

  /** The instant that a span from now leads to, on top of the relative moves under way. */
  instantAfter(byMs: number): number {
    const relative = this.goals.filter(({ isRelative }) => isRelative).map(({ toMs }) => toMs);
    return Math.max(this.engine.clock.now(), ...relative) + byMs;
  }

  /** Resolves when the clock is there and everything sendable was attempted. */
  to({ fromMs: askedMs, target, budgetMs, until, called }: AdvanceRequest): Promise<AdvanceReport> {
    const nowMs = this.engine.clock.now();
    const isRelative = "byMs" in target;
    const toMs = isRelative ? this.instantAfter(target.byMs) : target.toMs;
    const fromMs = askedMs ?? nowMs;
    const wallMs = this.wall.nowMs();
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
      // Whoever waits for an attempt does so with this goal's deadlines from now on.
      this.wake();
    });
  }

  private startOf({ id, status }: { id: string; status: string }): UntilReport {
    const record = findRecord(this.engine.state, id);
    const found = record && statusOf(record);
    return { id, wanted: status, found, reached: found === status };
  }

  /** Ends every goal where it is: the world stops, is reset or closed. */
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

  /** Journals the instant reached before anyone is told of it; goals that are left go on. */
  private keepAndAnswer() {
    const { engine } = this;
    if (engine.clock.isStepping && !engine.stopped && !engine.readOnlyBecause) {
      const nowMs = engine.clock.now();
      engine.keepClock(engine.clock.stateFromNow(), { cause: "advance", by: "advance" });
      if (this.goals.length > 0) engine.clock.stepTo(nowMs);
    }
    for (const goal of this.answered.splice(0)) goal.answer(goal);
  }

  private async step() {
    const { engine, deliveries } = this;
    while (engine.catchUpBatch()) await turn();
    await engine.journal.reached(engine.state.seq);
    deliveries.dispatch();
    this.dropStale();
    // Whoever ran out of time is told now, not when the others may go on.
    if (this.answered.length > 0) return;
    if (deliveries.isHeldBack()) return turn();
    if (this.mustWait()) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      const delayMs = this.nextDeadlineMs() - this.wall.nowMs();
      const callOff = this.wall.after(delayMs, () => this.wake());
      await Promise.race([deliveries.nextEnd(), woken]);
      return callOff();
    }
    if (this.answerReached()) return;
    this.stepOn();
    await turn();
  }

  /** Goals whose world is gone, or whose budget is spent. */
  private dropStale() {
    const wallMs = this.wall.nowMs();
    for (const goal of this.goals)
      if (
        goal.generation !== this.engine.generation ||
        this.engine.stopped ||
        this.engine.readOnlyBecause ||
        goal.deadlineWallMs <= wallMs
      )
        this.answerGoal(goal, false);
  }

  /** Whether an attempt is out that nobody released. */
  private mustWait() {
    const wallMs = this.wall.nowMs();
    for (const [id, atWallMs] of this.releases) if (atWallMs <= wallMs) this.released.add(id);
    const waiting = [...this.deliveries.inFlight()].filter((id) => !this.released.has(id));
    return this.goals.length > 0 && waiting.length > 0;
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

  /** A record in a final state that is not the wanted one will never have it. */
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
    this.goals = this.goals.filter((one) => one !== goal);
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
