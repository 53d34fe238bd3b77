import type { Draft, EmittedEvent, Moment, Posting } from "../../domain/core/draft.ts";
import type { Ids } from "../../domain/core/ids.ts";
import type { Kind, Records, TimerRecord } from "../../domain/records/records.ts";
import { TIMERS } from "../../domain/timers.ts";

/**
 * A draft in which a piece of the past happens: rules run on it at past instants, timers that were
 * due by then fire in between, and no event is recorded (decisions/generated-past.md).
 */
export class PastDraft implements Draft {
  private readonly base: Draft;
  private readonly now: Moment;
  private readonly timers = new Map<string, TimerRecord>();

  /** @param now the present moment, which gives ids and draws */
  constructor(base: Draft, now: Moment) {
    this.base = base;
    this.now = now;
  }

  /** The present moment, at another instant. */
  at(atMs: number): Moment {
    const { now } = this;
    return {
      atMs,
      newId: (kind, suffix) => now.newId(kind, suffix),
      nextOrder: () => now.nextOrder(),
      draw: (purpose, length, alphabet) => now.draw(purpose, length, alphabet),
      derive: (purpose, length, alphabet) => now.derive(purpose, length, alphabet),
    };
  }

  /** Fires what was due by now, in order, and leaves later timers to the world. */
  catchUp() {
    for (;;) {
      const [next] = [...this.timers.values()].sort(
        (a, b) => a.dueAtMs - b.dueAtMs || a.order - b.order,
      );
      if (!next || next.dueAtMs > this.now.atMs) break;
      this.timers.delete(next.id);
      TIMERS[next.name].fire(this, next.subject, this.at(next.dueAtMs));
    }
    for (const timer of this.timers.values()) this.base.put("Timer", timer);
    this.timers.clear();
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const timer = kind === "Timer" ? this.timers.get(id) : undefined;
    return (timer as Records[K] | undefined) ?? this.base.get(kind, id);
  }

  ids(kind: Kind, index: string, key: string): Ids {
    // Outcomes that a tester has set are for what comes, not for what is made up.
    if (kind === "NextOutcome") return [];
    return this.base.ids(kind, index, key);
  }

  balanceMinor(account: string, currency: string): bigint {
    return this.base.balanceMinor(account, currency);
  }

  put<K extends Kind>(kind: K, record: Records[K]) {
    if (kind === "Timer") this.timers.set(record.id, record as TimerRecord);
    else this.base.put(kind, record);
  }

  del(kind: Kind, id: string) {
    if (kind !== "Timer" || !this.timers.delete(id)) this.base.del(kind, id);
  }

  post(posting: Posting) {
    this.base.post(posting);
  }

  emit(_event: EmittedEvent) {}

  attempt<Result>(work: () => Result): Result {
    return this.base.attempt(work);
  }

  decidedBy(row: string, ...further: readonly string[]) {
    this.base.decidedBy(row, ...further);
  }

  setByTester(row: string) {
    this.base.setByTester(row);
  }

  get decisions() {
    return this.base.decisions;
  }
}
