import { type SigningKey, signBytes } from "../crypto/ecdsa.ts";
import {
  type AttemptResult,
  headOfLane,
  isReady,
  markUndeliverable,
  recordAttempt,
} from "../domain/deliveries.ts";
import { WEBHOOK_TIMEOUTS_MS } from "../domain/durations.ts";
import { platformConfig } from "../domain/events.ts";
import type { DeliveryRecord } from "../domain/records.ts";
import type { Engine } from "../runtime/engine.ts";
import type { AttemptAnswer, AttemptReport, Deliveries } from "../runtime/ports.ts";
import { attemptDelivery } from "./attempt.ts";

export const SIGNATURE_HEADER = "X-Service-Signature";

/** Attempts at once in one world (MECHANISMS 7). */
const MAX_IN_FLIGHT = 64;

export interface DispatcherOptions {
  engine: Engine;
  key: SigningKey;
  /** How long a receiver may take, on the wall clock. */
  timeoutMs?: number;
  onAttempt(report: AttemptReport, delivery: DeliveryRecord): void;
}

/**
 * Sends the outbox: per lane one event after the other, in the order they happened. A lane waits
 * until its head was accepted, given up, or found undeliverable.
 */
export class Dispatcher implements Deliveries {
  private readonly options: DispatcherOptions;
  private readonly lanes = new Set<string>();
  private readonly running = new Map<string, string>();
  private endings: (() => void)[] = [];

  constructor(options: DispatcherOptions) {
    this.options = options;
  }

  laneChanged(lane: string) {
    this.lanes.add(lane);
  }

  dispatch() {
    const { engine } = this.options;
    for (const lane of this.lanes) {
      const head = headOfLane(engine.state, lane);
      if (!head || !isReady(head) || this.running.has(head.id)) {
        this.lanes.delete(lane);
        continue;
      }
      if (this.running.size >= MAX_IN_FLIGHT) break;
      if (!engine.maySend(head.id)) continue;
      this.lanes.delete(lane);
      void this.attempt(head);
    }
  }

  hasReady() {
    return this.lanes.size > 0 && this.running.size < MAX_IN_FLIGHT;
  }

  inFlight(): ReadonlySet<string> {
    return new Set(this.running.values());
  }

  nextEnd(): Promise<void> {
    return new Promise((resolve) => this.endings.push(resolve));
  }

  forgetAll() {
    this.lanes.clear();
    this.running.clear();
    this.announceEnd();
  }

  async attemptNow(deliveryId: string) {
    const delivery = this.options.engine.state.get("Delivery", deliveryId);
    return delivery && this.attempt(delivery);
  }

  private async attempt(delivery: DeliveryRecord): Promise<AttemptAnswer | undefined> {
    const { engine } = this.options;
    const { generation } = engine;
    const url = platformConfig(engine.state).webhookEndpoint;
    const event = engine.state.get("Event", delivery.id);
    if (url === undefined || !event) {
      this.giveUpUnsent(delivery);
      return undefined;
    }
    const flight = `${delivery.id} ${delivery.attemptCount + 1}`;
    this.running.set(delivery.id, flight);
    const body = Buffer.from(event.body);
    const signature = signBytes(this.options.key, body);
    const atMs = engine.clock.now();
    const answer = await attemptDelivery({
      url,
      body,
      headers: {
        "content-type": "application/json",
        "user-agent": "service-sim",
        [SIGNATURE_HEADER]: signature,
      },
      timeoutMs: this.options.timeoutMs ?? WEBHOOK_TIMEOUTS_MS.otherwise,
    });
    if (engine.generation === generation) this.finish(delivery, { atMs, signature, ...answer });
    return answer;
  }

  private giveUpUnsent({ id, lane }: DeliveryRecord) {
    const cause = { cause: id, by: "webhook.attempt" };
    try {
      this.options.engine.commit(markUndeliverable, { deliveryId: id }, cause);
    } catch {
      this.lanes.add(lane);
    }
  }

  private finish(delivery: DeliveryRecord, answer: Omit<AttemptResult, "deliveryId">) {
    const { engine } = this.options;
    this.running.delete(delivery.id);
    const result: AttemptResult = { deliveryId: delivery.id, ...answer };
    try {
      engine.commit(recordAttempt, result, { cause: delivery.id, by: "webhook.attempt" });
      this.report(delivery.id);
    } catch {
      // The world stopped or reads only: the attempt is made again when it goes on.
      this.lanes.add(delivery.lane);
    }
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
        ...(delivery.about !== undefined && { about: delivery.about }),
        status: delivery.state,
        attempt: attempt.attempt,
        atMs,
        ...(httpStatus !== undefined && { httpStatus }),
        tookMs,
      },
      delivery,
    );
  }

  private announceEnd() {
    for (const ended of this.endings.splice(0)) ended();
  }
}
