/** The end of a journal as a clean stop noted it (decisions/noted-ends.md). */
export interface JournalEnd {
  /** The last segment that has a record; empty when none has. */
  segment: string;
  /** The last record. */
  seq: number;
}

/** Facts about the end of a journal that the notes beside its segments give. */
export type Ending =
  /** No note: a program that leaves none wrote the journal, or nobody did. */
  | { kind: "unknown" }
  /** A clean stop noted the end. */
  | { kind: "stopped"; noted: JournalEnd }
  /** A run has begun since that end, and has not stopped cleanly. */
  | { kind: "begun"; noted: JournalEnd }
  | { kind: "unreadable"; file: string; found: string };

/** Facts about the journal that a world was read from. */
export interface RecoveryReport {
  records: number;
  /** Bytes of an unfinished last record that were cut off. */
  tornBytes: number;
  tornFile?: string;
  /** Bytes read from the segments. */
  readBytes: number;
  /** Facts about the last stop; absent for a world that has no journal. */
  ending?: Ending;
  /** Instant of the last record, simulated epoch milliseconds. */
  atMs?: number;
}

/** A damaged file that was replaced by another one. */
export interface SkippedFile {
  file: string;
  found: string;
}
