import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { hostTime } from "../../../machine/host-time.ts";
import { removeQuietly } from "../../../machine/remove-quietly.ts";
import { type Change, encodeChange } from "../../../runtime/change.ts";
import type { Journal, JournalFailed, JournalLoss } from "../../../runtime/journal.ts";
import { JournalFailure } from "../../../runtime/ports.ts";
import { LineBuffer } from "./line-buffer.ts";
import { isLong, LONG_LINES, longLine } from "./long-line.ts";

/** A file as the file system knows it, and its size. */
export interface FoundFile {
  dev: number;
  ino: number;
  size: number;
  mtimeMs: number;
}

/** File calls of a journal, replaceable so that tests can make each of them fail. */
export interface JournalFiles {
  open(path: string): number;
  write(fd: number, bytes: Buffer, at: { from: number; position: number }): number;
  sync(fd: number, done: (error: Error | null) => void): void;
  truncate(fd: number, length: number): void;
  close(fd: number): void;
  /** The file at a path; nothing when there is none. */
  find(path: string): FoundFile | undefined;
  /** Writes a note beside the segments whole; with `fsync` it survives a power cut. */
  writeNote(path: string, bytes: Buffer, durability: { fsync: boolean }): void;
  /**
   * Renames a note.
   * @returns false when it does not exist
   */
  renameNote(from: string, to: string): boolean;
  removeNote(path: string): void;
}

