import type { SimulatorStatus } from "./contract/control/status.ts";
import type { Guessable } from "./crypto/seeded-credentials.ts";
import type { ListenOptions } from "./http/sockets/listen.ts";
import type { AdvanceReport } from "./library/contract-types.ts";
import type { Simulator } from "./library/simulator.ts";
import type { SkippedFile } from "./storage/port/recovery.ts";

/** A simulator that runs in this process. */
export interface LocalSimulator extends Simulator {
  /** Bearer token of the control surface beyond loopback. */
  readonly controlToken: string;
  /** State found at opening; `asideIn`: the folder that has the earlier state. */
  readonly opened: {
    isNew: boolean;
    seed: string;
    records: number;
    tornBytes: number;
    /** Sentences about a last run that did not stop cleanly and an unfinished last record. */
    told: readonly string[];
    asideIn?: string;
    /** Damaged checkpoint files that the start passed over. */
    passedOver: readonly SkippedFile[];
  };
  /** The simulated instant, ISO 8601. */
  readonly now: string;
  /** The report that `service-sim status` shows. */
  status(): SimulatorStatus;
  /**
   * Answers a request in this process, without a port.
   * @throws TimersFaked while `queueMicrotask` is faked for Node.js itself
   */
  fetch(request: Request): Promise<Response>;
  /**
   * Moves the clock by a span like `6m`; resolves when everything due has happened.
   * @throws Error when it is closed, OptionError when the span is none
   */
  advance(span: string): Promise<AdvanceReport>;
  /**
   * Takes a port; 0 takes any free one, `auto` the folder's own or the next free one. Beyond
   * loopback, `guessable` names the credentials that anyone who knows the seed can derive.
   * @throws OptionError when there are any and the option `host` has not named that address
   * @throws MissingPackage when `conveniences` are wanted and listhen is not installed
   * @throws TimersFaked while `process.nextTick` is faked for Node.js itself
   */
  listen(options?: ListenOptions): Promise<{ url: string; port: number; guessable: Guessable[] }>;
  /**
   * Answers `/_sim/ready` with 503 and serves calls for the time of the option `drainMs`: call it
   * before `close()`. It ends early when the signal aborts.
   */
  drain(skip?: AbortSignal): Promise<void>;
  /** @throws TimersFaked while it listens and `process.nextTick` is faked for Node.js itself */
  close(): Promise<void>;
}
