import { refuse } from "../domain/core/refusal.ts";
import { hostTime } from "../machine/host-time.ts";

/** Most names of removed worlds that are remembered (spec/worlds.md#removal). */
export const MAX_REMOVED_NAMES = 10_000;
const HOUR_MS = 3_600_000;

/** A removed world: until when it counts, and its own credentials, which no other world takes. */
interface RemovedWorld {
  untilMs: number;
  keys: readonly string[];
}

/** Worlds that were removed on purpose: a late call must not make them again. */
export class RemovedWorlds {
  /** By name, on the machine's monotonic clock; the oldest first. */
  private readonly removed = new Map<string, RemovedWorld>();
  /** Names by the keys of their own credentials. */
  private readonly byKey = new Map<string, string>();
  /** Worlds without storage that were unloaded for being idle, with their keys. */
  private readonly unloaded = new Map<string, readonly string[]>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number = hostTime.monotonicMs) {
    this.nowMs = nowMs;
  }

  /** Notes a removal. */
  note(name: string, keys: readonly string[] = []) {
    this.forget(name);
    this.removed.set(name, { untilMs: this.nowMs() + HOUR_MS, keys });
    for (const key of keys) this.byKey.set(key, name);
    const [oldest] = this.removed.keys();
    if (this.removed.size > MAX_REMOVED_NAMES && oldest !== undefined) this.forget(oldest);
  }

  /** Notes a world that was unloaded and is on no storage: it may be removed later. */
  noteUnloaded(name: string, keys: readonly string[]) {
    this.unloaded.delete(name);
    this.unloaded.set(name, keys);
    const [oldest] = this.unloaded.keys();
    if (this.unloaded.size > MAX_REMOVED_NAMES && oldest !== undefined)
      this.unloaded.delete(oldest);
  }

  /** Notes the removal of a world that was unloaded; false when there was none. */
  noteOfUnloaded(name: string): boolean {
    const keys = this.unloaded.get(name);
    if (keys) this.note(name, keys);
    return keys !== undefined;
  }

  forget(name: string) {
    for (const key of this.removed.get(name)?.keys ?? [])
      if (this.byKey.get(key) === name) this.byKey.delete(key);
    this.removed.delete(name);
    this.unloaded.delete(name);
  }

  /** Names that a call would be refused with now. */
  names(): string[] {
    return [...this.removed.keys()].filter((name) => this.counts(name));
  }

  /** Refuses a call with the name of a world that was removed. */
  requireNone(name: string) {
    if (this.counts(name)) refuse("WORLD_REMOVED", { world: name });
  }

  /** Refuses a call with the own credentials of a world that was removed. */
  requireNoneWith(key: string) {
    const name = this.byKey.get(key);
    if (name !== undefined) this.requireNone(name);
  }

  private counts(name: string) {
    const { untilMs } = this.removed.get(name) ?? {};
    if (untilMs === undefined) return false;
    if (this.nowMs() < untilMs) return true;
    this.forget(name);
    return false;
  }
}
