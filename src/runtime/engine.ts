import type { Reading, Rule } from "../domain/core/draft.ts";
import { InvariantViolation } from "../domain/core/invariant.ts";
import { Refusal, refuse } from "../domain/core/refusal.ts";
import type { Fired } from "../domain/core/schedule.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { TIMERS } from "../domain/timers.ts";
import { boundOutbox } from "../domain/webhooks/delivery-consequences.ts";
import { asGroup, isMoved, type Origin, type RehearsalEntry } from "./adoption.ts";
import { AlarmClock } from "./alarm-clock.ts";
import { Cascade, endless } from "./cascade.ts";
import { type Cause, type Change, encodeChange, FORMAT_VERSION } from "./change.ts";
import { Clock, type ClockState } from "./clock.ts";
import { droppedBy, keptBy, openDeliveries } from "./delivery-notices.ts";
import { Gate } from "./gate.ts";
import { HeldEvents } from "./held-events.ts";
import { type IdSource, momentAt } from "./ids.ts";
import type { EngineListeners, FiredTimer, Stop } from "./listeners.ts";
import type { Deliveries, Journal, Wall } from "./ports.ts";
import { type SpanClock, Stretch } from "./stretch.ts";
import { TimerQueue } from "./timer-queue.ts";
import { type Recorded, WorldDraft, WorldState } from "./world-state.ts";

/**
 * The one write path of a world: a rule runs on a draft, what it recorded is applied, buffered for
 * the journal, and told to the deliveries. Everything from `catchUp` to `apply` is one synchronous
 * stretch, so there are no locks.
 */
export class Engine {
  state = new WorldState();
  clock: Clock;
  journal: Journal;
  stopped: Stop | undefined;
  /** Rises each time the world is loaded anew; what belongs to an older one is dropped. */
  generation = 0;
  readonly listeners = new Set<EngineListeners>();
  private deliveries: Deliveries | undefined;
  private timers = new TimerQueue((id) => this.state.get("Timer", id));
  private readonly wall: Wall;
  private readonly held = new HeldEvents();
  private pumping: NodeJS.Immediate | undefined;
  private readonly stretch: Stretch;
  private readonly alarmClock = new AlarmClock(() => this.schedulePump());
  private cascade = new Cascade();
  private closed = false;
  private isResting = false;
  /** What requests that come have to wait for. */
  readonly gate = new Gate();
  /** Set while a starting world is made: its ids are drawn as they were the first time. */
  startIds: Pick<IdSource, "branch" | "lateMs"> | undefined;
  /** Set by whoever brings storage back; while it is there, writes are refused. */
  readOnlyBecause: string | undefined;

  /** @param options.spans what the time of a turn is measured with */
  constructor(options: { wall: Wall; journal: Journal; clock: ClockState; spans?: SpanClock }) {
    this.wall = options.wall;
    this.stretch = new Stretch(options.spans);
    this.journal = options.journal;
    this.clock = new Clock(options.wall, options.clock, 0);
  }

  /** Joins the port that sends webhooks, and tells it what a loaded world still has to send. */
  join(deliveries: Deliveries) {
    this.deliveries = deliveries;
    this.tellOpen();
    this.schedulePump();
  }

  /** Takes over a world that was read from storage. */
  load(state: WorldState, journal: Journal) {
    this.state = state;
    this.journal = journal;
    this.generation += 1;
    this.forgetPast();
    for (const timer of state.each("Timer")) this.timers.push(timer);
    if (state.clock) this.clock = new Clock(this.wall, state.clock, state.atMs);
    this.deliveries?.forgetAll();
    this.tellOpen();
    this.schedulePump();
  }

  /**
   * Runs a rule and makes what it recorded part of the world.
   * @returns its reply, and the `seq` that must be durable before anyone may see it
   * @throws Refusal when the rule refused; nothing happened then
   */
  commit<Input, Reply>(
    rule: Rule<Input, Reply>,
    input: Input,
    cause: Cause,
  ): { reply: Reply; seq: number; events: string[] } {
    this.requireWritable();
    const atMs = this.catchUp();
    this.requireRunning();
    const done = this.run(rule, input, { ...cause, atMs });
    this.cascade.restart(this.state.seq);
    return done;
  }

