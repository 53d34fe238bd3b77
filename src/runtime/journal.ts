import type { Change } from "./change.ts";

/** An append-only log of changes. A change is acknowledged only once it is in the log. */
export interface Journal {
  /** Takes a change, whose line is written at the end of this turn of the event loop. */
  buffer(change: Change): void;
  /** Highest `seq` that may be acknowledged. */
  durableSeq(): number;
  /** Nothing if `seq` may be acknowledged now, else a promise that rejects if the write is lost. */
  reached(seq: number): Promise<void> | undefined;
  /** Bytes in the log. */
  sizeBytes(): number;
  /** Writes the buffered lines and closes the file. */
  close(): Promise<void>;
}
