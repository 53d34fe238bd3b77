/** Events that may not be sent yet: their reply is not on its way, or the journal lacks them. */
export class HeldEvents {
  /** The `seq` that the journal must have first. */
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

  /** Whether an event may be sent when the journal has come so far; once it may, it always may. */
  mayGo(id: string, durableSeq: number): boolean {
    if ((this.untilSeq.get(id) ?? 0) > durableSeq) return false;
    this.untilSeq.delete(id);
    return true;
  }

  clear() {
    this.untilSeq.clear();
  }
}