const writeNote: JournalFiles["writeNote"] = (path, bytes, { fsync }) => {
  const temporary = `${path}.tmp-${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600, flush: fsync });
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (fsync) directoryEntries.keepNow(path);
};

const renameNote: JournalFiles["renameNote"] = (from, to) => {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
};

export const machineFiles: JournalFiles = {
  open: (path) => openSync(path, "a+", 0o600),
  write: (fd, bytes, { from }) => writeSync(fd, bytes, from, bytes.length - from),
  sync: fdatasync,
  truncate: ftruncateSync,
  close: closeSync,
  find: (path) => statSync(path, { throwIfNoEntry: false }),
  writeNote,
  renameNote,
  removeNote: (path) => rmSync(path, { force: true }),
};

/** The file at a path; `unknown` where its folder cannot be read. */
export const foundAt = (files: JournalFiles, path: string): FoundFile | undefined | "unknown" => {
  try {
    return files.find(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? undefined : "unknown";
  }
};

/** Windows may give a file its time only some while after it was closed. */
const HAS_TIMES = process.platform !== "win32";

/** Whether a file that nothing writes any more is the one that was found before. */
export const isSameFile = (present: FoundFile, before: FoundFile) =>
  present.dev === before.dev &&
  present.ino === before.ino &&
  present.size === before.size &&
  (!HAS_TIMES || present.mtimeMs === before.mtimeMs);

export interface JournalFileOptions {
  path: string;
  /** Acknowledges when the bytes are on disk rather than when they are written. */
  fsync: boolean;
  /** Highest `seq` in earlier segments. */
  afterSeq: number;
  /** Bytes in earlier segments. */
  earlierBytes?: number;
  /**
   * Called after a write or sync failed and the file was cut back; `cut` is false if cutting failed
   * too. Callers that wait for the lost writes wait for its promise, if it returns one.
   */
  onFailure(failure: JournalFailed): unknown;
  files?: JournalFiles;
  lock?: LockLook;
}

/** The lock of the directory, as far as a journal looks at it. */
export interface LockLook {
  /** Says who has taken the directory; nothing while this process holds it. */
  taken(): string | undefined;
  /** Whether the process may have slept for so long that another one has taken it. */
  isOverdue(): boolean;
}

interface Waiter {
  seq: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * One segment of the journal. Each turn of the event loop ends with one write of all its changes
 * (decisions/one-write-a-turn.md). With `fsync` one sync runs at a time, and later turns join the
 * next one.
 */
export class JournalFile implements Journal {
  private readonly options: JournalFileOptions;
  private readonly files: JournalFiles;
  private readonly fd: number;
  private readonly opened: FoundFile;
  private readonly lines = new LineBuffer();
  /** Bytes of `lines` up to the end of its last whole line, and the `seq` of that line. */
  private wholeLines: { bytes: number; seq: number };
  /** Changes from the first long one on, whose lines are not in `lines` yet. */
  private behind: Change[] = [];
  /** The line of the first of them, once it is being made. */
  private longLine: ReturnType<typeof longLine> | undefined;
  private bufferedSeq: number;
  private writtenSeq: number;
  private syncedSeq: number;
  /** Bytes of whole lines. */
  private writtenBytes: number;
  /** Bytes of an unfinished line behind them. */
  private partBytes = 0;
  /** Bytes that were acknowledged; with `fsync` they are on disk. */
  private syncedBytes: number;
  private waiters: Waiter[] = [];
  private flushing: NodeJS.Immediate | undefined;
  private syncing = false;
  private failed = false;
  private closed = false;

  constructor(options: JournalFileOptions) {
    this.options = options;
    this.files = options.files ?? machineFiles;
    this.fd = this.files.open(options.path);
    this.opened = fstatSync(this.fd);
    this.writtenBytes = this.opened.size;
    this.syncedBytes = this.writtenBytes;
    this.wholeLines = { bytes: 0, seq: options.afterSeq };
    this.bufferedSeq = options.afterSeq;
    this.writtenSeq = options.afterSeq;
    this.syncedSeq = options.afterSeq;
  }

  /** Name of the segment. */
  get name() {
    return basename(this.options.path);
  }

  buffer(change: Change) {
    if (this.behind.length === 0 && !isLong(change))
      return this.bufferLine(change.seq, encodeChange(change));
    // The descriptor of a closed file may belong to another file by now.
    if (this.closed || this.failed) return;
    this.behind.push(change);
    this.bufferedSeq = change.seq;
    this.flushing ??= hostTime.setImmediate(() => this.flush());
  }

  /** Takes a line as it will stand in the file; no long one is being written. */
  bufferLine(seq: number, line: string) {
    if (this.closed || this.failed) return;
    this.lines.add(line);
    this.wholeLines = { bytes: this.lines.size, seq };
    this.bufferedSeq = seq;
    this.flushing ??= hostTime.setImmediate(() => this.flush());
  }

  durableSeq() {
    return this.options.fsync ? this.syncedSeq : this.writtenSeq;
  }

  reached(seq: number): Promise<void> | undefined {
    // A process that slept may have lost its directory meanwhile: not even a read is answered.
    if (!this.closed && this.options.lock?.isOverdue()) this.look();
    if (seq <= this.durableSeq()) return undefined;
    if (this.failed) return Promise.reject(new JournalFailure("the journal could not be written"));
    if (seq > this.bufferedSeq && this.closed)
      return Promise.reject(new JournalFailure("the journal is closed"));
    return new Promise((resolve, reject) => this.waiters.push({ seq, resolve, reject }));
  }

  sizeBytes() {
    return (this.options.earlierBytes ?? 0) + this.writtenBytes;
  }

  async close() {
    if (this.failed || this.closed) return;
    do this.flush();
    while (this.behind.length > 0 && !this.failed);
    this.closed = true;
    if (this.failed) return;
    if (this.options.fsync) await this.reached(this.bufferedSeq);
    this.files.close(this.fd);
  }

  private flush() {
    if (this.flushing) hostTime.clearImmediate(this.flushing);
    this.flushing = undefined;
    if (this.failed) return;
    this.takeFromBehind();
    if (this.behind.length > 0) this.flushing = hostTime.setImmediate(() => this.flush());
    const { wholeLines } = this;
    const bytes = this.lines.whole();
    if (!bytes) return;
    this.wholeLines = { bytes: 0, seq: wholeLines.seq };
    const endsAt = this.writtenBytes + this.partBytes;
    try {
      let from = 0;
      while (from < bytes.length)
        from += this.files.write(this.fd, bytes, { from, position: endsAt + from });
    } catch (error) {
      const keepBytes = this.options.fsync ? this.syncedBytes : this.writtenBytes;
      return this.fail(error as Error, { keepBytes });
    } finally {
      this.lines.clear();
    }
    if (wholeLines.bytes > 0) this.writtenBytes = endsAt + wholeLines.bytes;
    this.partBytes = endsAt + bytes.length - this.writtenBytes;
    if (wholeLines.bytes > 0) this.written(wholeLines.seq);
  }

  /** Adds as much of what waits to the lines of this turn as it has time for. */
  private takeFromBehind() {
    while (this.lines.size < LONG_LINES.turnCharacters) {
      const [change] = this.behind;
      if (!change) return;
      if (isLong(change)) {
        this.longLine ??= longLine(change);
        const { value: piece, done } = this.longLine.next();
        if (piece) this.lines.addBytes(piece);
        if (!piece && !done) return;
        if (!done) continue;
        this.longLine = undefined;
      } else this.lines.add(encodeChange(change));
      this.behind.shift();
      this.wholeLines = { bytes: this.lines.size, seq: change.seq };
    }
  }

  private written(seq: number) {
    if (!this.options.fsync && !this.look()) return;
    if (!this.options.fsync) this.syncedBytes = this.writtenBytes;
    this.writtenSeq = seq;
    if (this.options.fsync) this.sync();
    else this.release();
  }

  /**
   * Looks before anything is acknowledged whether what was written counts.
   * @returns false when it does not; the journal has failed then
   */
  look(): boolean {
    const loss = this.failed ? undefined : this.lossNow();
    if (loss) this.fail(new Error(loss.why), { keepBytes: this.syncedBytes, loss });
    return !this.failed;
  }

  /** Takes no more: something else that the bytes need is gone. */
  lose(why: string) {
    if (this.failed || this.closed) return;
    this.fail(new Error(why), { keepBytes: this.syncedBytes, loss: { kind: "gone", why } });
  }

  /** The reason why the written bytes are lost; nothing while they count. */
  lossNow(): JournalLoss | undefined {
    const { path, lock } = this.options;
    const takenBy = lock?.taken();
    if (takenBy !== undefined) return { kind: "taken", why: takenBy };
    const file = foundAt(this.files, path);
    if (file === "unknown") return undefined;
    const { dev, ino } = this.opened;
    const isSame = file?.dev === dev && file.ino === ino;
    if (isSame && file.size === this.writtenBytes + this.partBytes) return undefined;
    const what = file ? "was replaced" : "was removed";
    return { kind: "gone", why: `${path} ${isSame ? "was changed by another program" : what}` };
  }

  private sync() {
    if (this.syncing || this.failed) return;
    this.syncing = true;
    const seq = this.writtenSeq;
    const bytes = this.writtenBytes;
    this.files.sync(this.fd, (error) => {
      this.syncing = false;
      if (this.failed) return;
      // After a failed sync the page cache may show bytes that are not on the disk.
      if (error) return this.fail(error, { keepBytes: this.syncedBytes });
      if (!this.look()) return;
      this.syncedSeq = seq;
      this.syncedBytes = bytes;
      this.release();
      if (this.writtenSeq > seq) this.sync();
    });
  }

  private release() {
    const durable = this.durableSeq();
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting)
      if (waiter.seq <= durable) waiter.resolve();
      else this.waiters.push(waiter);
  }

  /**
   * @param how.loss set where the bytes were written: a file that was moved away loses what was not
   * acknowledged, and one that another process has taken stays as it is
   */
  private fail(error: Error, { keepBytes = 0, loss }: { keepBytes?: number; loss?: JournalLoss }) {
    this.failed = true;
    let cut = true;
    try {
      const isLonger = !loss || (loss.kind === "gone" && fstatSync(this.fd).size > keepBytes);
      if (isLonger) this.files.truncate(this.fd, keepBytes);
      this.files.close(this.fd);
    } catch {
      cut = loss !== undefined;
    }
    const waiting = this.waiters;
    this.waiters = [];
    const lose = () => {
      for (const { reject } of waiting) reject(new JournalFailure(error.message));
    };
    // Waiting callers are answered once the world is loaded from the file, so that a retry meets
    // that.
    const reloading = this.options.onFailure({ error, cut, ...(loss && { loss }) });
    if (reloading instanceof Promise) void reloading.then(lose);
    else lose();
  }
}
