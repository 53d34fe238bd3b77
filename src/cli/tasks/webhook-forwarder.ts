import { setTimeout as pause } from "node:timers/promises";
import type { ControlClient } from "../../client/control-client.ts";
import type { ReadEvent } from "../../client/event-reader.ts";
import type { Webhook, WebhookRequest, Webhooks } from "../../contract/control/webhooks.ts";
import { defined } from "../../contract/core/defined.ts";
import { bodyDecides, type EventType, isAccepted } from "../../contract/webhooks/events.ts";
import { isWrongOnPurpose } from "../../contract/webhooks/lab-vectors.ts";
import { attemptDelivery } from "../../webhooks/attempt.ts";
import { bodyOf } from "../frame/reach.ts";
import { signatureIn } from "./signature-header.ts";

/** The second destination's answer to a delivery. */
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
  /** Certificates as PEM that it is trusted by, beside the usual authorities. */
  ca?: string;
  types?: ReadonlySet<EventType>;
  /** The simulator as it is found now; its port may have changed. */
  client(): ControlClient;
  onForwarded(forwarded: Forwarded): void;
  /** Called when following starts for the first time. */
  onReady(): void;
  /** Called when the simulator no longer answers. */
  onLost(): void;
}

/** Pause between two tries to find a simulator that went away, real milliseconds. */
const RETRY_MS = 250;
/** Deliveries that are checked after the simulator is back. */
const MAX_MISSED = 100;
/** Time limit for the second destination, real milliseconds. */
const TIMEOUT_MS = 30_000;
const MAX_REMEMBERED = 20_000;

/** States with something to forward: attempted, or never to be sent. */
const isDue = ({ attempt, sentAt, state }: Webhook) =>
  (attempt > 0 && sentAt !== undefined) || state === "UNDELIVERABLE";

/**
 * Forwards every webhook attempt to a second destination: the same bytes and headers, in the same
 * order. Forwards collected webhooks too. After a restart of the simulator it catches up with what
 * was sent meanwhile.
 */
export class WebhookForwarder {
  private readonly options: ForwarderOptions;
  /** Forwarded attempts, by delivery. */
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
        // Nothing answers now: looks for the simulator again.
      }
      if (this.isStopped) return;
      if (!isLost) this.options.onLost();
      isLost = true;
      await pause(RETRY_MS);
    }
  }

  /** Ends after the work in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.race([this.queue, pause(RETRY_MS)]);
  }

  private take({ event, data }: ReadEvent, client: ControlClient) {
    if (event === "hello") this.enqueue(() => this.catchUp(client));
    if (event === "delivery") this.enqueue(() => this.forward(data as Webhook, client));
  }

  private enqueue(work: () => Promise<void>) {
    this.queue = this.queue.then(async () => {
      if (this.isStopped) return;
      await work().catch(() => {});
    });
  }

  /** Skips deliveries from before the session; forwards those made while the simulator was away. */
  private async catchUp(client: ControlClient) {
    const reply = await client.get<Webhooks>(`/webhooks?limit=${MAX_MISSED}`);
    const deliveries = bodyOf(reply).data.reverse();
    if (this.isReady) for (const one of deliveries) await this.forward(one, client);
    else for (const { id, attempt } of deliveries) this.note(id, attempt);
    if (!this.isReady) this.options.onReady();
    this.isReady = true;
  }

  /** Reports an acceptance to the simulator, which ends the delivery. */
  private async report(
    { id, type, state, lab }: Webhook,
    sent: { status: number | undefined; tookMs: number; signature: string },
    client: ControlClient,
  ) {
    if (state === "ACCEPTED" || isWrongOnPurpose(lab) || !isAccepted(type, sent.status)) return;
    const path = `/webhooks/${encodeURIComponent(id)}/forwarded`;
    const { attempt } = bodyOf(await client.post<Webhook>(path, sent));
    this.note(id, attempt);
  }

  private note(id: string, attempt: number) {
    this.done.set(id, attempt);
    const [oldest] = this.done.keys();
    if (this.done.size > MAX_REMEMBERED && oldest !== undefined) this.done.delete(oldest);
  }

  private async forward(delivery: Webhook, client: ControlClient) {
    const { id, type, attempt, createdAt, sentAt } = delivery;
    const { types, url, ca, onForwarded } = this.options;
    if (!isDue(delivery) || (this.done.get(id) ?? -1) >= attempt) return;
    this.note(id, attempt);
    if (types && !types.has(type)) return;
    const wanted = attempt > 0 ? `?attempt=${attempt}` : "";
    const path = `/webhooks/${encodeURIComponent(id)}/request${wanted}`;
    const { headers, base64 } = bodyOf(await client.get<WebhookRequest>(path));
    const body = Buffer.from(base64, "base64");
    const answer = await attemptDelivery({
      url,
      ca,
      wayOut: "trust it with --ca <file>",
      body,
      headers,
      timeoutMs: TIMEOUT_MS,
      bodyDecides: bodyDecides(type),
    });
    const { httpStatus, tookMs, error } = answer;
    const signature = signatureIn(headers)?.value ?? "";
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
