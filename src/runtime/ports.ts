import type { JsonWebKey } from "node:crypto";
import type { EventType } from "../contract/webhooks/events.ts";
import type { DeliveryRecord, DeliveryState } from "../domain/records/records.ts";

/** The machine's clock. */
export interface Wall {
  /** Epoch milliseconds. */
  nowMs(): number;
  /**
   * Runs something once a span has passed; keeps no process alive.
   * @returns a function that calls it off
   */
  after(delayMs: number, run: () => void): () => void;
}

export const machineWall: Wall = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.max(0, delayMs)).unref();
    return () => clearTimeout(timer);
  },
};

/** Why a write did not become durable; what waited for it is answered 503. */
export class JournalFailure extends Error {
  override readonly name = "JournalFailure";
}

/** An append-only log of changes. Nothing is acknowledged before the log has it. */
export interface Journal {
  /** Takes a line; it is written at the end of this turn of the event loop. */
  buffer(seq: number, line: string): void;
  /** Highest `seq` that may be acknowledged. */
  durableSeq(): number;
  /** Nothing, or a promise: it settles when `seq` may be acknowledged, or rejects if it is lost. */
  reached(seq: number): Promise<void> | undefined;
  /** Bytes in the log. */
  sizeBytes(): number;
  /** Writes what is buffered and closes the file. */
  close(): Promise<void>;
}

/** One finished attempt, as reports tell of it. */
export interface AttemptReport {
  id: string;
  type: EventType;
  about?: string;
  status: DeliveryState;
  attempt: number;
  atMs: number;
  httpStatus?: number;
  tookMs: number;
}

/** How a receiver answered; no `httpStatus`: it did not. */
export interface AttemptAnswer {
  tookMs: number;
  httpStatus?: number;
  /** The answer's beginning, at most 2 KiB. */
  reply?: string;
  /** All that was read of it, at most 64 KiB. */
  body?: string;
  /** The answer came from this machine. */
  isLoopback?: boolean;
  error?: string;
  /** It took longer than it may. */
  isTimeout?: true;
}

/** Sends what the outbox holds; implemented by `webhooks`. */
export interface Deliveries {
  /** A delivery is new, has changed or is gone: its lane may have something to send. */
  changed(delivery: DeliveryRecord): void;
  /** Starts every attempt that may start now. */
  dispatch(): void;
  /**
   * Attempts one delivery now, whatever its lane does, and brings the answer.
   * @returns nothing when there is no endpoint to send to
   */
  attemptNow(deliveryId: string): Promise<AttemptAnswer | undefined>;
  /**
   * Sends one delivery's bytes again, open or ended, beside its lane and without retries.
   * @param signature what the header says; a fresh signature of the bytes when left out
   * @returns the answer; nothing when there is no endpoint to send to
   */
  resend(deliveryId: string, signature?: string): Promise<AttemptAnswer | undefined>;
  /** Whether something could be sent but for a reply that is still on its way. */
  isHeldBack(): boolean;
  /** Attempts under way now. */
  inFlight(): ReadonlySet<string>;
  /** How many deliveries could be sent now, but wait for their lane or for room. */
  unsentCount(): number;
  /**
   * Ids of open deliveries without a way on: no first attempt to come, no attempt under way, no
   * retry on the clock. There are none unless this program has a bug.
   */
  stranded(): readonly string[];
  /** Settles when the next attempt ends. */
  nextEnd(): Promise<void>;
  /** Cuts off what is under way: the simulator is stopping. */
  close(): void;
  /** The world was loaded anew: running attempts no longer count. */
  forgetAll(): void;
}

/** Whose ID tokens can be verified. */
export interface IdTokenKeys {
  /** The `iss` of the simulator's own issuer: its URL. */
  issuer(): string;
  /** Whether the start names keys for an issuer, so that it is a known one. */
  isConfigured(issuer: string): boolean;
  /**
   * The keys that may have signed a token of an issuer. In strict mode the built-in key counts for
   * the built-in issuer alone, and others need keys of their own.
   * @returns also why some cannot be had, for a token that none of the others signed
   */
  keysFor(
    issuer: string,
    isStrict: boolean,
  ): Promise<{ keys: readonly JsonWebKey[]; problem?: string }>;
}

/** Bytes too large for the world: they are kept beside it, and records name them by their hash. */
export interface Files {
  /**
   * Stores bytes, and then runs the commit that names them. What no record names is taken away
   * again, but never between the two.
   * @param work gets the SHA-256 of the bytes, hex
   * @throws JournalFailure when they cannot be stored; nothing was committed then
   */
  keepFor<Done>(bytes: Uint8Array, work: (sha256: string) => Done): Promise<Done>;
  /** Nothing is taken away until the answer is called: records are being made somewhere else. */
  hold(): Promise<() => void>;
}
