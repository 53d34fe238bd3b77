import type { Patch } from "../../../simulation/setup/product.ts";

/** A bug in the use of a shared engine, and the case that must notice it. */
export interface EngineBug extends Patch {
  name: string;
  noticedBy: string;
  /** A seed of a history that notices it too; absent where another guard keeps it from harm. */
  foundBy?: number;
}

export const ENGINE_BUGS: readonly EngineBug[] = [
  {
    name: "reads past the lease",
    foundBy: 15,
    noticedBy: "a read past the lease waits for the next renewal",
    file: "storage/engine/engine-journal.ts",
    search: "return this.time.monotonicMs() < this.parts.lease.validUntil();",
    replace: "return true;",
  },
  {
    name: "a lease that counts from the answer to its renewal",
    noticedBy: "a lease of 5 s is valid for 4.5 s from when its renewal was sent, each 1.6 s",
    file: "storage/engine/lease.ts",
    search: "if (isGood) this.good(sent);",
    replace: "if (isGood) this.good(this.clocks());",
  },
  {
    name: "a lease that no sleep of the machine ends",
    noticedBy: "a system clock that has passed the lease, as after a sleep, ends what may be read",
    file: "storage/engine/lease.ts",
    search: "if (passedMs < 0 || passedMs >= validMs) return Number.NEGATIVE_INFINITY;",
    replace: "",
  },
  {
    name: "a lease that had ended is renewed again",
    noticedBy: "a lease that had ended is over for good, for a world too that is opened late",
    file: "storage/engine/lease.ts",
    search: "else this.end();",
    replace: "else this.renewAfter(200);",
  },
  {
    name: "a lease that is given up at its end",
    noticedBy:
      "an engine that is away for a minute ends no lease, which is valid again once it is back",
    file: "storage/engine/lease.ts",
    search: "this.renewAfter(this.leaseMs * TRIED_AFTER);",
    replace:
      "if (this.validUntil() < this.time.monotonicMs()) this.end();\n" +
      "      else this.renewAfter(this.leaseMs * TRIED_AFTER);",
  },
  {
    name: "a read let go by an answer that comes past the lease",
    noticedBy: "a read of a change whose answer comes past the lease waits for it too",
    file: "storage/engine/engine-journal.ts",
    search: "(mayLeave || waiter.isClosing)",
    replace: "(mayLeave || !waiter.isRead)",
  },
  {
    name: "an unknown outcome counted as written",
    foundBy: 1,
    noticedBy: "an unknown outcome that was not in is sent again, with the same changes",
    file: "storage/engine/flusher.ts",
    search: "return mayBeDone(error) ? new Set() : undefined;",
    replace: "return mayBeDone(error) ? new Set(batches.map(({ name }) => name)) : undefined;",
  },
  {
    name: "an unknown outcome sent again without asking",
    noticedBy: "an unknown outcome that was in is found at the head, and not sent again",
    file: "storage/engine/flusher.ts",
    search: "return mayBeDone(error) ? new Set() : undefined;",
    replace: "return undefined;",
  },
  {
    name: "a refusal taken for a loss without asking",
    foundBy: 3,
    noticedBy: "a late first try comes in before the second, whose refusal is settled by the head",
    file: "storage/engine/flusher.ts",
    search: "this.troubles.delete(flush);\n      return written;",
    replace:
      "this.troubles.delete(flush);\n      for (const { source, batch } of parts)\n" +
      '        if (!written.has(batch.name)) this.lose(source, "refused");\n      return written;',
  },
  {
    name: "a fence that is not compared at the head",
    noticedBy: "a head with another fence drops the world",
    file: "storage/engine/flusher.ts",
    search: "head.owner !== this.owner || head.fence !== batch.fence",
    replace: "head.owner !== this.owner",
  },
  {
    name: "an owner that is not compared at the head",
    noticedBy: "a head with another owner drops the world",
    file: "storage/engine/flusher.ts",
    search: "head.owner !== this.owner || head.fence !== batch.fence",
    replace: "head.fence !== batch.fence",
  },
  {
    name: "a reply at send",
    foundBy: 1,
    noticedBy: "nothing is acknowledged before the engine has answered",
    file: "storage/engine/engine-journal.ts",
    search: "const { first, last, lines, indexed, isAll } = taken;",
    replace:
      "const { first, last, lines, indexed, isAll } = taken;\n" +
      "    this.writtenSeq = last;\n    this.release();",
  },
  {
    name: "two flushes of a world under way",
    foundBy: 1,
    noticedBy:
      "what is ready at the end of a turn is one append, and a world has one flush under way",
    file: "storage/engine/flusher.ts",
    search: "if (this.busy.has(source)) return;",
    replace: "",
  },
  {
    name: "half a group written",
    noticedBy: "a group is never split, and waits until it is whole",
    file: "storage/engine/change-groups.ts",
    search: "if (upTo > seq) return false;",
    replace: "if (upTo > seq && upTo - seq > 600) return false;",
  },
  {
    name: "a change that is forgotten when its caller no longer waits",
    foundBy: 1,
    noticedBy: "a caller waits for 2 s; its change stays queued and becomes durable later",
    file: "storage/engine/engine-journal.ts",
    search: "this.lateSeq = Math.max(seq, this.lateSeq ?? 0);",
    replace: "this.lateSeq = Math.max(seq, this.lateSeq ?? 0);\n    this.groups.clear();",
  },
  {
    name: "a world whose next timer is not written",
    noticedBy:
      "callers made and dropped, files and the next timer are in the append that makes them so",
    file: "storage/engine/engine-journal.ts",
    search: "      ...this.dueOf(isAll),\n",
    replace: "",
  },
  {
    name: "a timer of a later state written with an earlier one",
    noticedBy:
      "a world whose later changes wait is due now: the next timer is that of a later state",
    file: "storage/engine/engine-journal.ts",
    search: "const dueAtMs = isAll ? this.parts.dueAtMs() : nowMs;",
    replace: "const dueAtMs = this.parts.dueAtMs();",
  },
  {
    name: "the index of callers written after the append",
    noticedBy:
      "callers made and dropped, files and the next timer are in the append that makes them so",
    file: "storage/engine/change-groups.ts",
    search: "      indexed: taken.flatMap(({ indexed }) => indexed),\n",
    replace:
      "      indexed: (this as never as { before: Change[] }).before ?? [],\n" +
      "      ...((this as never as { before: Change[] }).before = " +
      "taken.flatMap(({ indexed }) => indexed), {}),\n",
  },
  {
    name: "a world released before its last flush",
    noticedBy: "closing waits for what is buffered, and takes nothing more",
    file: "storage/engine/engine-journal.ts",
    search: "if (seq > this.writtenSeq) await this.wait",
    replace: "if (seq > this.writtenSeq) void this.wait",
  },
  {
    name: "a flush while rows of its world are written",
    foundBy: 1,
    noticedBy: "work on the world's rows waits for the flush under way, and the next one for it",
    file: "storage/engine/engine-journal.ts",
    search: "    this.isHeld = true;\n",
    replace: "",
  },
];
