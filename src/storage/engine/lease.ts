import { type HostTime, hostTime } from "../../machine/host-time.ts";
import type { ProcessRow } from "../port/shared-store.ts";
import { answeredWithin, type Trouble, troubleOf } from "./engine-trouble.ts";
import type { StoreEngine } from "./store-engine.ts";

/** Milliseconds of a lease, unless a start says otherwise. */
export const LEASE_MS = 5000;
/** Part of a lease after which it is renewed: 1.6 s of 5 s. */
const RENEWED_AFTER = 0.32;
/** Part of a lease after which a failed renewal is tried again. */
const TRIED_AFTER = 0.04;
/** Part of a lease in which reads may leave: the engine's clock may run faster than ours. */
const READ_PART = 0.9;

/** A process that takes a lease. */
export interface LeaseParts {
  engine: Pick<StoreEngine, "join" | "renew" | "leave">;
  /** The process as the others see it; `loaded` tells its worlds at each renewal. */
  process: Omit<ProcessRow, "leaseLeftMs" | "loaded">;
  loaded(): number;
  leaseMs?: number;
  time?: HostTime;
}

/** Hears of a lease. */
export interface LeaseWatcher {
  renewed(): void;
  /** The engine says that the lease is over: others may have taken each world of this process. */
  ended(why: string): void;
}

/**
 * The lease of this process, by which it owns its worlds. The engine's clock judges when it ends.
 * Here it ends earlier: it counts from when the last good renewal was sent.
 *
 * While the engine does not answer, renewals are tried again, also past the end of the lease. Nothing
 * that was read leaves then, and worlds stay: they are lost only once the engine says so.
 */
export class Lease {
  private readonly parts: LeaseParts;
  private readonly time: HostTime;
  private readonly leaseMs: number;
  private readonly watchers = new Set<LeaseWatcher>();
  /** Both clocks when the last good renewal was sent. */
  private sent: { monotonicMs: number; wallMs: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;
  /** True once the engine has said that the lease is over. */
  private isLost = false;
  private troubled: Trouble | undefined;

  constructor(parts: LeaseParts) {
    this.parts = parts;
    this.time = parts.time ?? hostTime;
    this.leaseMs = parts.leaseMs ?? LEASE_MS;
  }

  /** Takes the lease and keeps renewing it. @throws StoreTrouble when the engine does not answer */
  async join() {
    const { engine, process, loaded } = this.parts;
    const sent = this.clocks();
    await engine.join({ ...process, loaded: loaded() }, this.leaseMs);
    this.good(sent);
  }

  /**
   * Monotonic milliseconds until which what was read may leave; compared after the read was made.
   * It is over at once when the system clock is outside the lease too: a suspended machine stops the
   * monotonic one.
   */
  validUntil(): number {
    const { sent } = this;
    if (!sent || this.isOver) return Number.NEGATIVE_INFINITY;
    const validMs = this.leaseMs * READ_PART;
    const passedMs = this.time.nowMs() - sent.wallMs;
    if (passedMs < 0 || passedMs >= validMs) return Number.NEGATIVE_INFINITY;
    return sent.monotonicMs + validMs;
  }

  /** Reason why the lease is not renewed at present, and since when. */
  trouble(): Trouble | undefined {
    return this.troubled;
  }

  /** Tells somebody of renewals and of the end, until the function that it returns is called. */
  watch(watcher: LeaseWatcher): () => void {
    this.watchers.add(watcher);
    // A world may be taken while the lease ends.
    if (this.isLost) this.time.setImmediate(() => this.tellEnd(watcher));
    return () => this.watchers.delete(watcher);
  }

  /** Gives the lease back: the worlds of the process are free. @throws StoreTrouble */
  async leave() {
    if (this.isOver) return;
    this.stop();
    await this.parts.engine.leave(this.parts.process.id);
  }

  private clocks() {
    return { monotonicMs: this.time.monotonicMs(), wallMs: this.time.nowMs() };
  }

  private stop() {
    this.isOver = true;
    if (this.timer) this.time.clearTimeout(this.timer);
  }

  private renewAfter(delayMs: number) {
    this.timer = this.time.setTimeout(() => void this.renew(), Math.max(0, delayMs));
    this.timer.unref();
  }

  private async renew() {
    const { engine, process, loaded } = this.parts;
    const sent = this.clocks();
    try {
      const act = engine.renew(process.id, this.leaseMs, { loaded: loaded() });
      const isGood = await answeredWithin(act, this.leaseMs * RENEWED_AFTER, this.time);
      if (this.isOver) return;
      if (isGood) this.good(sent);
      else this.end();
    } catch (error) {
      if (this.isOver) return;
      this.troubled ??= troubleOf(error, this.time.nowMs());
      this.renewAfter(this.leaseMs * TRIED_AFTER);
    }
  }

  private good(sent: { monotonicMs: number; wallMs: number }) {
    this.sent = sent;
    this.troubled = undefined;
    const passedMs = this.time.monotonicMs() - sent.monotonicMs;
    this.renewAfter(this.leaseMs * RENEWED_AFTER - passedMs);
    for (const watcher of [...this.watchers]) watcher.renewed();
  }

  private end() {
    this.stop();
    this.isLost = true;
    for (const watcher of [...this.watchers]) this.tellEnd(watcher);
  }

  private tellEnd(watcher: LeaseWatcher) {
    if (this.watchers.has(watcher))
      watcher.ended("this process lost its lease, and others may serve its worlds");
  }
}
