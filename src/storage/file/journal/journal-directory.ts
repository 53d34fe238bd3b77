import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { makeFolders } from "../../../machine/make-folders.ts";
import { type Change, JournalDamage, peekRecord, readSegment } from "../../../runtime/change.ts";
import type { JournalFailed } from "../../../runtime/journal.ts";
import type { RecoveryReport } from "../../port/recovery.ts";
import { endingOf, noteEnd, noteShorterEnd, noteStart, requireNoted } from "./journal-end.ts";
import { JournalFile, type JournalFiles, type LockLook, machineFiles } from "./journal-file.ts";

/** Bytes of a segment that are read to see its first record. */
const HEAD_BYTES = 4096;

const SEGMENT_NAME = /^([0-9]{1,15})-([0-9]{1,15})$/;

/** Orders segments by name, which holds the number of their owner's lock and a count. */
const bySegmentOrder = (a: string, b: string) => {
  const [lockA = 0, countA = 0] = a.split("-").map(Number);
  const [lockB = 0, countB = 0] = b.split("-").map(Number);
  return lockA - lockB || countA - countB;
};

const NEWLINE = 0x0a;

/** First line of a file without its newline; nothing when there is no newline. */
const firstLineOf = (path: string): Buffer | undefined => {
  const fd = openSync(path, "r");
  try {
    const parts: Buffer[] = [];
    for (;;) {
      const part = Buffer.alloc(HEAD_BYTES);
      const length = readSync(fd, part, 0, HEAD_BYTES, null);
      if (length === 0) return undefined;
      const end = part.subarray(0, length).indexOf(NEWLINE);
      parts.push(part.subarray(0, end < 0 ? length : end));
      if (end >= 0) return Buffer.concat(parts);
    }
  } finally {
    closeSync(fd);
  }
};

/** A segment that may hold a change, with the `seq` of its first record. */
interface Begun {
  name: string;
  /** Nothing when its first record is incomplete. */
  firstSeq: number | undefined;
}

/** Segments of one world's journal, in a folder of the state directory. */
export class JournalDirectory {
  readonly path: string;
  private readonly sums = new Map<string, { size: number; crc: number }>();
  private isBegun = false;

  constructor(path: string) {
    this.path = path;
    makeFolders(path);
  }

  /** Names of the segments, oldest first. */
  names() {
    return readdirSync(this.path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && SEGMENT_NAME.test(entry.name))
      .map(({ name }) => name)
      .sort(bySegmentOrder);
  }

  /**
   * Reads every record after `afterSeq` in order, and cuts an unfinished one off the last segment
   * (decisions/torn-or-damaged.md).
   * @param from.segment earlier segments hold nothing after `from.seq` and are not read
   * @param mode.isLookOnly leaves the files as they are
   * @throws JournalDamage, RecordsMissing when anything else is wrong; then nothing was changed
   */
  recover(
    take: (change: Change) => void,
    from: { seq: number; segment?: string } = { seq: 0 },
    mode: { isLookOnly?: boolean } = {},
  ): RecoveryReport {
    const { seq: afterSeq, segment = "" } = from;
    // A stop that comes while the segments are read notes more than they had.
    const ending = endingOf(this.path);
    const segments = this.segmentsAfter(afterSeq).filter(
      ({ name }) => segment === "" || bySegmentOrder(name, segment) >= 0,
    );
    const report: RecoveryReport = { records: afterSeq, tornBytes: 0, readBytes: 0, ending };
    let torn: { file: string; wholeBytes: number } | undefined;
    // A segment that could not be begun stays empty, and the one before it is written on.
    const last = segments.findLastIndex(({ name }) => statSync(join(this.path, name)).size > 0);
    let nextSeq = Math.min(segments[0]?.firstSeq ?? afterSeq + 1, afterSeq + 1);
    for (const [position, { name, firstSeq }] of segments.entries()) {
      const file = join(this.path, name);
      if (firstSeq !== undefined && firstSeq > nextSeq && position > 0)
        throw this.endMissing(segments.slice(0, position + 1), nextSeq);
      const bytes = readFileSync(file);
      const isLast = position >= last;
      // A power cut may bring back the name of an empty one: the record after it tells that it lacks nothing.
      if (bytes.length === 0 && !isLast) continue;
      const read = readSegment({ file, bytes }, { seq: nextSeq, isLast }, (change) => {
        if (change.seq > afterSeq) take(change);
      });
      nextSeq = read.nextSeq;
      report.readBytes += read.wholeBytes;
      const tornBytes = bytes.length - read.wholeBytes;
      if (tornBytes > 0) {
        torn = { file, wholeBytes: read.wholeBytes };
        Object.assign(report, { tornBytes, tornFile: file });
      }
    }
    report.records = Math.max(afterSeq, nextSeq - 1);
    requireNoted(this.path, ending, report.records);
    if (torn && !mode.isLookOnly) this.cutTail(torn.file, torn.wholeBytes);
    return report;
  }

