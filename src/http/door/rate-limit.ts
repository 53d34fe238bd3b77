import { refuse } from "../../domain/core/refusal.ts";
import {
  admitCall,
  type CallsAt,
  rateLimitOf,
  rateLimitText,
} from "../../domain/platform/rate-limits.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Caller } from "./call.ts";

const MS_PER_SECOND = 1000;

/** Tokens whose calls are counted; of more, the one whose calls are the oldest is forgotten. */
export const MAX_COUNTED_TOKENS = 4096;

/** Puts a token last, and drops the first where there are too many. */
const noteLast = <Value>(map: Map<string, Value>, token: string, value: Value) => {
  map.delete(token);
  map.set(token, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > MAX_COUNTED_TOKENS) map.delete(oldest);
};

const tokenOf = ({ tokenId, agentId }: Caller) => tokenId ?? agentId;

/** Counts of calls by token, as a capsule has them. */
export interface CallCountsImage {
  recent: readonly (readonly [token: string, calls: readonly CallsAt[]])[];
  roomAtMs: readonly (readonly [token: string, atMs: number])[];
}

/** Counts a world's calls by token, for its rate limit (spec/faults.md#rate-limit). */
export class CallCounts {
  private readonly recent = new Map<string, readonly CallsAt[]>();
  /** Tokens whose newest call was refused, and the instants at which there is room again. */
  private readonly roomAtMs = new Map<string, number>();

  /**
   * Counts a call, or refuses it with 429. Calls without a token are not counted.
   * @throws Refusal
   */
  take({ state, clock }: Engine, caller: Caller) {
    const token = tokenOf(caller);
    const text = rateLimitText(state);
    const limit = rateLimitOf(text);
    if (!limit || token === undefined) return;
    const admission = admitCall(this.recent.get(token) ?? [], limit, clock.now());
    if ("recent" in admission) {
      noteLast(this.recent, token, admission.recent);
      this.roomAtMs.delete(token);
      return;
    }
    noteLast(this.roomAtMs, token, clock.now() + admission.waitMs);
    refuse("RATE_LIMITED", {
      what: `calls with this token: the rate limit is ${text}`,
      retryAfterSeconds: Math.max(1, Math.ceil(admission.waitMs / MS_PER_SECOND)),
    });
  }

  /** The instant at which a token has room again, if its newest call was refused. */
  retriesAt(caller: Caller): number | undefined {
    const token = tokenOf(caller);
    return token === undefined ? undefined : this.roomAtMs.get(token);
  }

  /** The counts, to continue from them elsewhere. */
  image(): CallCountsImage {
    return { recent: [...this.recent], roomAtMs: [...this.roomAtMs] };
  }

  /** The same counts for a copy of the world; what one counts later, the other does not. */
  fork(): CallCounts {
    return CallCounts.from(this.image());
  }

  static from({ recent, roomAtMs }: CallCountsImage): CallCounts {
    const counts = new CallCounts();
    for (const [token, calls] of recent) counts.recent.set(token, calls);
    for (const [token, atMs] of roomAtMs) counts.roomAtMs.set(token, atMs);
    return counts;
  }
}
