import { fstatSync, writeSync } from "node:fs";

const NEWLINE = "\n";

const linesIn = (text: string) => text.split(NEWLINE).length - 1;

/** Writes some bytes of a text and says how many, or throws. */
export type WriteBytes = (bytes: Buffer) => number;

/**
 * A log that a full disk does not end: lines that find no room are left out, and counted where
 * the log goes on.
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

/** Puts a writer of ours in the place of a stream that goes into a file; others stay as they are. */
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
 * Has an answer that goes into a file written whole: Node.js takes a short write on a nearly full
 * disk for a whole one.
 */
export const writeWhollyOrFail = (stream: FileStream, fail: (error: Error) => void) =>
  writeWith(stream, (bytes) => {
    try {
      writeWhole((part) => writeSync(stream.fd, part), bytes);
    } catch (error) {
      fail(error as Error);
    }
  });

/**
 * Lets a server outlive a disk that is full of its log: a stream that goes into a file loses lines
 * instead of ending the process.
 */
export const loseLinesOnFullDisk = (stream: FileStream) => {
  const log = new LogFile((bytes) => writeSync(stream.fd, bytes));
  writeWith(stream, (bytes) => log.write(bytes.toString("utf8")));
};
