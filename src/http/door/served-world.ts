import type { AutoClock } from "../../runtime/auto-clock.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Deliveries, Files, IdTokenKeys } from "../../runtime/ports.ts";
import type { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import type { RequestReport } from "../log/log-entry.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { HttpRequest } from "../message/http-request.ts";
import type { MaybePromise } from "../message/maybe-promise.ts";
import type { WholeReply } from "../message/reply.ts";
import type { FaultInjection } from "./fault-injection.ts";
import type { Idempotency } from "./idempotency.ts";
import type { VerifiedCallers } from "./verified-callers.ts";

/** The numbers of a world's calls, and everyone who is told of a call. */
export interface CallReports {
  /** `req-<start>-<n>`, fresh with each call. */
  nextRequestId(): string;
  /** Takes a bug of ours, met while answering. */
  onBug(error: unknown, requestId: string): void;
  onRequest(report: RequestReport): void;
  log: Pick<RequestLog, "take" | "passOver">;
}

/** One world, as much of it as serving a call needs. */
export interface ServedWorld {
  /** Name of the world in its process. */
  name: string;
  /** User name of HTTP Basic that means it. */
  clientId: string;
  engine: Engine;
  deliveries: Deliveries;
  tokenKeys: IdTokenKeys;
  files: Files;
  faults: FaultInjection;
  /** Moves a clock of mode `auto` while a client waits. */
  autoClock: AutoClock;
  /** Calls under way that carry an idempotency key. */
  keyedCalls: Idempotency;
  /** Platform callers whose credentials were checked; one list for all worlds of a process. */
  callers: VerifiedCallers;
  reports: CallReports;
  /** Tells whether replies of the platform tell the highest change that they were made from. */
  tracesSeq: boolean;
  /** True for what stands in memory for a world that another process serves: it answers no call. */
  readonly standsIn: boolean;
  /** Notes that a call begins: a world with calls under way is not idle. */
  enter(): void;
  leave(): void;
}

/** Something that a caller shows, such as the secret of a client id or a device code. */
export interface ShownCredential<World> {
  /** Tells it apart where the records of a world are not in memory. */
  key: string;
  /** Whether a world in memory takes it. */
  isTakenBy(world: World): boolean;
  /** Whether a world that takes it made it, and has not inherited it. */
  isMadeBy(world: World): boolean;
}

/** Answers calls of worlds that other processes serve (spec/store.md#hops). */
export interface OtherProcesses {
  /** True once this process ends: its worlds are served elsewhere soon. */
  readonly isEnding: boolean;
  /** Tells whether another process has sent a call here, which goes no further. */
  havePassedOn(request: HttpRequest): boolean;
  /**
   * Sends a call to the process that serves its world.
   * @param call.isRepeatable whether it may be made once more although it may have arrived
   * @param call.again answers it here, once that process is gone and the world can be taken
   * @throws Refusal when no process answers it in time
   */
  answer(
    request: HttpRequest,
    served: ServedElsewhere,
    call: { isRepeatable: boolean; again(): MaybePromise<WholeReply | ServedElsewhere> },
  ): Promise<WholeReply>;
}

/** The worlds of a process, as far as finding the one that a request means needs them. */
export interface WorldSet<World> {
  /** The world of a request that names no other; what stands in for it where it is elsewhere. */
  readonly starting: World;
  /**
   * The same world to be worked with, taken where nobody serves it.
   * @throws ServedElsewhere
   */
  startingHere(): MaybePromise<World>;
  /** The way to the other processes of its store; none where there is one process. */
  readonly others?: OtherProcesses | undefined;
  /** Names of all worlds, in memory or not. */
  names(): Iterable<string>;
  /** The world of a name, if it is in memory. */
  named(name: string): World | undefined;
  /** All worlds in memory, in the order in which they were made. */
  all(): Iterable<World>;
  /**
   * The world of a name, loaded when it was not in memory; nothing when there is none.
   * @throws Refusal with 503 when it cannot be loaded
   * @throws ServedElsewhere
   */
  present(name: string): World | Promise<World | undefined> | undefined;
  /**
   * Refuses the name of a world whose files cannot be read.
   * @throws Refusal with 503, which names it
   */
  requireWhole(name: string): void;
  /**
   * Refuses the own credentials of a world that was removed, by their key.
   * @throws Refusal with 401, which names it
   */
  requireNoneRemoved(key: string): void;
  /**
   * Loads the worlds that a caller means by what it shows (spec/worlds.md#unloading); rejects with
   * `ServedElsewhere` when another process serves one.
   * @returns nothing when there is none to wait for
   */
  loading(
    shown: readonly ShownCredential<World>[],
    names: readonly string[],
  ): Promise<void> | undefined;
  /**
   * The world of a name, forked from the default world when there is none.
   * @throws Refusal when the name is not fit, or no world may be made for it
   * @throws ServedElsewhere when another process serves it, or has to make it
   */
  opened(name: string): Promise<World>;
}

/** A request whose world is looked for. */
export interface WorldRequest {
  request: HttpRequest;
  /** Parameters of its path. */
  params: Readonly<Record<string, string>>;
}
