/** Bytes of an answer's body that are read before the connection is closed (spec/webhooks.md#timeouts). */
export const ANSWER_LIMIT_BYTES = 64 * 1024;

/** Bytes of an answer's head, with interim answers before it and trailers behind it. */
export const ANSWER_HEAD_LIMIT_BYTES = 1024 * 1024;

/** Characters kept of a line; no line that counts is longer. */
const LINE_LIMIT = 8 * 1024;

const STATUS_LINE = /^HTTP\/\d+(?:\.\d+)? +(\d{3})(?:\s|$)/;
const PROTOCOL = "HTTP/";
const CHUNK_SIZE = /^\s*([0-9a-f]+)\s*(?:;|$)/i;
const LENGTHS = /^\d+(?:\s*,\s*\d+)*$/;
const LINE_END = 0x0a;
const NO_BYTES = Buffer.alloc(0);

/** Headers that count; each name may come several times. */
const COUNTING: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "transfer-encoding",
]);

/** Statuses whose answer ends with its head (RFC 9112 section 6.3). */
const HAS_NO_BODY: ReadonlySet<number> = new Set([101, 204, 304]);

const shown = (text: string) => JSON.stringify(text.slice(0, 40));

/** Values of a header, of all its lines. */
const valuesOf = (headers: Map<string, string>, name: string) =>
  (headers.get(name) ?? "").split(",").map((value) => value.trim().toLowerCase());

/**
 * Reads the answer to one attempt from the bytes of its connection. It takes what receivers send
 * rather than what RFC 9112 allows: once the head is whole, any end ends the answer
 * (spec/webhooks.md#acceptance; decisions/receiver-answers.md). The bytes alone decide, not the
 * packets they come in.
 */
export class ReceiverAnswer {
  /** Status of the answer, once its head is whole. */
  status: number | undefined;
  /** True once something came of it. */
  hasBegun = false;
  /** True once it has ended, well or badly; nothing more is read. */
  isOver = false;
  /** Explains why there is no answer, or not a whole one. */
  problem: string | undefined;
  private step: () => boolean = this.readStatus;
  private readonly headers = new Map<string, string>();
  private readonly parts: Buffer[] = [];
  private bodyBytes = 0;
  private headBytes = 0;
  /** Bytes to come of a counted body or of a chunk. */
  private left = 0;
  private isUntilClose = false;
  private line = "";
  private bytes: Buffer = NO_BYTES;
  /** Bytes of the packet that are read. */
  private at = 0;

  /** @returns whether the answer is over */
  take(bytes: Buffer): boolean {
    if (bytes.length > 0) this.hasBegun = true;
    this.bytes = bytes;
    this.at = 0;
    while (!this.isOver && this.step());
    return this.isOver;
  }

  /** Takes the end of the connection: a clean one, or that of an error. */
  connectionEnded({ isClean }: { isClean: boolean }) {
    if (this.isOver) return;
    if (this.isUntilClose && isClean) return this.finish();
    const hasHead = this.status !== undefined;
    this.finish(`the connection ended within the ${hasHead ? "body" : "head"} of the answer`);
  }

  /** The body as far as it was read, up to the limit. */
  body(): Buffer {
    return Buffer.concat(this.parts).subarray(0, ANSWER_LIMIT_BYTES);
  }

  /** Whether another attempt may follow on the connection. */
  get mayGoOn() {
    const tokens = valuesOf(this.headers, "connection");
    const isKept = tokens.includes("keep-alive") && !tokens.includes("close");
    const isExact = this.isOver && !this.isUntilClose && this.at === this.bytes.length;
    const isWhole = this.problem === undefined && this.bodyBytes < ANSWER_LIMIT_BYTES;
    return isKept && isExact && isWhole && this.status !== 101;
  }

  private finish(problem?: string) {
    this.problem = problem;
    this.isOver = true;
    return false;
  }

  /** The next line without its end; nothing while it has not ended. */
  private nextLine(): string | undefined {
    const { bytes, at } = this;
    const end = bytes.indexOf(LINE_END, at);
    this.at = end < 0 ? bytes.length : end + 1;
    this.headBytes += this.at - at;
    if (this.headBytes > ANSWER_HEAD_LIMIT_BYTES) {
      this.finish(`its head is longer than ${ANSWER_HEAD_LIMIT_BYTES} bytes`);
      return undefined;
    }
    const room = LINE_LIMIT - this.line.length;
    this.line += bytes.toString("latin1", at, Math.min(this.at, at + room));
    if (end < 0) return undefined;
    const line = this.line.replace(/\r?\n$/, "");
    this.line = "";
    return line;
  }