  /** Where the world stands now, for whoever makes a copy of it. */
  origin(): Origin {
    const { generation, state, clock } = this;
    return { generation, seq: state.seq, ...(clock.isStepping && { stepMs: clock.now() }) };
  }

  /**
   * Takes in what happened to a copy of this world, in one stretch and as one group of the
   * journal: all of it is there after a crash, or none.
   * @returns false when this world has moved since the copy was made; nothing happened then
   */
  adopt(origin: Origin, past: readonly RehearsalEntry[]): boolean {
    const opens = past.some((one) => "change" in one && one.change.opens !== undefined);
    if (isMoved(origin, this.origin(), { opens })) return false;
    const { isStepping } = this.clock;
    this.requireWritable({ evenIfStopped: opens });
    for (const one of asGroup(past, this.state))
      if ("change" in one) this.takeOver(one.change);
      else if ("fired" in one) this.tellFired(one.fired);
      else one.tell();
    this.cascade.restart(this.state.seq);
    this.clock.notBefore(this.state.atMs);
    if (isStepping && !opens) this.clock.stepTo(this.clock.now());
    return true;
  }

  /** Answers a question about the world as it is now. */
  read<Input, Reply>(reading: Reading<Input, Reply>, input: Input): { reply: Reply; seq: number } {
    this.requireRunning();
    const moment = momentAt(this.catchUp(), this.idSource());
    this.requireRunning();
    return { reply: reading(this.state, input, moment), seq: this.state.seq };
  }

  /** Drops everything and opens the world anew with a rule, at the instant of its clock. */
  open(rule: Rule<void, void>, opens: NonNullable<Change["opens"]>, clock: ClockState) {
    this.requireWritable({ evenIfStopped: true });
    const atMs = clock.instantMs;
    const draft = new WorldDraft(new WorldState());
    const moment = momentAt(atMs, { ...this.idSource(), ...opens, ...this.startIds, counter: 0 });
    rule(draft, undefined, moment);
    const change = this.changeOf(draft.close() ?? {}, { cause: "open", by: "open", atMs });
    const n = Math.max(moment.counter(), this.state.counter);
    this.takeOver({ ...change, opens, clock, n });
    return this.state.seq;
  }

  /** Freezes the clock or lets it run, from where it is; an advance under way goes on. */
  setClockMode(mode: ClockState["mode"], cause: Cause): number {
    const { clock } = this;
    const nowMs = clock.now();
    const isStepping = clock.isStepping;
    const seq = this.keepClock(clock.stateFromNow(mode), cause);
    if (isStepping) clock.stepTo(nowMs);
    return seq;
  }

  /** Writes the clock's present state, so that a restart goes on from it. */
  keepClock(clock: ClockState, cause: Cause): number {
    this.requireWritable();
    const change = this.changeOf({}, { ...cause, atMs: this.clock.now() });
    this.take({ ...change, clock, n: this.state.counter });
    this.clock.resume(clock);
    return this.state.seq;
  }

  /**
   * Writes an empty record to a fresh journal; if that becomes durable the world goes on with it.
   * @throws JournalFailure when storage still fails
   */
  async tryJournal(journal: Journal) {
    const cause = { cause: "storage", by: "storage", atMs: this.state.atMs };
    const change = { ...this.changeOf({}, cause), n: this.state.counter };
    journal.buffer(change.seq, encodeChange(change));
    await journal.reached(change.seq);
    this.journal = journal;
    this.state.apply(change);
    this.readOnlyBecause = undefined;
    this.schedulePump();
  }

  /** Fires what is due, as far as this turn of the event loop has time; true if more is left. */
  catchUpBatch(): boolean {
    return this.fireDue(() => this.stretch.hasTime()) === undefined;
  }

