/** The place of a capsule. */
export interface CapsuleSink {
  write(part: string | Uint8Array): void;
  close(): void;
}

/** Bytes that wait for a reader who is too slow, beside those of the beginning. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

const encoder = new TextEncoder();

/** Lines of a capsule on their way to a reader over HTTP. */
export class LineStream implements CapsuleSink {
  readonly readable: ReadableStream<Uint8Array>;
  private readonly gone: () => void;
  private waiting: string[] = [];
  private waitingBytes = 0;
  private allowedBytes: number | undefined;
  private wake: (() => void) | undefined;
  private isClosed = false;

  /** @param gone is called when its reader has stopped, or is too slow */
  constructor(gone: () => void) {
    this.gone = gone;
    const source = {
      pull: (controller: ReadableStreamDefaultController<Uint8Array>) => this.pull(controller),
      cancel: () => {
        this.close();
        this.gone();
      },
    };
    this.readable = new ReadableStream(source, { highWaterMark: 0 });
  }

  write(line: string) {
    if (this.isClosed) return;
    this.waiting.push(line);
    this.waitingBytes += line.length;
    this.wake?.();
    // What is written before the first read is the beginning, however large it is.
    if (this.allowedBytes === undefined || this.waitingBytes <= this.allowedBytes) return;
    this.waiting = [];
    this.close();
    this.gone();
  }

  close() {
    this.isClosed = true;
    this.wake?.();
  }

  private async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    this.allowedBytes ??= this.waitingBytes + MAX_WAITING_BYTES;
    while (this.waiting.length === 0 && !this.isClosed)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    this.wake = undefined;
    const text = this.waiting.join("");
    this.waiting = [];
    this.waitingBytes = 0;
    if (text !== "") controller.enqueue(encoder.encode(text));
    else controller.close();
  }
}
