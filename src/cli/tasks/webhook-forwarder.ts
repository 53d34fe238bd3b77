import { setTimeout as pause } from "node:timers/promises";
import { defined } from "../../contract/core/defined.ts";
import { type EventType, isAccepted } from "../../contract/webhooks/events.ts";
import { isWrongOnPurpose, type LabKind } from "../../contract/webhooks/webhook-lab.ts";
import type { ControlClient } from "../../control/client.ts";
import type { ReadEvent } from "../../control/feed/event-reader.ts";
import { attemptDelivery } from "../../webhooks/attempt.ts";
import { bodyOf } from "../frame/reach.ts";

/** A delivery as lists and the feed show it. */
interface Delivery {
  id: string;
  type: EventType;
  state: string;
  attempt: number;
  createdAt: string;
  sentAt?: string;
  lab?: LabKind;
}

/** How the second destination answered a delivery. */
export interface Forwarded {
  id: string;
  type: EventType;
  attempt: number;
  at: string;
  status?: number;
  tookMs: number;
  error?: string;
}

export interface ForwarderOptions {
  url: string;
  types?: ReadonlySet<EventType>;
  /** The simulator as it is found now; it may have moved to another port. */
  client(): ControlClient;
  onForwarded(forwarded: Forwarded): void;
  /** It follows, for the first time. */
  onReady(): void;
  /** The simulator does not answer any more. */
  onLost(): void;
}

/** Between two tries to find a simulator that went away; wall milliseconds. */
const RETRY_MS = 250;
/** What is looked at again after it came back; wall milliseconds for the second destination. */
const MAX_MISSED = 100;
const TIMEOUT_MS = 30_000;
const MAX_REMEMBERED = 20_000;

/** Sent once more, or never to be: there is something to forward. */
const isDue = ({ attempt, sentAt, state }: Delivery) =>
  (attempt > 0 && sentAt !== undefined) || state === "UNDELIVERABLE";

/**
 * Sends what a simulator sends to a second place as well, attempt by attempt: the very bytes and
 * headers, in the order they were sent. What had no endpoint to go to is forwarded too. It goes on
 * when the simulator comes back, with what was sent meanwhile.
 */
export class WebhookForwarder {
  private readonly options: ForwarderOptions;
  /** Attempts forwarded so far, by delivery. */
  private readonly done = new Map<string, number>();
  private queue: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isReady = false;

  constructor(options: ForwarderOptions) {
    this.options = options;
  }

  /** Follows until it is stopped. */
  async run(): Promise<void> {
    let isLost = false;
    while (!this.isStopped) {
      try {
        const client = this.options.client();
        await client.follow("/events", (event) => {
          isLost = false;
          this.take(event, client);
        });
      } catch {
        // Nobody answers now: it is looked for again.
      }
      if (this.isStopped) return;
      if (!isLost) this.options.onLost();
      isLost = true;
      await pause(RETRY_MS);
    }
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.race([this.queue, pause(RETRY_MS)]);
  }

  private take({ event, data }: ReadEvent, client: ControlClient) {
    if (event === "hello") this.enqueue(() => this.catchUp(client));
    if (event === "delivery") this.enqueue(() => this.forward(data as Delivery, client));
  }

  private enqueue(work: () => Promise<void>) {
    this.queue = this.queue.then(async () => {
      if (this.isStopped) return;
      await work().catch(() => {});
    });
  }

  /** What was there before the session is not forwarded; what came while it was away is. */
  private async catchUp(client: ControlClient) {
    const reply = await client.get<{ data: Delivery[] }>(`/webhooks?limit=${MAX_MISSED}`);
    const deliveries = bodyOf(reply).data.reverse();
    if (this.isReady) for (const one of deliveries) await this.forward(one, client);
    else for (const { id, attempt } of deliveries) this.note(id, attempt);
    if (!this.isReady) this.options.onReady();
    this.isReady = true;
  }

  /** Tells the simulator of an acceptance, which ends a delivery wherever it was accepted. */
  private async report(
    { id, type, state, lab }: Delivery,
    sent: { status: number | undefined; tookMs: number; signature: string },
    client: ControlClient,
  ) {
    if (state === "ACCEPTED" || isWrongOnPurpose(lab) || !isAccepted(type, sent.status)) return;
    const path = `/webhooks/${encodeURIComponent(id)}/forwarded`;
    const { attempt } = bodyOf(await client.post<Delivery>(path, sent));
    this.note(id, attempt);
  }

  private note(id: string, attempt: number) {
    this.done.set(id, attempt);
    const [oldest] = this.done.keys();
    if (this.done.size > MAX_REMEMBERED && oldest !== undefined) this.done.delete(oldest);
  }

  private async forward(delivery: Delivery, client: ControlClient) {
    const { id, type, attempt, createdAt, sentAt } = delivery;
    const { types, url, onForwarded } = this.options;
    if (!isDue(delivery) || (this.done.get(id) ?? -1) >= attempt) return;
    this.note(id, attempt);
    if (types && !types.has(type)) return;
    const wanted = attempt > 0 ? `?attempt=${attempt}` : "";
    const path = `/webhooks/${encodeURIComponent(id)}/request${wanted}`;
    const { headers, base64 } = bodyOf(
      await client.get<{ headers: Record<string, string>; base64: string }>(path),
    );
    const body = Buffer.from(base64, "base64");
    const answer = await attemptDelivery({ url, body, headers, timeoutMs: TIMEOUT_MS });
    const { httpStatus, tookMs, error } = answer;
    const signature = headers["X-Service-Signature"] ?? "";
    await this.report(delivery, { status: httpStatus, tookMs, signature }, client);
    onForwarded({
      id,
      type,
      attempt,
      at: sentAt ?? createdAt,
      ...defined({ status: httpStatus }),
      tookMs,
      ...defined({ error }),
    });
  }
}
