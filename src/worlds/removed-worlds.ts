import { refuse } from "../domain/core/refusal.ts";
import { hostTime } from "../machine/host-time.ts";

/** Most names of removed worlds that are remembered (spec/worlds.md#removal). */
export const MAX_REMOVED_NAMES = 10_000;
const HOUR_MS = 3_600_000;

/** Names of worlds that were removed on purpose: a late call must not make them again. */
export class RemovedWorlds {
  /** Until when each counts, on the machine's monotonic clock; the oldest first. */
  private readonly untilMs = new Map<string, number>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number = hostTime.monotonicMs) {
    this.nowMs = nowMs;
  }

  note(name: string) {
    this.untilMs.delete(name);
    this.untilMs.set(name, this.nowMs() + HOUR_MS);
    const [oldest] = this.untilMs.keys();
    if (this.untilMs.size > MAX_REMOVED_NAMES && oldest !== undefined) this.forget(oldest);
  }

  forget(name: string) {
    this.untilMs.delete(name);
  }

  /** Names that a call would be refused with now. */
  names(): string[] {
    return [...this.untilMs.keys()].filter((name) => this.counts(name));
  }

  /** Refuses a call with the name of a world that was removed. */
  requireNone(name: string) {
    if (this.counts(name)) refuse("WORLD_REMOVED", { world: name });
  }

  private counts(name: string) {
    const untilMs = this.untilMs.get(name);
    if (untilMs === undefined) return false;
    if (this.nowMs() < untilMs) return true;
    this.forget(name);
    return false;
  }
}
