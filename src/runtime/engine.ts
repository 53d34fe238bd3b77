import type { Reading, Rule } from "../domain/core/draft.ts";
import { InvariantViolation } from "../domain/core/invariant.ts";
import { Refusal, refuse } from "../domain/core/refusal.ts";
import type { TimerEffect } from "../domain/core/schedule.ts";
import type { TimerRecord } from "../domain/records/records.ts";
import { fullProblem } from "../domain/state-facts.ts";
import { TIMERS } from "../domain/timers.ts";
import { boundOutbox } from "../domain/webhooks/delivery-consequences.ts";
import { hostTime } from "../machine/host-time.ts";
import { AlarmClock } from "./alarm-clock.ts";
import type { Cause, Change } from "./change.ts";
import { Clock, type ClockPace, type ClockState } from "./clock.ts";
import { journalSetBack } from "./clock-set-back.ts";
import { droppedBy, keptBy, openDeliveries } from "./delivery-notices.ts";
import { changeAfter, firstChange } from "./first-change.ts";
import { Gate } from "./gate.ts";
import { HeldEvents } from "./held-events.ts";
import { type IdSource, momentAt } from "./ids.ts";
import type { Journal } from "./journal.ts";
import type { EngineListeners, FiredTimer, Stop } from "./listeners.ts";
import { asGroup, type DryRunEntry, isMoved, type Origin } from "./merge.ts";
import type { Deliveries, Wall } from "./ports.ts";
import { requireStore } from "./store-unavailable.ts";
import { type SpanClock, TimeSlice } from "./time-slice.ts";
import { endless, TimerChain } from "./timer-chain.ts";
import { type DraftChange, WorldDraft } from "./world-draft.ts";
import { WorldState } from "./world-state.ts";

/**
 * The only write path of a world. A rule runs on a draft; its change is applied, buffered for the
 * journal and passed to the deliveries. `catchUp` to `apply` runs synchronously, so no locks are
 * needed.
 */
export class Engine {
  state = new WorldState();
  clock: Clock;
  journal: Journal;
  stopped: Stop | undefined;
  /** Increases each time the world is loaded again; work for an older generation is dropped. */
  generation = 0;
  readonly listeners = new Set<EngineListeners>();
  private deliveries: Deliveries | undefined;
  private readonly wall: Wall;
  private readonly held = new HeldEvents();
  private pumping: NodeJS.Immediate | undefined;
  private readonly stretch: TimeSlice;
  private readonly alarmClock = new AlarmClock(() => this.schedulePump());
  private cascade = new TimerChain();
  private closed = false;
  private isResting = false;
  /** Gate that incoming requests wait at. */
  readonly gate = new Gate();
  /** Set while the default world is made: its ids are the same as the first time. */
  startIds: Pick<IdSource, "branch" | "lateMs"> | undefined;
  /** Set while storage is being recovered; writes are refused until it is cleared. */
  readOnlyBecause: string | undefined;

  /** @param options.spans clock that measures the time of a turn */
  constructor(options: { wall: Wall; journal: Journal; clock: ClockState; spans?: SpanClock }) {
    this.wall = options.wall;
    this.stretch = new TimeSlice(options.spans);
    this.journal = options.journal;
    this.clock = new Clock(options.wall, options.clock, 0);
  }

  /** Connects the port that sends webhooks, and passes it all open deliveries. */
  join(deliveries: Deliveries) {
    this.deliveries = deliveries;
    this.tellOpen();
    this.schedulePump();
  }

  /** Replaces the world with one read from storage, or with one of its own earlier states. */
  load(state: WorldState, journal: Journal) {
    this.state = state;
    this.journal = journal;
    this.forgetPast();
    if (state.clock) this.clock = new Clock(this.wall, state.clock, state.atMs);
    this.tellOpen();
    for (const listener of this.listeners) listener.loaded?.();
    this.schedulePump();
  }

  /**
   * Runs a rule and adds its change to the world.
   * @returns its reply, and the `seq` that must be durable before the reply is sent
   * @throws Refusal when the rule refused; the world is unchanged then
   */
  commit<Input, Reply>(
    rule: Rule<Input, Reply>,
    input: Input,
    cause: Cause,
  ): { reply: Reply; seq: number; events: string[]; decisions: readonly string[] } {
    this.requireWritable();
    const atMs = this.catchUp();
    this.requireRunning();
    const done = this.run(rule, input, { ...cause, atMs });
    this.cascade.restart(this.state.seq);
    return done;
  }

  /** The present point of the world, for a copy of it. */
  origin(): Origin {
    const { generation, state, clock } = this;
    return { generation, seq: state.seq, ...(clock.isStepping && { stepMs: clock.now() }) };
  }