  /** Damage to the end of a segment that the first record of the last one does not follow. */
  private endMissing(segments: readonly Begun[], nextSeq: number): JournalDamage {
    const sized = segments.map(({ name, firstSeq }) => {
      const file = join(this.path, name);
      return { file, size: statSync(file).size, firstSeq };
    });
    const next = sized.pop();
    const at = Math.max(
      0,
      sized.findLastIndex(({ size }) => size > 0),
    );
    const [cut = { file: this.path, size: 0 }, ...empty] = sized.slice(at);
    const others = empty.map(({ file }) => `, ${file} empty`).join("");
    return new JournalDamage(
      { file: cut.file, offset: cut.size, wholeRecords: nextSeq - 1 },
      `the end of the file${others} and change ${next?.firstSeq} at the beginning of ${next?.file}`,
    );
  }

  /**
   * Cuts an unfinished record off a segment. One that others link too is replaced by a copy, since
   * they count on its bytes.
   */
  private cutTail(file: string, wholeBytes: number) {
    if (statSync(file).nlink === 1) return truncateSync(file, wholeBytes);
    const copy = `${file}.tmp-${process.pid}`;
    writeFileSync(copy, readFileSync(file).subarray(0, wholeBytes), { mode: 0o600, flush: true });
    renameSync(copy, file);
  }

  /**
   * Names of closed segments that may hold a change after `seq`.
   * @param range.segment no earlier segment is needed
   * @param range.upTo the last change that is needed
   * @param range.open the segment that is being written, and is left out
   */
  closedAfter(seq: number, range: { segment?: string; upTo: number; open: string }): string[] {
    const { segment = "", upTo, open } = range;
    return this.segmentsAfter(seq)
      .filter(({ firstSeq }) => firstSeq !== undefined && firstSeq <= upTo)
      .map(({ name }) => name)
      .filter((name) => name !== open && (segment === "" || bySegmentOrder(name, segment) >= 0));
  }

  /** Size and checksum of a closed segment, which never change. */
  async sumOf(name: string): Promise<{ size: number; crc: number }> {
    const known = this.sums.get(name);
    if (known) return known;
    const bytes = await readFile(join(this.path, name));
    const sum = { size: bytes.length, crc: crc32(bytes) };
    this.sums.set(name, sum);
    return sum;
  }

  private isEmpty(name: string) {
    return statSync(join(this.path, name)).size === 0;
  }

  /** Removes segments that starts without a write leave behind; one that stays does no harm. */
  private removeEmpty(names: readonly string[]) {
    try {
      for (const name of names) if (this.isEmpty(name)) unlinkSync(join(this.path, name));
    } catch {
      // The next segment that is begun tries again.
    }
  }

  bytesOf(name: string): Buffer {
    return readFileSync(join(this.path, name));
  }

  /** Deletes segments that hold nothing after a change; the newest always stays. */
  dropUpTo(seq: number) {
    const kept = new Set(this.segmentsAfter(seq).map(({ name }) => name));
    for (const name of this.names()) {
      if (kept.has(name)) continue;
      unlinkSync(join(this.path, name));
      this.sums.delete(name);
    }
  }

  /** Segments that may hold a change after `seq`: from the last one that begins at or before it. */
  private segmentsAfter(seq: number): Begun[] {
    const all = this.names().map((name) => ({ name, firstSeq: this.firstSeqOf(name) }));
    const next = all.findLastIndex(({ firstSeq }) => firstSeq !== undefined && firstSeq <= seq + 1);
    return all.slice(Math.max(0, next));
  }

