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

  keepUntilDurable(id: string, seq: number) {
    this.untilSeq.set(id, seq);
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
