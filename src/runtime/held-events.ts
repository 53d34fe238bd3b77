import type { Change } from "./change.ts";

/**
 * Events that may not be sent yet, because of their reply or the journal
 * (spec/webhooks.md#sending-time).
 */
export class HeldEvents {
  /** The `seq` that must be in the journal before each event. */
  private readonly untilSeq = new Map<string, number>();

  keepUntilReleased(ids: readonly string[]) {
    for (const id of ids) this.untilSeq.set(id, Number.POSITIVE_INFINITY);
  }

  /** Keeps the events of a change that are to be sent; nobody would ask for the others again. */
  keepUntilDurable({ emit, seq }: Pick<Change, "emit" | "seq">) {
    if (!emit) return;
    for (const { id, deliverable } of emit) if (deliverable) this.untilSeq.set(id, seq);
  }

  release(ids: readonly string[]) {
    for (const id of ids) this.untilSeq.delete(id);
  }

  /** Tells whether an event may be sent at this point of the journal; the answer stays true. */
  mayGo(id: string, durableSeq: number): boolean {
    if ((this.untilSeq.get(id) ?? 0) > durableSeq) return false;
    this.untilSeq.delete(id);
    return true;
  }

  clear() {
    this.untilSeq.clear();
  }
}
