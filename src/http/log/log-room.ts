import { type LargeBody, REQUEST_LOG } from "./log-entry.ts";

/** Large bodies of all logs, oldest first; those beyond the bound are cut. */
class WholeBodies {
  private readonly kept = new Set<LargeBody>();
  private characters = 0;

  add(body: LargeBody) {
    this.kept.add(body);
    this.characters += body.characters;
    for (const oldest of this.kept) {
      if (this.characters <= REQUEST_LOG.wholeCharacters) return;
      oldest.cut();
      this.drop(oldest);
    }
  }

  drop(body: LargeBody) {
    if (this.kept.delete(body)) this.characters -= body.characters;
  }
}

/** The log of one world, as far as it shares room with others. */
export interface SharingLog {
  /** Number of its requests. */
  readonly size: number;
  dropOldest(count: number): void;
}

/** Bounds the request logs of all worlds of a process together (spec/errors.md#request-log). */
export class LogRoom {
  readonly whole = new WholeBodies();
  private count = 0;
  private readonly logs = new Set<SharingLog>();

  join(log: SharingLog) {
    this.logs.add(log);
  }

  /** Takes the log of a world that closes out of the count. */
  leave(log: SharingLog) {
    if (this.logs.delete(log)) this.count -= log.size;
  }

  /** Counts requests that a log took or dropped; the fullest one makes room when there is none. */
  change(by: number) {
    this.count += by;
    while (this.count > REQUEST_LOG.inAll) {
      const before = this.count;
      this.fullest()?.dropOldest(REQUEST_LOG.dropped);
      if (this.count >= before) return;
    }
  }

  private fullest(): SharingLog | undefined {
    let fullest: SharingLog | undefined;
    for (const log of this.logs) if (!fullest || log.size > fullest.size) fullest = log;
    return fullest;
  }
}
