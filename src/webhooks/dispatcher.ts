import { OWN } from "../contract/core/brand-words.ts";
import { defined } from "../contract/core/defined.ts";
import { calledAddress } from "../contract/core/endpoint-address.ts";
import { bodyDecides } from "../contract/webhooks/events.ts";
import { signatureHeader, type WebhookKeys } from "../crypto/webhook-signature.ts";
import { brandIn } from "../domain/core/brand.ts";
import type { Rule } from "../domain/core/draft.ts";
import { attemptTimeoutMs } from "../domain/core/durations.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import type { AttemptResult } from "../domain/records/attempt-result.ts";
import type { DeliveryRecord } from "../domain/records/records.ts";
import { isOpen } from "../domain/records/tables.ts";
import { bytesOf, headOfLane, isRetryDue } from "../domain/webhooks/deliveries.ts";
import {
  recordAttempt,
  recordResend,
  recordUndeliverable,
} from "../domain/webhooks/delivery-consequences.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import type { Engine } from "../runtime/engine.ts";
import {
  type AttemptAnswer,
  type AttemptReport,
  type Deliveries,
  machineWall,
  type Wall,
} from "../runtime/ports.ts";
import { attemptDelivery } from "./attempt.ts";
import {
  ATTEMPT_LIMITS,
  type AttemptInFlight,
  AttemptLimiter,
  ProcessLimiter,
} from "./attempt-limiter.ts";
import { CutOff } from "./cut-off.ts";
import { ReadyLanes } from "./ready-lanes.ts";
import { strandedIn } from "./stranded.ts";
import type { WebhookTargets } from "./targets.ts";

/** Deliveries that end for lack of an endpoint in one batch, before other work gets its turn. */
const UNSENT_BATCH = 256;

export interface DispatcherOptions {
  engine: Engine;
  keys(): WebhookKeys;
  /** Time limit for a receiver, in wall milliseconds (spec/webhooks.md#timeouts). */
  timeoutMs?: number;
  onAttempt(report: AttemptReport, delivery: DeliveryRecord): void;
  /** Rules for targets; by default those of a program on loopback. */
  targets?: WebhookTargets;
  /** Attempts of all worlds of the process. */
  shared?: ProcessLimiter;
  /** Makes one HTTP attempt; simulated histories use receivers of their own. */
  send?: typeof attemptDelivery;
  wall?: Wall;
}

interface Target {
  url: string;
  ca: string | undefined;
  body: Buffer;
}

/** One sending of a delivery: its key among those under way, and the rule that notes its answer. */
interface DeliverySend {
  delivery: DeliveryRecord;
  key: string;
  flight: AttemptInFlight;
  record: typeof recordAttempt;
  /** The header to send; a new signature by default. */
  signature?: string | undefined;
}

/**
 * Sends the outbox (spec/webhooks.md#order). Each lane makes one first attempt at a time, in the
 * order of events; retries run beside them by the clock. Every open delivery has a next step: a
 * first attempt to come, an attempt under way, or a retry.
 */
