import type { Recordings, Worlds } from "../control/core/world.ts";
import type { CoverageTotals } from "../coverage/world-coverage.ts";
import type { VerifiedCallers } from "../http/door/verified-callers.ts";
import type { LogRoom } from "../http/log/log-room.ts";
import type { IdTokenKeys } from "../runtime/ports.ts";
import type { WorldOptions } from "../storage/open-world.ts";
import type { ProcessLimiter } from "../webhooks/attempt-limiter.ts";
import type { WebhookTargets } from "../webhooks/targets.ts";
import type { Boundary } from "./boundary.ts";

/** The process that serves a world, as far as the world needs it. */
export interface Host {
  controlToken: string;
  /** Everything that reaches it from outside. */
  boundary: Boundary;
  /** Scheme, host and port that it is reached at. */
  origin(): string;
  /** Whether only this machine reaches it; known before it listens, since webhooks go out before. */
  isLocal(): boolean;
  /** Whether no call can come from another machine now. */
  isLoopback(): boolean;
  /** Counts of all its worlds. */
  coverage: CoverageTotals;
  /** Callers of all its worlds whose credentials were checked. */
  callers: VerifiedCallers;
  /** Options of its worlds, in the form of the runtime. */
  worldOptions: WorldOptions;
  /** Key sets that verify ID tokens, and receivers that may be called: the same for all worlds. */
  tokenKeys: IdTokenKeys;
  targets: WebhookTargets;
  attempts: ProcessLimiter;
  /** Begins and ends capsules of it. */
  recordings(): Recordings;
  /** Bounds their request logs. */
  requests: LogRoom;
  /** The worlds that it serves. */
  worlds(): Worlds;
}

/** Serves copies, which only the fixture on trial can reach. */
export const NO_HOST = {
  origin: () => "http://127.0.0.1",
  isLocal: () => true,
  isLoopback: () => true,
};
