import { mkdirSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type Change, readSegment } from "./change.ts";
import { JournalFile, type JournalFiles } from "./journal-file.ts";

const SEGMENT_NAME = /^([0-9]+)-([0-9]+)$/;

/** Segment names hold the number of their owner's lock and a count: later names sort later. */
const bySegmentOrder = (a: string, b: string) => {
  const [lockA = 0, countA = 0] = a.split("-").map(Number);
  const [lockB = 0, countB = 0] = b.split("-").map(Number);
  return lockA - lockB || countA - countB;
};

export interface RecoveryReport {
  records: number;
  /** Bytes of an unfinished last record that were cut off. */
  tornBytes: number;
  tornFile?: string;
}

/** The segments of one world's journal, in a folder of the state directory. */
export class JournalDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  private segments() {
    return readdirSync(this.path)
      .filter((name) => SEGMENT_NAME.test(name))
      .sort(bySegmentOrder);
  }

  /**
   * Reads every record in order, and cuts an unfinished one off the last segment.
   * @throws JournalDamage when anything else is wrong; then nothing was changed
   */
  recover(take: (change: Change) => void): RecoveryReport {
    const names = this.segments();
    let nextSeq = 1;
    const report: RecoveryReport = { records: 0, tornBytes: 0 };
    for (const [position, name] of names.entries()) {
      const file = join(this.path, name);
      const bytes = readFileSync(file);
      const isLast = position === names.length - 1;
      const read = readSegment({ file, bytes }, { seq: nextSeq, isLast }, take);
      nextSeq = read.nextSeq;
      const tornBytes = bytes.length - read.wholeBytes;
      if (tornBytes > 0) {
        truncateSync(file, read.wholeBytes);
        Object.assign(report, { tornBytes, tornFile: file });
      }
    }
    report.records = nextSeq - 1;
    return report;
  }

  /** Opens a new segment for the owner of a lock, after everything there is. */
  append(
    lockNumber: number,
    options: {
      fsync: boolean;
      afterSeq: number;
      onFailure: (failure: { error: Error; cut: boolean }) => void;
      files?: JournalFiles;
    },
  ): JournalFile {
    const own = this.segments().filter((name) => name.startsWith(`${lockNumber}-`));
    const count = Number(own.at(-1)?.split("-")[1] ?? 0) + 1;
    return new JournalFile({ ...options, path: join(this.path, `${lockNumber}-${count}`) });
  }
}