export class Dispatcher implements Deliveries {
  private readonly options: DispatcherOptions;
  private readonly wall: Wall;
  private readonly turns = new ReadyLanes();
  private readonly limiter: AttemptLimiter;
  private endings: (() => void)[] = [];
  private resends = 0;
  /** True when a delivery waits only for its reply to be on its way. */
  private holdsBack = false;
  /** Ends of the attempts under way, those of a dropped world included. */
  private readonly cuts = new Set<CutOff>();
  private isClosed = false;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.wall = options.wall ?? machineWall;
    const { shared = new ProcessLimiter(), engine } = options;
    // A world that takes no changes sends nothing: its place is for the next one.
    const wake = () => (engine.isWritable ? engine.schedulePump() : this.limiter.release());
    this.limiter = new AttemptLimiter({ shared, wake });
    engine.listeners.add({ stopped: () => this.limiter.release() });
  }

  changed(delivery: DeliveryRecord) {
    const { lane } = delivery;
    if (this.mayHaveMore(delivery)) this.turns.add(delivery, { isSlow: this.limiter.isSlow(lane) });
    else this.turns.endTurn(lane);
  }

  /** Tells if a lane may have something to send; one that has not would stay among the turns. */
  private mayHaveMore(delivery: DeliveryRecord) {
    const { lane } = delivery;
    return (
      isOpen(delivery) || this.headOf(lane) !== undefined || this.turns.retriesOf(lane).size > 0
    );
  }

  /** Aborts the attempts under way. */
  close() {
    this.isClosed = true;
    for (const cutOff of this.cuts) cutOff.cut();
    this.limiter.close();
  }

  dispatch() {
    const { state } = this.options.engine;
    const isOpened = state.seq > 0;
    if (this.isClosed || !isOpened) return;
    this.holdsBack = false;
    const url = platformConfig(state).webhookEndpoint;
    if (url === undefined) this.endUnsent();
    else this.visitLanes();
    this.limiter.release();
  }

  private visitLanes() {
    for (const isSlow of [false, true])
      for (const lane of this.turns.lanes({ isSlow })) {
        if (!this.limiter.mayBegin({ isSlow })) break;
        this.visit(lane, { isSlow });
      }
  }

  isHeldBack() {
    return this.holdsBack;
  }

  inFlight(): ReadonlySet<string> {
    return this.limiter.names();
  }

  unsentCount() {
    const { state } = this.options.engine;
    let count = 0;
    for (const id of state.ids("Delivery", "byProgress", "open")) {
      const delivery = state.get("Delivery", id);
      const isDueLater = delivery?.nextAttemptAtMs !== undefined || delivery?.state === "HELD";
      if (!isDueLater && !this.limiter.has(id)) count += 1;
    }
    return count;
  }

  stranded() {
    const { turns, limiter } = this;
    return strandedIn(this.options.engine.state, { turns, limiter });
  }

  nextEnd(): Promise<void> {
    return new Promise((resolve) => this.endings.push(resolve));
  }

  forgetAll() {
    this.turns.clear();
    this.limiter.clear();
    this.announceEnd();
  }

  async attemptNow(deliveryId: string) {
    const delivery = this.options.engine.state.get("Delivery", deliveryId);
    return delivery && this.attempt(delivery);
  }

  async resend(deliveryId: string, signature?: string) {
    const delivery = this.options.engine.state.get("Delivery", deliveryId);
    const target = delivery && this.targetOf(delivery);
    if (!target) return undefined;
    this.resends += 1;
    const key = `resend ${this.resends}`;
    return this.send(target, {
      delivery,
      key,
      flight: { name: key },
      record: recordResend,
      signature,
    });
  }

  /**
   * Starts the attempts that a lane may make now. Its turn ends when none is left or the lane is
   * full.
   */
  private visit(lane: string, { isSlow }: { isSlow: boolean }) {
    const next = () => this.firstOf(lane) ?? this.retryOf(lane);
    let delivery = next();
    while (delivery && this.limiter.mayBegin({ isSlow })) {
      void this.attempt(delivery);
      // The delivery ended unsent, or the world takes no changes: the lane keeps its turn.
      if (!this.limiter.has(delivery.id)) return;
      delivery = next();
    }
    const head = this.limiter.isFirstUnderWay(lane) ? undefined : this.headOf(lane);
    if (head && !delivery) this.holdsBack = true;
    if (!head && !delivery) this.turns.endTurn(lane);
  }

  /** The delivery whose first attempt is next in a lane, if it may begin now. */
  private firstOf(lane: string): DeliveryRecord | undefined {
    if (this.limiter.isFirstUnderWay(lane)) return undefined;
    const head = this.headOf(lane);
    return head && this.options.engine.maySend(head.id) ? head : undefined;
  }

  private headOf(lane: string) {
    return headOfLane(this.options.engine.state, lane);
  }

  private retryOf(lane: string): DeliveryRecord | undefined {
    if (!this.limiter.mayRetryIn(lane)) return undefined;
    for (const id of this.turns.retriesOf(lane)) {
      const delivery = this.options.engine.state.get("Delivery", id);
      if (delivery && isRetryDue(delivery) && !this.limiter.has(id)) return delivery;
      this.turns.forgetRetry(lane, id);
    }
    return undefined;
  }

  private async attempt(delivery: DeliveryRecord): Promise<AttemptAnswer | undefined> {
    const target = this.targetOf(delivery);
    if (!target) {
      this.endOneUnsent(delivery);
      return undefined;
    }
    const { id: key, attemptCount, lane } = delivery;
    const flight: AttemptInFlight = {
      name: `${key} ${attemptCount + 1}`,
      lane,
      isFirst: delivery.state === "WAITING",
    };
    this.turns.forgetRetry(lane, key);
    return this.send(target, { delivery, key, flight, record: recordAttempt });
  }

  /** Endpoint and bytes of a delivery, read at each attempt. */
  private targetOf({ id }: DeliveryRecord): Target | undefined {
    const { state } = this.options.engine;
    const { webhookEndpoint: url, webhookCa: ca } = platformConfig(state);
    const event = state.get("Event", id);
    if (url === undefined || !event) return undefined;
    return { url: calledAddress(url), ca, body: bytesOf(event, brandIn(state)) };
  }

  /** Sends a delivery's bytes once and notes the answer. */
  private async send(target: Target, sending: DeliverySend): Promise<AttemptAnswer> {
    const { engine, send = attemptDelivery, timeoutMs, targets } = this.options;
    const { delivery, key, flight, signature = this.sign(target.body) } = sending;
    const { generation } = engine;
    const atMs = engine.clock.now();
    const cutOff = new CutOff();
    this.cuts.add(cutOff);
    this.limiter.begin(key, { ...flight, cutOff: () => cutOff.cut() });
    const callOff = this.wall.after(ATTEMPT_LIMITS.slowAfterMs, () => this.becomeSlow(key, flight));
    const answer = await send({
      ...target,
      headers: {
        "content-type": "application/json",
        "user-agent": "service-sim",
        [(brandIn(engine.state) ?? OWN).webhookHeader]: signature,
      },
      timeoutMs: attemptTimeoutMs(delivery.type, timeoutMs),
      bodyDecides: bodyDecides(delivery.type),
      cutOff,
      ...(targets && { targets }),
    });
    callOff();
    this.cuts.delete(cutOff);
    const isDropped = () => engine.generation !== generation || this.isClosed;
    // An attempt aborted by a stop is made again after the next start.
    if (isDropped()) return answer;
    // Otherwise the commit would fire all due timers at once.
    await caughtUp(engine);
    if (isDropped()) return answer;
    this.limiter.end(key, { wasQuick: answer.tookMs < ATTEMPT_LIMITS.slowAfterMs });
    this.finish(sending, { deliveryId: delivery.id, atMs, signature, ...answer });
    return answer;
  }

  private becomeSlow(key: string, { lane }: AttemptInFlight) {
    this.limiter.becomeSlow(key);
    if (lane !== undefined && this.turns.has(lane)) this.turns.addLane(lane, { isSlow: true });
    this.options.engine.schedulePump();
  }

  private sign(body: Buffer) {
    const { current, form } = this.options.keys();
    return signatureHeader(form, current, body);
  }

  /**
   * Ends waiting deliveries as undeliverable while there is no endpoint
   * (spec/webhooks.md#missing-endpoint).
   */
  private endUnsent() {
    const { engine } = this.options;
    const open = [...engine.state.ids("Delivery", "byProgress", "open")];
    let ended = 0;
    for (const id of open) {
      const delivery = engine.state.get("Delivery", id);
      if (!delivery || this.limiter.has(id)) continue;
      if (!engine.maySend(id)) this.holdsBack = true;
      else if (ended === UNSENT_BATCH) return engine.schedulePump();
      else {
        this.endOneUnsent(delivery);
        ended += 1;
      }
    }
  }

  private endOneUnsent({ id }: DeliveryRecord) {
    this.commit(recordUndeliverable, { deliveryId: id });
  }

  /**
   * Commits a result; a stopped or read-only world takes none, and the attempt is made again later.
   */
  private commit<Input extends { deliveryId: string }>(rule: Rule<Input, void>, input: Input) {
    const { engine } = this.options;
    try {
      engine.commit(rule, input, { cause: input.deliveryId, by: "webhook.attempt" });
      return true;
    } catch {
      return false;
    }
  }

  private finish({ delivery, record, flight }: DeliverySend, result: AttemptResult) {
    const { engine } = this.options;
    if (this.commit(record, result)) this.report(delivery.id);
    const now = engine.state.get("Delivery", delivery.id);
    // The lane may continue, even if the delivery itself is gone.
    if (flight.lane !== undefined) this.changed(now ?? delivery);
    this.announceEnd();
    engine.schedulePump();
  }

  private report(id: string) {
    const delivery = this.options.engine.state.get("Delivery", id);
    const attempt = delivery?.attempts.at(-1);
    if (!delivery || !attempt) return;
    const { atMs, tookMs, httpStatus } = attempt;
    this.options.onAttempt(
      {
        id,
        type: delivery.type,
        ...defined({ about: delivery.about }),
        status: delivery.state,
        attempt: attempt.attempt,
        atMs,
        ...defined({ httpStatus }),
        tookMs,
      },
      delivery,
    );
  }

  private announceEnd() {
    for (const ended of this.endings.splice(0)) ended();
  }
}
