import type { JsonWebKey } from "node:crypto";
import type { EventType } from "../contract/webhooks/events.ts";
import type { DeliveryRecord, DeliveryState } from "../domain/records/records.ts";
import { hostTime } from "../machine/host-time.ts";

/** The system clock. */
export interface Wall {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds of a clock that nobody sets; absent where a file says how time went. */
  monotonicMs?(): number | undefined;
  /**
   * Runs a function after a delay, without keeping the process alive.
   * @returns a function that cancels it
   */
  after(delayMs: number, run: () => void): () => void;
}

export const machineWall: Wall = {
  nowMs: () => hostTime.nowMs(),
  monotonicMs: () => hostTime.monotonicMs(),
  after: (delayMs, run) => {
    const timer = hostTime.setTimeout(run, Math.max(0, delayMs)).unref();
    return () => hostTime.clearTimeout(timer);
  },
};

/**
 * Failure of a write; calls that waited for it are answered 503 (spec/errors.md#unavailability).
 */
export class JournalFailure extends Error {
  override readonly name = "JournalFailure";
  /** Set where the storage may work again by itself (spec/store.md#trouble). */
  readonly trouble?: PassingTrouble;
  /**
   * Set where the act continues although its caller no longer waits. It settles once the outcome is
   * certain: with the result of the act, or rejected where it was not done.
   */
  later?: Promise<unknown> | undefined;
}

/** Facts that are known of a call that met a trouble. */
export interface CallOutcome {
  mayBeDone: boolean;
  hasKey?: boolean;
}

/** Trouble of a storage that passes by itself, and what it means for one act. */
export interface PassingTrouble {
  /** A sentence without its full stop, such as `The store takes no writes (PostgreSQL, 25006)`. */
  seen: string;
  /** Whether the act may have been done all the same: its answer was lost. */
  mayBeDone: boolean;
}

/**
 * The end of the sentence about an act that met a trouble.
 * @param call.hasKey false where a call has no key, or its operation takes none: repeated, it would be
 *   done twice
 */
export const outcomeOf = ({ mayBeDone, hasKey = true }: CallOutcome) => {
  if (!mayBeDone) return "this call was not made";
  return hasKey
    ? "it may have been done: repeat it with the same Idempotency-Key"
    : "it may have been done: look before you repeat it";
};

/** A finished attempt, as reports show it. */
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

/** A receiver's answer; without `httpStatus` there was none. */
export interface AttemptAnswer {
  tookMs: number;
  httpStatus?: number;
  /** Beginning of the answer, at most 2 KiB. */
  reply?: string;
  /** A reply that is cut, with the bytes of the whole, as far as they were read. */
  cut?: { reply: number };
  /** Everything read of the answer, at most 64 KiB. */
  body?: string;
  /** True when the answer came from this machine. */
  isLoopback?: boolean;
  error?: string;
  /** The receiver took too long. */
  isTimeout?: true;
}

/** Sends the deliveries of the outbox; implemented by `webhooks`. */
export interface Deliveries {
  /** Notes that a delivery is new, changed or gone: its lane may have something to send. */
  changed(delivery: DeliveryRecord): void;
  /** Starts every attempt that may start now. */
  dispatch(): void;
  /**
   * Attempts one delivery now, whatever the state of its lane, and returns the answer.
   * @returns nothing when there is no endpoint
   */
  attemptNow(deliveryId: string): Promise<AttemptAnswer | undefined>;
  /**
   * Sends one delivery's bytes again, open or ended, beside its lane and without retries.
   * @param signature the header to send; a new signature by default
   * @returns the answer; nothing when there is no endpoint
   */
  resend(deliveryId: string, signature?: string): Promise<AttemptAnswer | undefined>;
  /** Whether something waits only for a reply that is still on its way. */
  isHeldBack(): boolean;
  /** Attempts under way now. */
  inFlight(): ReadonlySet<string>;
  /** Number of deliveries that could be sent now but wait for their lane or for room. */
  unsentCount(): number;
  /**
   * Ids of open deliveries that nothing will ever send: they have no attempt to come, none under
   * way and no retry. Any such id means a bug in this program.
   */
  stranded(): readonly string[];
  /** Settles when the next attempt ends. */
  nextEnd(): Promise<void>;
  /** Cuts off attempts under way: the simulator is stopping. */
  close(): void;
  /** Drops running attempts: the world was loaded again. */
  forgetAll(): void;
}

/** Keys that verify ID tokens. */
export interface IdTokenKeys {
  /** The `iss` of the built-in issuer: the simulator's URL. */
  issuer(): string;
  /** Whether the start options name keys for an issuer, which makes it a known one. */
  isConfigured(issuer: string): boolean;
  /**
   * Keys that may have signed a token of an issuer (spec/id-tokens.md#trusted-keys). In strict mode
   * the built-in key counts for the built-in issuer alone; others need keys of their own.
   * @returns also why some keys could not be loaded, for a token that no other key verifies
   */
  keysFor(
    issuer: string,
    isStrict: boolean,
  ): Promise<{ keys: readonly JsonWebKey[]; problem?: string }>;
}

/** Store for large bytes, which records name by their hash. */
export interface Files {
  /**
   * Stores bytes, then runs the commit that names them. Files that no record names are removed
   * later, but never in between.
   * @param work gets the SHA-256 of the bytes, hex
   * @throws JournalFailure when they cannot be stored; nothing was committed then
   */
  keepFor<Done>(bytes: Uint8Array, work: (sha256: string) => Done): Promise<Done>;
  /** Prevents removals until the returned function is called, while records are made elsewhere. */
  hold(): Promise<() => void>;
}