  /**
   * Fires everything due, in order; nothing acts or is read before it.
   * @returns the instant at which nothing was due any more: what acts now is stamped with it, so
   *   that stamps only rise
   */
  catchUp(): number {
    return this.fireDue(() => true) as number;
  }

  nextTimer(): TimerRecord | undefined {
    return this.timers.peek();
  }

  /** Keeps the events of a request back until its reply was handed over. */
  hold(events: readonly string[]) {
    this.held.keepUntilReleased(events);
  }

  /** Lets them go; called when the reply is on its way. */
  release(events: readonly string[]) {
    this.held.release(events);
    this.schedulePump();
  }

  /** An event may be sent when its reply is out and the journal has it. */
  maySend(id: string) {
    return this.held.mayGo(id, this.journal.durableSeq());
  }

  /** After this turn: fire what is due, send what may be sent, wait for the next timer. */
  schedulePump() {
    if (this.isResting) return;
    this.pumping ??= setImmediate(() => {
      this.pumping = undefined;
      void this.pump();
    });
  }

  /** Refuses what cannot be answered while the world stands. */
  requireRunning() {
    if (this.stopped)
      refuse("UNAVAILABLE", { why: `it stopped: ${this.stopped.why}`, ...this.stopped.values });
  }

  /** Tells the operator what is wrong. */
  alarm(message: string) {
    for (const listener of this.listeners) listener.alarm?.(message);
  }

  /** Fires no more timers by itself: what is due waits for the next start. */
  rest() {
    this.isResting = true;
    if (this.pumping) clearImmediate(this.pumping);
    this.alarmClock.stop();
  }

  close() {
    this.closed = true;
    this.rest();
  }

  private requireWritable({ evenIfStopped = false } = {}) {
    if (!evenIfStopped) this.requireRunning();
    if (this.readOnlyBecause) refuse("UNAVAILABLE", { why: this.readOnlyBecause });
    if (this.closed) refuse("UNAVAILABLE", { why: "it is closed" });
  }

  private async pump() {
    if (this.isResting) return;
    const more = this.catchUpBatch();
    try {
      await this.journal.reached(this.state.seq);
    } catch {
      return;
    }
    if (this.isResting) return;
    // What is sent while some of it is due would depend on how fast this machine is.
    if (more) this.schedulePump();
    else if (!this.readOnlyBecause && !this.stopped) this.deliveries?.dispatch();
    for (const listener of this.listeners) listener.pumped?.();
    this.armAlarmClock();
  }

  /** In real mode the pump runs again when the earliest timer is due. */
  private armAlarmClock() {
    const timer = this.timers.peek();
    const isRunning = this.clock.mode === "real" && !this.clock.isStepping;
    if (timer && isRunning && !this.readOnlyBecause && !this.stopped)
      this.alarmClock.ringIn(timer.dueAtMs - this.clock.now());
    else this.alarmClock.stop();
  }

  private tellOpen() {
    for (const delivery of openDeliveries(this.state)) this.deliveries?.changed(delivery);
  }

  private forgetPast() {
    this.held.clear();
    this.timers = new TimerQueue((id) => this.state.get("Timer", id));
    this.cascade = new Cascade();
  }

  private idSource(): IdSource {
    const { seed, branch, counter, seq } = this.state;
    return { seed, branch, counter, seq: seq + 1, ...this.startIds };
  }

  private run<Input, Reply>(
    rule: Rule<Input, Reply>,
    input: Input,
    cause: Cause & { atMs: number },
  ) {
    const draft = new WorldDraft(this.state);
    const moment = momentAt(cause.atMs, this.idSource());
    try {
      const reply = rule(draft, input, moment);
      boundOutbox(draft, draft.emitted, moment);
      const recorded = draft.close();
      if (recorded) this.take({ ...this.changeOf(recorded, cause), n: moment.counter() }, cause);
      const events = recorded?.emit?.map(({ id }) => id) ?? [];
      return { reply, seq: this.state.seq, events, row: recorded?.row };
    } catch (error) {
      if (error instanceof InvariantViolation)
        this.stopWith({ why: error.message, by: cause.by, values: error.values });
      throw error;
    }
  }

