import { hostTime } from "../machine/host-time.ts";
import type { Advance } from "../runtime/advance.ts";
import type { Engine } from "../runtime/engine.ts";
import type { Feed } from "../runtime/feed.ts";
import type { Deliveries } from "../runtime/ports.ts";

const HOUR_MS = 3_600_000;

/** The parts of a world that something may be under way in. */
interface WorldParts {
  engine: Engine;
  feed: Feed;
  advance: Advance;
  deliveries: Deliveries;
}

/** The calls of a world, as far as they tell whether it is in use (spec/worlds.md#unloading). */
export class WorldUse {
  private calls = 0;
  private lastCallMs = hostTime.monotonicMs();

  enter() {
    this.calls += 1;
  }

  leave() {
    this.calls -= 1;
    this.lastCallMs = hostTime.monotonicMs();
  }

  /**
   * Whether nobody has called for a span and nothing is under way: no call, watcher, advance or
   * attempt, and no timer due within the hour on a running clock.
   */
  isIdle(
    { engine, feed, advance, deliveries }: WorldParts,
    { forMs, nowMs }: { forMs: number; nowMs: number },
  ) {
    if (this.calls > 0 || nowMs - this.lastCallMs < forMs || feed.subscriberCount > 0) return false;
    if (advance.isUnderWay || deliveries.inFlight().size > 0) return false;
    const next = engine.clock.mode === "real" ? engine.nextTimer() : undefined;
    return !next || next.dueAtMs - engine.clock.now() > HOUR_MS;
  }
}
