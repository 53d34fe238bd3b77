import { connect, type Socket } from "node:net";

/** An answer as its bytes tell it; names of headers in small letters. */
export interface WireAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** A stream, of which only the head was read. */
  isStream: boolean;
}

/** Bytes to send, and when to stop waiting for what comes back. */
export interface Sending {
  /** Written one after the other, each in its own turn. */
  chunks: readonly Buffer[];
  /** Methods of the requests in these bytes, in order: HEAD is answered without a body. */
  methods: readonly string[];
  /** `half`: sends its end behind the bytes; `drop`: closes without waiting. */
  end: "keep" | "half" | "drop";
  /** Reads until the server closes, even when every answer has come. */
  untilClosed: boolean;
}

/** All that came back. */
export interface Exchange {
  answers: WireAnswer[];
  /** The server closed the connection. */
  isClosed: boolean;
  /** Neither the answers nor the end of the connection came in time. */
  isLate: boolean;
  /** Bytes that are no answer. */
  rest: string;
}

/** Answers that end when their reader goes. */
const STREAMS = /^(text\/event-stream|application\/x-ndjson)/;
const HEAD_END = "\r\n\r\n";

const headOf = (text: string) => {
  const [first = "", ...lines] = text.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const [, status = "0"] = /^HTTP\/1\.1 (\d{3}) /.exec(`${first} `) ?? [];
  return { status: Number(status), headers };
};

/** The body of chunks, and where it ends; nothing while some are missing. */
const chunkedBody = (text: string, from: number) => {
  let at = from;
  let body = "";
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (Number.isNaN(size) || end > text.length) return undefined;
    if (size === 0) return { body, end };
    body += text.slice(lineEnd + 2, end - 2);
    at = end;
  }
};

const isBodiless = (status: number, method: string) =>
  method === "HEAD" || status === 204 || status === 304;

const utf8 = (latin1: string) => Buffer.from(latin1, "latin1").toString("utf8");

/** The next answer in a text, and where it ends; nothing while it is incomplete. */
const nextAnswer = (text: string, from: number, method: string) => {
  const headEnd = text.indexOf(HEAD_END, from);
  if (headEnd < 0) return undefined;
  const { status, headers } = headOf(text.slice(from, headEnd));
  const begin = headEnd + HEAD_END.length;
  const isStream = STREAMS.test(headers["content-type"] ?? "");
  if (status < 200 || isBodiless(status, method) || isStream)
    return { answer: { status, headers, body: "", isStream }, end: begin };
  if (headers["transfer-encoding"] === "chunked") {
    const found = chunkedBody(text, begin);
    return (
      found && { answer: { status, headers, body: utf8(found.body), isStream }, end: found.end }
    );
  }
  const end = begin + Number(headers["content-length"] ?? 0);
  if (end > text.length) return undefined;
  return { answer: { status, headers, body: utf8(text.slice(begin, end)), isStream }, end };
};

/** One connection of bytes to a server on loopback. */
export class WireConnection {
  private readonly socket: Socket;
  private text = "";
  private at = 0;
  isClosed = false;
  private woken: () => void = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.setNoDelay(true).setEncoding("latin1");
    this.socket.on("data", (chunk: string) => {
      this.text += chunk;
      this.woken();
    });
    for (const event of ["end", "error", "close"] as const)
      this.socket.on(event, () => {
        this.isClosed = true;
        this.woken();
      });
  }

  /** Sends bytes and collects the answers to them. */
  async exchange(sending: Sending, deadlineMs: number): Promise<Exchange> {
    await this.write(sending.chunks);
    if (sending.end === "half") this.socket.end();
    const answers: WireAnswer[] = [];
    if (sending.end !== "drop" && !(await this.collect(sending, { answers, deadlineMs })))
      return { answers, isClosed: this.isClosed, isLate: true, rest: this.rest() };
    return { answers, isClosed: this.isClosed, isLate: false, rest: this.rest() };
  }

  destroy() {
    this.isClosed = true;
    this.socket.destroy();
  }

  private rest() {
    const rest = this.text.slice(this.at, this.at + 400);
    this.text = "";
    this.at = 0;
    return rest;
  }

  private async write(chunks: readonly Buffer[]) {
    for (const chunk of chunks) {
      if (this.isClosed) return;
      this.socket.write(chunk);
      if (chunks.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** True when all answers have come, or the connection has ended. */
  private async collect(
    { methods, untilClosed }: Sending,
    { answers, deadlineMs }: { answers: WireAnswer[]; deadlineMs: number },
  ): Promise<boolean> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.woken();
    }, deadlineMs);
    try {
      for (;;) {
        this.take(methods, answers);
        const isDone = answers.some(({ isStream }) => isStream) || answers.length >= methods.length;
        if ((isDone && !untilClosed) || this.isClosed) return true;
        if (isLate) return false;
        await new Promise<void>((resolve) => {
          this.woken = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private take(methods: readonly string[], answers: WireAnswer[]) {
    for (;;) {
      const found = nextAnswer(this.text, this.at, methods[answers.length] ?? "GET");
      if (!found) return;
      this.at = found.end;
      if (found.answer.status >= 200 || found.answer.status === 0) answers.push(found.answer);
      if (found.answer.status === 0) return;
    }
  }
}
