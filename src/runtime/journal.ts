import type { Change } from "./change.ts";

/** An append-only log of changes. A change is acknowledged only once it is in the log. */
export interface Journal {
  /** Takes a change, whose line is written at the end of this turn of the event loop. */
  buffer(change: Change): void;
  /** Highest `seq` that may be acknowledged. */
  durableSeq(): number;
  /** Nothing if `seq` may be acknowledged now, else a promise that rejects if the write is lost. */
  reached(seq: number): Promise<void> | undefined;
  /** Reason why nothing can be written at present; a change that is made waits for its end. */
  trouble?(): string | undefined;
  /** Bytes in the log. */
  sizeBytes(): number;
  /** Writes the buffered lines and closes the file. */
  close(): Promise<void>;
}

/**
 * Reason why bytes that were written do not count: another process has taken the directory, or the
 * file is no longer where it was opened.
 */
export interface JournalLoss {
  kind: "taken" | "gone";
  why: string;
}

/** A write that failed. */
export interface JournalFailed {
  error: Error;
  /** False if the file could not be cut back. */
  cut: boolean;
  /** Set where the bytes were written, and count for nothing. */
  loss?: JournalLoss;
}

/** Journal of a world in memory only: everything is durable at once. */
export class NoJournal implements Journal {
  private seq = 0;
  buffer({ seq }: Change) {
    this.seq = seq;
  }
  durableSeq() {
    return this.seq;
  }
  reached(): undefined {}
  sizeBytes() {
    return 0;
  }
  async close() {}
}