  private readStatus(): boolean {
    const line = this.nextLine();
    const begun = line ?? this.line;
    const isProtocol = PROTOCOL.startsWith(begun.slice(0, PROTOCOL.length));
    const isBlank = /^\r?$/.test(begun);
    if (!isProtocol && !isBlank && !this.isOver)
      return this.finish(`the answer is not HTTP: it begins with ${shown(begun)}`);
    if (line === undefined) return false;
    if (isBlank) return true;
    const [, status] = STATUS_LINE.exec(line) ?? [];
    if (status === undefined)
      return this.finish(`the answer is not HTTP: it begins with ${shown(line)}`);
    this.headers.clear();
    this.step = () => this.readHeader(Number(status));
    return true;
  }

  private readHeader(status: number): boolean {
    const line = this.nextLine();
    if (line === undefined) return false;
    if (line === "") return this.beginBody(status);
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!COUNTING.has(name)) return true;
    const value = line.slice(colon + 1).trim();
    const before = this.headers.get(name);
    this.headers.set(name, before === undefined ? value : `${before}, ${value}`);
    return true;
  }

  /** Begins the body as RFC 9112 section 6.3 frames it. */
  private beginBody(status: number): boolean {
    const isInterim = status < 200 && status !== 101;
    if (isInterim) {
      this.step = this.readStatus;
      return true;
    }
    this.status = status;
    const length = this.headers.get("content-length");
    if (HAS_NO_BODY.has(status)) return this.finish();
    if (this.headers.has("transfer-encoding")) return this.beginCoded();
    // Reset Content has none, so it needs no length (RFC 9110 section 15.3.6).
    if (length === undefined) return status === 205 ? this.finish() : this.beginOpen();
    const lengths = new Set(valuesOf(this.headers, "content-length"));
    if (!LENGTHS.test(length) || lengths.size > 1)
      return this.finish(`its content-length is ${shown(length)}`);
    this.left = Number([...lengths][0]);
    this.step = this.readCounted;
    return this.left > 0 || this.finish();
  }

  private beginCoded() {
    if (valuesOf(this.headers, "transfer-encoding").at(-1) !== "chunked") return this.beginOpen();
    this.step = this.readChunkSize;
    return true;
  }

  private beginOpen() {
    this.isUntilClose = true;
    this.step = this.readOpen;
    return true;
  }

  /** Keeps bytes of the body; false when the answer is over, since enough of it is read. */
  private keep(bytes: Buffer): boolean {
    this.parts.push(bytes);
    this.bodyBytes += bytes.length;
    this.at += bytes.length;
    return this.bodyBytes < ANSWER_LIMIT_BYTES || this.finish();
  }

  private readOpen(): boolean {
    return this.keep(this.bytes.subarray(this.at)) && false;
  }

  private readCounted(): boolean {
    if (!this.keepCounted()) return false;
    return this.left > 0 ? false : this.finish();
  }

  private keepCounted(): boolean {
    const bytes = this.bytes.subarray(this.at, this.at + this.left);
    this.left -= bytes.length;
    return this.keep(bytes);
  }

  private readChunkSize(): boolean {
    const line = this.nextLine();
    if (line === undefined) return false;
    const [, size] = CHUNK_SIZE.exec(line) ?? [];
    if (size === undefined) return this.finish(`a chunk of it has the size ${shown(line)}`);
    this.left = Number.parseInt(size, 16);
    this.step = this.left === 0 ? this.readTrailer : this.readChunk;
    return true;
  }

  private readChunk(): boolean {
    if (!this.keepCounted() || this.left > 0) return false;
    this.step = this.readChunkEnd;
    return true;
  }

  private readChunkEnd(): boolean {
    const line = this.nextLine();
    const begun = line ?? this.line;
    if (!/^\r?$/.test(begun) && !this.isOver)
      return this.finish(`a chunk of it is followed by ${shown(begun)}`);
    this.step = line === undefined ? this.readChunkEnd : this.readChunkSize;
    return line !== undefined;
  }

  private readTrailer(): boolean {
    const line = this.nextLine();
    return line !== undefined && (line !== "" || this.finish());
  }
}