  private changeOf(recorded: Recorded, asked: Cause & { atMs: number }): Change {
    const { cause, by, movedBy, atMs: at } = asked;
    const seq = this.state.seq + 1;
    return { v: FORMAT_VERSION, seq, at, cause, by, movedBy, ...recorded, n: 0 };
  }

  /** Takes a change with what it says of the clock, and of the world that it opens. */
  private takeOver(change: Change) {
    const { opens, clock } = change;
    if (opens) {
      this.forgetPast();
      this.deliveries?.forgetAll();
      this.generation += 1;
      this.stopped = undefined;
    }
    if (clock && opens) this.clock = new Clock(this.wall, clock, change.at);
    else if (clock) this.clock.resume(clock);
    this.take(change);
  }

  private take(change: Change, { isHeld }: { isHeld?: true } = {}) {
    const dropped = droppedBy(this.state, change);
    this.state.apply(change);
    this.journal.buffer(change.seq, encodeChange(change));
    for (const [kind, record] of change.put ?? [])
      if (kind === "Timer") this.timers.push(record as TimerRecord);
    for (const { id } of change.emit ?? []) this.held.keepUntilDurable(id, change.seq);
    // The lane of a delivery that is dropped goes on with the next one.
    for (const delivery of [...keptBy(this.state, change), ...dropped])
      this.deliveries?.changed(delivery);
    for (const listener of this.listeners) listener.changed?.(change);
    if (!isHeld) this.schedulePump();
  }

  private fireDue(mayGoOn: () => boolean): number | undefined {
    for (;;) {
      const nowMs = this.clock.now();
      const timer = this.timers.peek();
      const isStill = this.stopped || this.readOnlyBecause !== undefined || this.closed;
      if (!timer || timer.dueAtMs > nowMs || isStill) return nowMs;
      if (!mayGoOn()) return undefined;
      this.fire(timer);
    }
  }

  private fire(timer: TimerRecord) {
    const { id, name, subject, dueAtMs } = timer;
    if (this.cascade.isEndless(timer, this.state.seq)) return this.stopWith(endless(timer));
    const rule: Rule<void, Fired> = (draft, _input, moment) => {
      draft.del("Timer", id);
      return TIMERS[name].fire(draft, subject, moment);
    };
    try {
      const { movedBy } = this.clock;
      const cause = { cause: id, by: name, movedBy, atMs: dueAtMs };
      const { reply, row } = this.run(rule, undefined, cause);
      this.tellFired({ atMs: dueAtMs, timer: name, subject, ...reply, ...(row && { rule: row }) });
    } catch (error) {
      this.poison(id, error as Error);
    }
  }

  /** A timer that throws would fire for ever: it is marked, and the world stops. */
  private poison(id: string, error: Error) {
    const timer = this.state.get("Timer", id);
    const message = error instanceof Refusal ? `it refused with ${error.word}` : error.message;
    if (timer) {
      const put: Change["put"] = [["Timer", { ...timer, poisoned: message }]];
      const cause = { cause: id, by: "poison", atMs: timer.dueAtMs };
      this.take({ ...this.changeOf({ put }, cause), n: this.state.counter });
    }
    if (!this.stopped) this.stopWith({ why: message, by: id, values: {} });
  }

  private tellFired(fired: FiredTimer) {
    for (const listener of this.listeners) listener.fired?.(fired);
  }

  /** Takes no calls any more; what happened before is still told. */
  stopWith(stop: Stop) {
    this.stopped = stop;
    for (const listener of this.listeners) listener.stopped?.(stop);
    this.alarm(`the world stopped at ${stop.by}: ${stop.why} ${JSON.stringify(stop.values)}`);
  }
}
