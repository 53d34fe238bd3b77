import type { AutoClock } from "../runtime/auto-clock.ts";
import type { Engine } from "../runtime/engine.ts";
import type { Deliveries, Files, IdTokenKeys } from "../runtime/ports.ts";
import type { FaultInjection } from "./fault-injection.ts";
import type { Idempotency } from "./idempotency.ts";
import type { RequestLog, RequestReport } from "./request-log.ts";

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
  engine: Engine;
  deliveries: Deliveries;
  tokenKeys: IdTokenKeys;
  files: Files;
  faults: FaultInjection;
  /** Moves a clock of mode `auto` while a client waits. */
  autoClock: AutoClock;
  /** Calls under way that carry an idempotency key. */
  keyedCalls: Idempotency;
  reports: CallReports;
}

/** Finds the world of a request. It is asked at each call and allocates nothing. */
export type WorldOf<World> = (request: Request) => World;
