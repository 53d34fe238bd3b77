/** Status and headers of an answer, the names in lower case. */
export interface AnswerHead {
  status: number;
  headers: Map<string, string>;
}

/** An answer as it was read; `mayGoOn` if another call may follow on its connection. */
export interface RawAnswer extends AnswerHead {
  text: string;
  mayGoOn: boolean;
}

const END_OF_HEAD = "\r\n\r\n";
const END_OF_LINE = "\r\n";
const HEAD_LIMIT_BYTES = 64 * 1024;
const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;
const CHUNK_SIZE = /^[0-9a-f]{1,8}[ \t]*(?:;|$)/i;

const garbled = (what: string) => new Error(`the answer is not HTTP: ${what}`);

const headOf = (text: string): AnswerHead & { isHttp10: boolean } => {
  const [first = "", ...lines] = text.split(END_OF_LINE);
  const [, minor, status] = STATUS_LINE.exec(first) ?? [];
  if (status === undefined) throw garbled(`it begins with ${JSON.stringify(first.slice(0, 40))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const end = line.indexOf(":");
    if (end < 1) throw garbled(`a header is ${JSON.stringify(line.slice(0, 40))}`);
    headers.set(line.slice(0, end).toLowerCase(), line.slice(end + 1).trim());
  }
  return { status: Number(status), headers, isHttp10: minor === "0" };
};

/** Takes the bytes of a body; gives back those after its end, once it is whole. */
interface Body {
  readonly parts: Buffer[];
  take(bytes: Buffer): Buffer | undefined;
  /** Set for a body that ends where the connection does. */
  readonly untilClose?: true;
}

const NO_BYTES = Buffer.alloc(0);

class CountedBody implements Body {
  readonly parts: Buffer[] = [];
  private left: number;

  constructor(length: number) {
    this.left = length;
  }

  take(bytes: Buffer) {
    const own = bytes.subarray(0, this.left);
    this.parts.push(own);
    this.left -= own.length;
    return this.left === 0 ? bytes.subarray(own.length) : undefined;
  }
}

class ChunkedBody implements Body {
  readonly parts: Buffer[] = [];
  private rest: Buffer = NO_BYTES;
  /** Bytes of the chunk that are still to come, with the end of its line; 0 between chunks. */
  private left = 0;
  private isTrailer = false;

  take(bytes: Buffer) {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    for (;;) {
      if (this.left > 0) {
        if (!this.takeChunk()) return undefined;
        continue;
      }
      const end = this.rest.indexOf(END_OF_LINE);
      if (end < 0 && this.rest.length > HEAD_LIMIT_BYTES) throw garbled("a chunk has no size");
      if (end < 0) return undefined;
      const line = this.rest.toString("latin1", 0, end);
      this.rest = this.rest.subarray(end + END_OF_LINE.length);
      if (this.isTrailer && line === "") return this.rest;
      if (!this.isTrailer) this.begin(line);
    }
  }

  private begin(line: string) {
    if (!CHUNK_SIZE.test(line)) throw garbled(`a chunk has the size ${JSON.stringify(line)}`);
    const size = Number.parseInt(line, 16);
    if (size === 0) this.isTrailer = true;
    else this.left = size + END_OF_LINE.length;
  }

  /** Takes what is there of the chunk; true once its line has ended. */
  private takeChunk() {
    const { rest, left } = this;
    const data = rest.subarray(0, Math.max(0, left - END_OF_LINE.length));
    if (data.length > 0) this.parts.push(data);
    const byteCount = Math.min(rest.length, left);
    this.left -= byteCount;
    this.rest = rest.subarray(byteCount);
    return this.left === 0;
  }
}

class OpenBody implements Body {
  readonly parts: Buffer[] = [];
  readonly untilClose = true;

  take(bytes: Buffer) {
    this.parts.push(bytes);
    return undefined;
  }
}

/** The length of a body, as RFC 9112 section 6.3 has it for an answer. */
const bodyOf = ({ status, headers }: AnswerHead): Body => {
  if (status === 204 || status === 304) return new CountedBody(0);
  if (/\bchunked\s*$/i.test(headers.get("transfer-encoding") ?? "")) return new ChunkedBody();
  const length = headers.get("content-length");
  if (length === undefined) return new OpenBody();
  if (!/^\d+$/.test(length)) throw garbled(`its length is ${JSON.stringify(length)}`);
  return new CountedBody(Number(length));
};

/** Reads the answer to one call from the bytes of a connection (RFC 9112). */
export class AnswerReader {
  private unread: Buffer = NO_BYTES;
  private head: (AnswerHead & { isHttp10: boolean }) | undefined;
  private body: Body | undefined;

  /** @returns the answer, once it is whole; throws what is no HTTP */
  take(bytes: Buffer): RawAnswer | undefined {
    if (this.body) return this.intoBody(this.body, bytes);
    this.unread = this.unread.length === 0 ? bytes : Buffer.concat([this.unread, bytes]);
    for (;;) {
      const end = this.unread.indexOf(END_OF_HEAD);
      if (end < 0 && this.unread.length > HEAD_LIMIT_BYTES) throw garbled("its head does not end");
      if (end < 0) return undefined;
      const head = headOf(this.unread.toString("latin1", 0, end));
      this.unread = this.unread.subarray(end + END_OF_HEAD.length);
      // An interim answer; the real one follows.
      if (head.status < 200) continue;
      this.head = head;
      this.body = bodyOf(head);
      return this.intoBody(this.body, this.unread);
    }
  }

  /** @returns the answer, if it is whole because the connection has ended */
  end(): RawAnswer | undefined {
    return this.body?.untilClose ? this.whole(this.body, { hasMore: true }) : undefined;
  }

  private intoBody(body: Body, bytes: Buffer) {
    const further = body.take(bytes);
    return further && this.whole(body, { hasMore: further.length > 0 });
  }

  private whole({ parts }: Body, { hasMore }: { hasMore: boolean }): RawAnswer {
    const { status, headers, isHttp10 } = this.head as NonNullable<typeof this.head>;
    const [only = NO_BYTES, ...others] = parts;
    const text = (others.length === 0 ? only : Buffer.concat(parts)).toString("utf8");
    const closes = /\bclose\b/i.test(headers.get("connection") ?? "");
    return { status, headers, text, mayGoOn: !closes && !isHttp10 && !hasMore };
  }
}
