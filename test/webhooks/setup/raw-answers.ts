/** A receiver's answer, byte by byte, and the verdict on it. */
export interface RawAnswer {
  says: string;
  /** Bytes that the receiver writes, as Latin-1. */
  bytes: string;
  /** Next, the receiver closes the connection, resets it, or leaves it open. */
  next: "closes" | "resets" | "stays";
  /** The status that counts, or the reason why none does. */
  verdict: number | RegExp;
  /** The verdict where the body decides, if it is another one. */
  whenBodyDecides?: RegExp;
  /** True when another attempt may follow on the connection. */
  isKept?: true;
}

export const OK = "HTTP/1.1 200 OK\r\n";
export const KEPT = "connection: keep-alive\r\n";
export const END = "\r\n";
export const TWO = `content-length: 2\r\n${END}ok`;

/** Answers that are whole, as frameworks and hands make them. */
export const WHOLE_ANSWERS: readonly RawAnswer[] = [
  {
    says: "200 as it should be",
    bytes: OK + KEPT + TWO,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  { says: "no keep-alive", bytes: OK + TWO, next: "stays", verdict: 200 },
  {
    says: "close and keep-alive",
    bytes: `${OK}connection: keep-alive, close\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "a keep-alive that is closed at once",
    bytes: OK + KEPT + TWO,
    next: "closes",
    verdict: 200,
    isKept: true,
  },
  {
    says: "a body until the end of the connection",
    bytes: `${OK}${END}ok`,
    next: "closes",
    verdict: 200,
  },
  { says: "no body at all, and closed", bytes: OK + END, next: "closes", verdict: 200 },
  {
    says: "an empty body",
    bytes: `${OK}${KEPT}content-length: 0\r\n${END}`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "no reason phrase",
    bytes: `HTTP/1.1 200\r\n${KEPT}${TWO}`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  { says: "an empty reason phrase", bytes: `HTTP/1.1 200 \r\n${TWO}`, next: "stays", verdict: 200 },
  {
    says: "a reason phrase beyond ASCII",
    bytes: `HTTP/1.1 200 \xd6K\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  { says: "HTTP/1.0", bytes: `HTTP/1.0 200 OK\r\n${END}ok`, next: "closes", verdict: 200 },
  {
    says: "HTTP/1.0 with keep-alive",
    bytes: `HTTP/1.0 200 OK\r\n${KEPT}${TWO}`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "HTTP/2 in the status line",
    bytes: `HTTP/2 200 OK\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "lines that end with LF alone",
    bytes: `${OK}${KEPT}${TWO}`.replaceAll("\r\n", "\n"),
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "line ends of both kinds",
    bytes: `HTTP/1.1 200 OK\ncontent-length: 2\r\n\nok`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "an empty line before the answer",
    bytes: `\r\n${OK}${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "chunks",
    bytes: `${OK}${KEPT}transfer-encoding: chunked\r\n${END}2\r\nok\r\n0\r\n\r\n`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "chunks with extensions and trailers",
    bytes: `${OK}${KEPT}Transfer-Encoding: Chunked\r\n${END}2;a=b\r\nok\r\n0\r\nx: y\r\n\r\n`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "chunks with LF alone",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}2\nok\n0\n\n`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "chunks and a length",
    bytes: `${OK}content-length: 900\r\ntransfer-encoding: chunked\r\n${END}2\r\nok\r\n0\r\n\r\n`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "the length twice, the same",
    bytes: `${OK}content-length: 2\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "a header without a colon",
    bytes: `${OK}no colon here\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  { says: "a header without a name", bytes: `${OK}: value\r\n${TWO}`, next: "stays", verdict: 200 },
  { says: "a folded header", bytes: `${OK}x-one: a\r\n  b\r\n${TWO}`, next: "stays", verdict: 200 },
  {
    says: "a space before the colon",
    bytes: `${OK}content-length : 2\r\n${END}ok`,
    next: "stays",
    verdict: 200,
  },
  { says: "a NUL in a header", bytes: `${OK}x-one: a\0b\r\n${TWO}`, next: "stays", verdict: 200 },
  {
    says: "a header of 100 KB",
    bytes: `${OK}x-one: ${"a".repeat(100_000)}\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "3,000 headers",
    bytes: `${OK}${"x-one: a\r\n".repeat(3_000)}${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "gzip that it is not",
    bytes: `${OK}content-encoding: gzip\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "a page of HTML",
    bytes: `${OK}content-type: text/html\r\n${END}<html><body>It works!</body></html>`,
    next: "closes",
    verdict: 200,
  },
  {
    says: "a transfer coding that nobody knows",
    bytes: `${OK}transfer-encoding: zip\r\n${END}ok`,
    next: "closes",
    verdict: 200,
  },
  {
    says: "a body of exactly 64 KiB",
    bytes: `${OK}content-length: 65536\r\n${END}${"x".repeat(65_536)}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "a body past 64 KiB without end",
    bytes: `${OK}${END}${"x".repeat(70_000)}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "204",
    bytes: `HTTP/1.1 204 No Content\r\n${KEPT}${END}`,
    next: "stays",
    verdict: 204,
    isKept: true,
  },
  {
    says: "204 with a body",
    bytes: `HTTP/1.1 204 No Content\r\n${KEPT}${TWO}`,
    next: "stays",
    verdict: 204,
  },
  {
    says: "205 with a length",
    bytes: `HTTP/1.1 205 Reset Content\r\n${TWO}`,
    next: "stays",
    verdict: 205,
  },
  {
    says: "205 without a length",
    bytes: `HTTP/1.1 205 Reset Content\r\n${KEPT}${END}`,
    next: "stays",
    verdict: 205,
    isKept: true,
  },
  { says: "299", bytes: `HTTP/1.1 299 Odd\r\n${TWO}`, next: "stays", verdict: 299 },
  {
    says: "304 with a length",
    bytes: `HTTP/1.1 304 Not Modified\r\ncontent-length: 900\r\n${END}`,
    next: "stays",
    verdict: 304,
  },
  { says: "409", bytes: `HTTP/1.1 409 Conflict\r\n${TWO}`, next: "stays", verdict: 409 },
  {
    says: "an offer to upgrade",
    bytes: `${OK}connection: upgrade\r\nupgrade: h2c\r\n${TWO}`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "101",
    bytes: `HTTP/1.1 101 Switching Protocols\r\n${KEPT}upgrade: websocket\r\n${END}`,
    next: "stays",
    verdict: 101,
  },
  { says: "426", bytes: `HTTP/1.1 426 Upgrade Required\r\n${TWO}`, next: "stays", verdict: 426 },
  {
    says: "100 before it",
    bytes: `HTTP/1.1 100 Continue\r\n${END}${OK}${KEPT}${TWO}`,
    next: "stays",
    verdict: 200,
    isKept: true,
  },
  {
    says: "102 and 103 with headers before it",
    bytes: `HTTP/1.1 102 Processing\r\n${END}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\ncontent-length: 900\r\n${END}${OK}${TWO}`,
    next: "stays",
    verdict: 200,
  },
  { says: "two answers", bytes: `${OK}${KEPT}${TWO}${OK}${TWO}`, next: "stays", verdict: 200 },
  {
    says: "500 and then 200",
    bytes: `HTTP/1.1 500 Oops\r\n${KEPT}${TWO}${OK}${TWO}`,
    next: "stays",
    verdict: 500,
  },
  {
    says: "bytes behind the body",
    bytes: `${OK}${KEPT}${TWO}, and more`,
    next: "stays",
    verdict: 200,
  },
  {
    says: "a line end behind the body",
    bytes: `${OK}${KEPT}${TWO}\r\n`,
    next: "stays",
    verdict: 200,
  },
];
