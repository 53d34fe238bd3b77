import { copyFileSync, fstatSync, ftruncateSync, statSync, writeSync } from "node:fs";

const NEWLINE = "\n";

const linesIn = (text: string) => text.split(NEWLINE).length - 1;

/** Writes some bytes of a text and returns their number, or throws. */
export type WriteBytes = (bytes: Buffer) => number;

/**
 * A log that survives a full disk: lines without room are dropped, and counted when the log goes
 * on.
 */
export class LogFile {
  private readonly writeBytes: WriteBytes;
  private readonly makeRoom: () => void;
  private leftOut = 0;
  private isCut = false;

  /** @param makeRoom called before each write, for a log that has a bound */
  constructor(writeBytes: WriteBytes, makeRoom = () => {}) {
    this.writeBytes = writeBytes;
    this.makeRoom = makeRoom;
  }

  write(text: string) {
    try {
      this.makeRoom();
      this.tellLeftOut();
      this.writeWhole(text);
    } catch {
      this.leftOut += linesIn(text);
    }
  }

  private tellLeftOut() {
    if (this.leftOut === 0) return;
    const lines = this.leftOut === 1 ? "1 line is" : `${this.leftOut} lines are`;
    const begins = this.isCut ? NEWLINE : "";
    this.writeWhole(`${begins}note   ${lines} missing here: the disk was full${NEWLINE}`);
    this.leftOut = 0;
  }

  private writeWhole(text: string) {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; ) {
      from += this.writeBytes(bytes.subarray(from));
      this.isCut = bytes[from - 1] !== NEWLINE.charCodeAt(0);
    }
  }
}

type Done = (error?: Error | null) => void;

const isFile = (fd: number) => {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
};

type FileStream = NodeJS.WriteStream & { fd: number };

/** Replaces a stream that goes into a file by a log writer; leaves other streams alone. */
const writeWith = (stream: FileStream, write: (bytes: Buffer) => void) => {
  if (!isFile(stream.fd)) return;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    write(Buffer.from(chunk as string));
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => (done as Done)());
    return true;
  }) as typeof stream.write;
};

const writeWhole = (writeBytes: WriteBytes, bytes: Buffer) => {
  for (let from = 0; from < bytes.length; ) from += writeBytes(bytes.subarray(from));
};

/**
 * Writes an answer into a file completely: on a nearly full disk Node.js treats a short write as
 * complete.
 */
export const writeWhollyOrFail = (stream: FileStream, fail: (error: Error) => void) =>
  writeWith(stream, (bytes) => {
    try {
      writeWhole((part) => writeSync(stream.fd, part), bytes);
    } catch (error) {
      fail(error as Error);
    }
  });

/** Bytes of the log of a detached simulator, and of the older one beside it. */
export const MAX_LOG_BYTES = 8 * 1024 * 1024;

/** The name of the older part of a log. */
export const olderLog = (path: string) => `${path}.old`;

const isSameFile = (fd: number, path: string) => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.ino === fstatSync(fd).ino;
};

/** Keeps what a log has in the older part, as far as there is room for it. */
const keepOlder = (fd: number, path: string) => {
  try {
    // Somebody may have moved or removed the file.
    if (isSameFile(fd, path)) copyFileSync(path, olderLog(path));
  } catch {
    // On a full disk the bound is worth more than old lines.
  }
};

/** Begins a log again that has reached its bound; its last lines stay beside it. */
export const turnLog = (fd: number, path: string, maxBytes = MAX_LOG_BYTES) => {
  if (fstatSync(fd).size < maxBytes) return;
  keepOlder(fd, path);
  ftruncateSync(fd);
  writeSync(fd, `note   earlier lines are in ${olderLog(path)}${NEWLINE}`);
};

/**
 * Keeps a server running when its log fills the disk: the log loses lines instead.
 * @param path of a log that has a bound; one that a shell has opened belongs to its user
 */
export const loseLinesOnFullDisk = (stream: FileStream, path?: string) => {
  const { fd } = stream;
  const turn = path === undefined || !isFile(fd) ? undefined : () => turnLog(fd, path);
  const log = new LogFile((bytes) => writeSync(fd, bytes), turn);
  writeWith(stream, (bytes) => log.write(bytes.toString("utf8")));
};