  /**
   * Applies the changes of a copy as one group of the journal (decisions/fixtures-on-a-copy.md).
   * @returns false when this world changed since the copy was made; nothing was applied then
   */
  adopt(origin: Origin, past: readonly DryRunEntry[]): boolean {
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

  /** Answers a question about the present world. */
  read<Input, Reply>(reading: Reading<Input, Reply>, input: Input): { reply: Reply; seq: number } {
    this.requireRunning();
    const moment = momentAt(this.catchUp(), this.idSource());
    this.requireRunning();
    return { reply: reading(this.state, input, moment), seq: this.state.seq };
  }

  /** Drops everything and opens the world again with a rule, at the instant of its clock. */
  open(rule: Rule<void, void>, opens: NonNullable<Change["opens"]>, clock: ClockState) {
    this.requireWritable({ evenIfStopped: true });
    const atMs = clock.instantMs;
    const source = { ...this.idSource(), ...opens, ...this.startIds, counter: 0 };
    const change = firstChange(rule, { on: new WorldState(), source, by: "open", atMs });
    const n = Math.max(change.n, this.state.counter);
    this.takeOver({ ...change, opens, clock, n });
    return this.state.seq;
  }

  /** Makes the loaded copy a world of its own, with another name and branch. */
  becomeFork(forks: NonNullable<Change["forks"]>, rule: Rule<void, void>) {
    const by = { source: { ...this.idSource(), ...forks }, by: "fork", atMs: this.clock.now() };
    this.take({ ...firstChange(rule, { on: this.state, ...by }), forks });
  }

  /** Moves time at another pace from its present instant; an advance under way continues. */
  setClock(pace: ClockPace, cause: Cause): number {
    const { clock } = this;
    const nowMs = clock.now();
    const isStepping = clock.isStepping;
    const seq = this.keepClock(clock.stateFromNow(pace), cause);
    if (isStepping) clock.stepTo(nowMs);
    return seq;
  }

  /** Journals the clock's present state, so that a restart continues from it. */
  keepClock(clock: ClockState, cause: Cause): number {
    this.requireWritable();
    const change = this.changeOf({}, { ...cause, atMs: this.clock.now() });
    this.take({ ...change, clock });
    this.clock.resume(clock);
    return this.state.seq;
  }

  /**
   * Writes an empty record to a new journal, which the world uses if the record becomes durable.
   * @throws JournalFailure when storage still fails
   */
  async tryJournal(journal: Journal) {
    const change = this.changeOf({}, { cause: "storage", by: "storage", atMs: this.state.atMs });
    journal.buffer(change);
    await journal.reached(change.seq);
    this.journal = journal;
    this.state.apply(change);
    this.readOnlyBecause = undefined;
    this.schedulePump();
  }

  /** Fires due timers for as long as this turn of the event loop allows; true if more are due. */
  catchUpBatch(): boolean {
    return this.fireDue(() => this.stretch.hasTime()) === undefined;
  }

  /**
   * Fires everything due, in order; nothing acts or is read before (spec/clock.md#timer-order).
   * @returns the instant at which nothing more was due: what follows takes it, and reads no clock
   */
  catchUp(): number {
    return this.fireDue(() => true) as number;
  }

  nextTimer = () => this.state.nextTimer();
  /** Holds the events of a request back until its reply is on its way. */
  hold(events: readonly string[]) {
    this.held.keepUntilReleased(events);
  }

  /** Releases them once the reply is on its way. */
  release(events: readonly string[]) {
    this.held.release(events);
    this.schedulePump();
  }

  /** Tells if reply and journal let an event go (spec/webhooks.md#sending-time). */
  maySend(id: string) {
    return this.held.mayGo(id, this.journal.durableSeq());
  }

  /** After this turn, fires what is due, sends what may be sent, and waits for the next timer. */
  schedulePump() {
    if (this.isResting) return;
    this.pumping ??= hostTime.setImmediate(() => {
      this.pumping = undefined;
      this.pump();
    });
  }

  /** Refuses calls that a stopped world cannot answer. */
  requireRunning() {
    if (this.stopped)
      refuse("UNAVAILABLE", { why: `it stopped: ${this.stopped.why}`, ...this.stopped.values });
  }

  alarm(message: string) {
    for (const listener of this.listeners) listener.alarm?.(message);
  }

  /** Stops firing timers by itself: those that are due wait for the next start. */
  rest() {
    this.isResting = true;
    if (this.pumping) hostTime.clearImmediate(this.pumping);
    this.alarmClock.stop();
  }

  close() {
    this.closed = true;
    this.rest();
  }

  get isWritable() {
    return !this.stopped && !this.readOnlyBecause && !this.closed && !fullProblem(this.state);
  }

  /** Refuses changes where the world takes none. */
  requireWritable({ evenIfStopped = false } = {}) {
    if (!evenIfStopped) this.requireRunning();
    const why = this.readOnlyBecause ?? (this.closed ? "it is closed" : fullProblem(this.state));
    if (why) refuse("UNAVAILABLE", { why });
    requireStore(this.journal);
  }

  private pump() {
    if (this.isResting) return;
    const more = this.catchUpBatch();
    const written = this.journal.reached(this.state.seq);
    // A promise in each turn would cost more than the rest of the pump.
    const next = () => this.pumped(more);
    if (written) written.then(next, () => {});
    else next();
  }

  private pumped(more: boolean) {
    if (this.isResting) return;
    // Sending while timers are still due would make the order depend on the machine's speed.
    if (more) this.schedulePump();
    else if (this.isWritable) this.deliveries?.dispatch();
    for (const listener of this.listeners) listener.pumped?.();
    this.armAlarmClock();
  }

  /** Runs the pump again, in real mode, when the earliest timer is due. */
  private armAlarmClock() {
    this.alarmClock.waitFor(this.isWritable ? this.state.nextTimer() : undefined, this.clock);
  }

  private tellOpen() {
    for (const delivery of openDeliveries(this.state)) this.deliveries?.changed(delivery);
  }

  /** Ends everything that continues in the world: another takes its place. */
  private forgetPast() {
    this.generation += 1;
    this.stopped = undefined;
    this.deliveries?.forgetAll();
    this.held.clear();
    this.cascade = new TimerChain();
  }

  private idSource(): IdSource & { seq: number } {
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
      if (recorded) this.take(this.changeOf(recorded, cause, moment.counter()), cause);
      const events = recorded?.emit?.map(({ id }) => id) ?? [];
      return { reply, seq: this.state.seq, events, row: recorded?.row, decisions: draft.decisions };
    } catch (error) {
      if (error instanceof InvariantViolation)
        this.stopWith({ why: error.message, by: cause.by, values: error.values });
      throw error;
    }
  }

