import { END, KEPT, OK, type RawAnswer, TWO } from "./raw-answers.ts";

const CUT_BODY = /^the connection ended within the body of the answer$/;
const CUT_HEAD = /^the connection ended within the head of the answer$/;
const NO_HTTP = /^the answer is not HTTP: it begins with "/;
const TOO_LATE = /^no complete answer within \d+ ms$/;
const NO_END = /^no complete answer within \d+ ms: 200 came, but not the end of its body$/;

/** Answers with a whole head that end in another way than it says. */
export const CUT_ANSWERS: readonly RawAnswer[] = [
  {
    says: "a length beyond the body, and closed",
    bytes: `${OK}content-length: 900\r\n${END}ok`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "a length beyond the body, and reset",
    bytes: `${OK}content-length: 900\r\n${END}ok`,
    next: "resets",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "a length and no body, and closed",
    bytes: `${OK}content-length: 900\r\n${END}`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "a head, and reset",
    bytes: OK + END,
    next: "resets",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "a body until the end, and reset",
    bytes: `${OK}${END}ok`,
    next: "resets",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "chunks without the last one, and closed",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}2\r\nok\r\n`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "a chunk that is cut, and closed",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}9\r\nok`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "chunks announced, and none",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "the last chunk without its empty line",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}2\r\nok\r\n0\r\n`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "chunks announced, and a plain body",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}{"ok":true}\n`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^a chunk of it has the size "/,
  },
  {
    says: "a chunk longer than it says",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}2\r\nokay\r\n0\r\n\r\n`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^a chunk of it is followed by "a/,
  },
  {
    says: "a negative chunk",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}-1\r\nok`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^a chunk of it has the size "-1"$/,
  },
  {
    says: "a length that is a word",
    bytes: `${OK}content-length: many\r\n${END}ok`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^its content-length is "many"$/,
  },
  {
    says: "a negative length",
    bytes: `${OK}content-length: -1\r\n${END}ok`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^its content-length is "-1"$/,
  },
  {
    says: "an empty length",
    bytes: `${OK}content-length:\r\n${END}ok`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^its content-length is ""$/,
  },
  {
    says: "two lengths",
    bytes: `${OK}content-length: 3\r\n${TWO}`,
    next: "stays",
    verdict: 200,
    whenBodyDecides: /^its content-length is "3, 2"$/,
  },
  {
    says: "a length beyond all numbers",
    bytes: `${OK}content-length: ${"9".repeat(400)}\r\n${END}ok`,
    next: "closes",
    verdict: 200,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "409 that is cut",
    bytes: `HTTP/1.1 409 Conflict\r\ncontent-length: 900\r\n${END}`,
    next: "closes",
    verdict: 409,
    whenBodyDecides: CUT_BODY,
  },
  {
    says: "500 that is cut",
    bytes: `HTTP/1.1 500 Oops\r\ncontent-length: 900\r\n${END}`,
    next: "closes",
    verdict: 500,
    whenBodyDecides: CUT_BODY,
  },
];

/** No answer: without a whole head, or without an end. */
export const NO_ANSWERS: readonly RawAnswer[] = [
  { says: "nothing, and closed", bytes: "", next: "closes", verdict: /^ECONNRESET$/ },
  { says: "nothing, and reset", bytes: "", next: "resets", verdict: /^ECONNRESET$/ },
  { says: "nothing, and open", bytes: "", next: "stays", verdict: TOO_LATE },
  {
    says: "half a status line, and closed",
    bytes: "HTTP/1.1 20",
    next: "closes",
    verdict: CUT_HEAD,
  },
  { says: "a status line alone, and closed", bytes: OK, next: "closes", verdict: CUT_HEAD },
  {
    says: "a head without its empty line, and closed",
    bytes: OK + KEPT,
    next: "closes",
    verdict: CUT_HEAD,
  },
  {
    says: "a head without its empty line, and reset",
    bytes: OK + KEPT,
    next: "resets",
    verdict: CUT_HEAD,
  },
  {
    says: "a head without its empty line, and open",
    bytes: OK + KEPT,
    next: "stays",
    verdict: TOO_LATE,
  },
  {
    says: "100 alone, and closed",
    bytes: `HTTP/1.1 100 Continue\r\n${END}`,
    next: "closes",
    verdict: CUT_HEAD,
  },
  {
    says: "100 alone, and open",
    bytes: `HTTP/1.1 100 Continue\r\n${END}`,
    next: "stays",
    verdict: TOO_LATE,
  },
  {
    says: "a length beyond the body, and open",
    bytes: `${OK}content-length: 900\r\n${END}ok`,
    next: "stays",
    verdict: NO_END,
  },
  {
    says: "a body until the end, and open",
    bytes: `${OK}${KEPT}${END}ok`,
    next: "stays",
    verdict: NO_END,
  },
  {
    says: "chunks without the last one, and open",
    bytes: `${OK}transfer-encoding: chunked\r\n${END}2\r\nok\r\n`,
    next: "stays",
    verdict: NO_END,
  },
  { says: "a word", bytes: "ok", next: "closes", verdict: NO_HTTP },
  { says: "a line", bytes: "hello\r\n\r\n", next: "stays", verdict: NO_HTTP },
  {
    says: "a page without a head",
    bytes: "<html>It works!</html>",
    next: "stays",
    verdict: NO_HTTP,
  },
  {
    says: "an alert of TLS",
    bytes: "\x15\x03\x01\x00\x02\x02\x46",
    next: "closes",
    verdict: NO_HTTP,
  },
  {
    says: "a status that is a word",
    bytes: `HTTP/1.1 OK\r\n${TWO}`,
    next: "stays",
    verdict: NO_HTTP,
  },
  {
    says: "a status of four digits",
    bytes: `HTTP/1.1 2000 OK\r\n${TWO}`,
    next: "stays",
    verdict: NO_HTTP,
  },
  {
    says: "a request",
    bytes: "POST / HTTP/1.1\r\nhost: a\r\n\r\n",
    next: "stays",
    verdict: NO_HTTP,
  },
  { says: "a body before the head", bytes: `ok${OK}${TWO}`, next: "stays", verdict: NO_HTTP },
  {
    says: "a head that does not end",
    bytes: OK + "x-one: a\r\n".repeat(110_000),
    next: "stays",
    verdict: /^its head is longer than 1048576 bytes$/,
  },
];
