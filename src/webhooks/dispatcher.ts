import { setMaxListeners } from "node:events";
import { signatureHeader, type WebhookKeys } from "../crypto/webhook-signature.ts";
import {
  type AttemptResult,
  bytesOf,
  headOfLane,
  isReady,
  recordResend,
} from "../domain/deliveries.ts";
import { takeAttempt, takeUndeliverable } from "../domain/delivery-consequences.ts";
import { attemptTimeoutMs } from "../domain/durations.ts";
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
  keys(): WebhookKeys;
  /** How long a receiver may take, on the wall clock. */
  timeoutMs?: number;
  onAttempt(report: AttemptReport, delivery: DeliveryRecord): void;
}

interface Target {
  url: string;
  body: Buffer;
}

/** Every attempt under way listens to it: more listeners than Node.js takes for a leak. */
const stopSignal = () => {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  return stopping;
};

/** One sending of a delivery: what it is known by while it runs, and what notes its answer. */
interface Sending {
  delivery: DeliveryRecord;
  key: string;
  flight: string;
  record: typeof takeAttempt;
  /** What the header says; a fresh signature of the bytes when left out. */
  signature?: string | undefined;
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
  private resends = 0;

  private readonly stopping = stopSignal();

  constructor(options: DispatcherOptions) {
    this.options = options;
  }

  laneChanged(lane: string) {
    this.lanes.add(lane);
  }

  /** Cuts off what is under way. */
  close() {
    this.stopping.abort();
  }

  dispatch() {
    const { engine } = this.options;
    if (this.stopping.signal.aborted) return;
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

  async resend(deliveryId: string, signature?: string) {
    const delivery = this.options.engine.state.get("Delivery", deliveryId);
    const target = delivery && this.targetOf(delivery);
    if (!target) return undefined;
    this.resends += 1;
    const flight = `resend ${this.resends}`;
    return this.send(target, { delivery, key: flight, flight, record: recordResend, signature });
  }

  private async attempt(delivery: DeliveryRecord): Promise<AttemptAnswer | undefined> {
    const target = this.targetOf(delivery);
    if (!target) {
      this.giveUpUnsent(delivery);
      return undefined;
    }
    const { id: key, attemptCount } = delivery;
    const flight = `${key} ${attemptCount + 1}`;
    return this.send(target, { delivery, key, flight, record: takeAttempt });
  }

  /** Where a delivery goes and its bytes; read at each attempt. */
  private targetOf({ id }: DeliveryRecord): Target | undefined {
    const { state } = this.options.engine;
    const url = platformConfig(state).webhookEndpoint;
    const event = state.get("Event", id);
    return url === undefined || !event ? undefined : { url, body: bytesOf(event) };
  }

  /** Sends a delivery's bytes once, and notes how that went. */
  private async send(
    { url, body }: Target,
    { delivery, key, flight, record, signature = this.sign(body) }: Sending,
  ): Promise<AttemptAnswer> {
    const { engine } = this.options;
    const { generation } = engine;
    this.running.set(key, flight);
    const atMs = engine.clock.now();
    const answer = await attemptDelivery({
      url,
      body,
      headers: {
        "content-type": "application/json",
        "user-agent": "service-sim",
        [SIGNATURE_HEADER]: signature,
      },
      timeoutMs: attemptTimeoutMs(delivery.type, this.options.timeoutMs),
      signal: this.stopping.signal,
    });
    // What was cut off by a stop is attempted again after the next start.
    if (engine.generation !== generation || this.stopping.signal.aborted) return answer;
    this.running.delete(key);
    const result = { deliveryId: delivery.id, atMs, signature, ...answer };
    this.finish(delivery, result, record);
    return answer;
  }

  private sign(body: Buffer) {
    const { current, form } = this.options.keys();
    return signatureHeader(form, current, body);
  }

  private giveUpUnsent({ id, lane }: DeliveryRecord) {
    const cause = { cause: id, by: "webhook.attempt" };
    try {
      this.options.engine.commit(takeUndeliverable, { deliveryId: id }, cause);
    } catch {
      this.lanes.add(lane);
    }
  }

  private finish({ id, lane }: DeliveryRecord, result: AttemptResult, record: Sending["record"]) {
    const { engine } = this.options;
    try {
      engine.commit(record, result, { cause: id, by: "webhook.attempt" });
      this.report(id);
    } catch {
      // The world stopped or reads only: the attempt is made again when it goes on.
      this.lanes.add(lane);
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
