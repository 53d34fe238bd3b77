import { fstatSync, writeSync } from "node:fs";

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
  private leftOut = 0;
  private isCut = false;

  constructor(writeBytes: WriteBytes) {
    this.writeBytes = writeBytes;
  }

  write(text: string) {
    try {
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

/** Keeps a server running when its log fills the disk: the log loses lines instead. */
export const loseLinesOnFullDisk = (stream: FileStream) => {
  const log = new LogFile((bytes) => writeSync(stream.fd, bytes));
  writeWith(stream, (bytes) => log.write(bytes.toString("utf8")));
};