  private changeOf(recorded: DraftChange, why: Cause & { atMs: number }, n = this.state.counter) {
    return changeAfter({ seq: this.state.seq, n }, recorded, why);
  }

  /** Applies a change, the clock state in it, and the new world if it opens one. */
  private takeOver(change: Change) {
    const { opens, clock } = change;
    if (opens) this.forgetPast();
    if (clock && opens) this.clock = new Clock(this.wall, clock, change.at);
    else if (clock) this.clock.resume(clock);
    this.take(change);
  }

  private take(change: Change, { isHeld }: { isHeld?: true } = {}) {
    const dropped = droppedBy(this.state, change);
    for (const listener of this.listeners) listener.changing?.(change);
    this.state.apply(change);
    this.journal.buffer(change);
    this.held.keepUntilDurable(change);
    // A removed delivery lets the next one in its lane go ahead.
    for (const delivery of keptBy(this.state, change).concat(dropped))
      this.deliveries?.changed(delivery);
    for (const listener of this.listeners) listener.changed?.(change);
    if (!isHeld) this.schedulePump();
  }

  private fireDue(mayGoOn: () => boolean): number | undefined {
    for (;;) {
      const nowMs = this.clock.now();
      journalSetBack(this);
      const timer = this.state.nextTimer();
      if (!timer || timer.dueAtMs > nowMs || !this.isWritable) return nowMs;
      if (!mayGoOn()) return undefined;
      this.fire(timer);
    }
  }

  private fire(timer: TimerRecord) {
    const { id, name, subject, dueAtMs } = timer;
    if (this.cascade.isEndless(timer, this.state.seq)) return this.stopWith(endless(timer));
    const rule: Rule<void, TimerEffect> = (draft, _input, moment) => {
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

  /** Marks a timer that threw and stops the world; otherwise it would fire again endlessly. */
  private poison(id: string, error: Error) {
    const timer = this.state.get("Timer", id);
    const message = error instanceof Refusal ? `it refused with ${error.word}` : error.message;
    if (timer) {
      const put: Change["put"] = [["Timer", { ...timer, poisoned: message }]];
      const cause = { cause: id, by: "poison", atMs: timer.dueAtMs };
      this.take(this.changeOf({ put }, cause));
    }
    if (!this.stopped) this.stopWith({ why: message, by: id, values: {} });
  }

  private tellFired(fired: FiredTimer) {
    for (const listener of this.listeners) listener.fired?.(fired);
  }

  /** Refuses further calls; events of earlier changes are still sent. */
  stopWith(stop: Stop) {
    this.stopped = stop;
    for (const listener of this.listeners) listener.stopped?.(stop);
    this.alarm(`the world stopped at ${stop.by}: ${stop.why} ${JSON.stringify(stop.values)}`);
  }
}