  /** Whether the first segment is empty. */
  beginsEmpty(): boolean {
    const [first] = this.names();
    return first !== undefined && statSync(join(this.path, first)).size === 0;
  }

  /** The `seq` of the journal's first record; nothing when that is missing or incomplete. */
  beginsAt(): number | undefined {
    const first = this.names().find((name) => statSync(join(this.path, name)).size > 0);
    return first === undefined ? undefined : this.firstSeqOf(first);
  }

  /** The journal's first record; nothing when that is missing or incomplete. */
  firstRecord(): Change | undefined {
    const first = this.names().find((name) => statSync(join(this.path, name)).size > 0);
    const line = first === undefined ? undefined : firstLineOf(join(this.path, first));
    return line && peekRecord(line) && JSON.parse(line.subarray(line.indexOf("{")).toString());
  }

  /** Whether a segment begins with a record of a version. */
  isLeft(name: string, version: number): boolean {
    return this.headOf(name)?.v === version;
  }

  /** First `seq` of a segment; nothing when its first record is incomplete. */
  private firstSeqOf(name: string): number | undefined {
    return this.headOf(name)?.seq;
  }

  private headOf(name: string) {
    const line = firstLineOf(join(this.path, name));
    return line && peekRecord(line);
  }

  /**
   * A segment name that sorts after all others. Locks may be gone, deleted by hand or left out of a
   * copy, while segments still hold their numbers: then numbering continues from the segments.
   */
  nameAfterAll(lockNumber: number): string {
    const [lastLock = 0, lastCount = 0] = (this.names().at(-1) ?? "").split("-").map(Number);
    return lastLock >= lockNumber ? `${lastLock}-${lastCount + 1}` : `${lockNumber}-1`;
  }

  /** The last segment that has a record; an empty text when none has. */
  private lastUsed(): string {
    const newestFirst = this.names().reverse();
    return newestFirst.find((name) => statSync(join(this.path, name)).size > 0) ?? "";
  }

  /** Notes the end at a clean stop: everything up to a record is on disk. */
  noteEnd(seq: number, { files = machineFiles, fsync }: { files?: JournalFiles; fsync: boolean }) {
    noteEnd(this.path, { segment: this.lastUsed(), seq }, { files, fsync });
  }

  /** Notes the end that a repair keeps, where a longer one was noted. */
  noteShorterEnd(seq: number) {
    noteShorterEnd(this.path, { segment: this.lastUsed(), seq }, { files: machineFiles });
  }

  /** Notes once that this run of the world writes segments. */
  private noteBeginning(
    seq: number,
    { files = machineFiles, fsync }: { files?: JournalFiles; fsync: boolean },
  ) {
    if (this.isBegun) return;
    noteStart(this.path, () => ({ segment: this.lastUsed(), seq }), { files, fsync });
    this.isBegun = true;
  }

  /** Opens a new last segment for the owner of a lock. */
  append(
    lockNumber: number,
    options: {
      fsync: boolean;
      afterSeq: number;
      /** Bytes of the journal in earlier segments. */
      earlierBytes: number;
      onFailure: (failure: JournalFailed) => unknown;
      lock?: LockLook;
      /** Segment that is written on when this fails: it stays, empty or not. */
      inUse?: string;
      files?: JournalFiles;
    },
  ): JournalFile {
    this.noteBeginning(options.afterSeq, options);
    const names = this.names();
    const empty = names.filter((name) => this.isEmpty(name));
    const last = names.findLast((name) => !empty.includes(name));
    // After a kill or a cut the disk may lack what the page cache has, and the new segment counts on
    // it.
    if (options.fsync && last !== undefined) directoryEntries.keepBytesNow(join(this.path, last));
    const path = join(this.path, this.nameAfterAll(lockNumber));
    const file = new JournalFile({ ...options, path });
    this.removeEmpty(empty.filter((name) => name !== options.inUse));
    // The folder's maker may not have synced it, nor the name of the note. An empty segment that came
    // back would have what was cut off it.
    try {
      if (options.fsync) directoryEntries.keepNow(path, this.path);
    } catch (error) {
      void file.close().catch(() => {});
      throw error;
    }
    return file;
  }
}
