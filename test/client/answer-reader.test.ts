import { expect, test } from "vitest";
import { AnswerReader } from "../../src/client/answer-reader.ts";

interface Row {
  bytes: string;
  /** The text that is read; nothing where the answer continues until its connection ends. */
  text: string | undefined;
  status: number;
  mayGoOn: boolean;
  /** Text once the connection has ended. */
  atEnd?: string;
}

const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

const ROWS: Record<string, Row> = {
  "a counted body": {
    bytes: 'HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{"ü":"é"}'.replace("9", "11"),
    text: '{"ü":"é"}',
    status: 201,
    mayGoOn: true,
  },
  "no body after 204": {
    bytes: "HTTP/1.1 204 No Content\r\nx: y\r\n\r\n",
    text: "",
    status: 204,
    mayGoOn: true,
  },
  "an empty body": {
    bytes: "HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n",
    text: "",
    status: 404,
    mayGoOn: true,
  },
  "a status line without words": {
    bytes: "HTTP/1.1 200\r\ncontent-length: 1\r\n\r\na",
    text: "a",
    status: 200,
    mayGoOn: true,
  },
  "interim answers before the real one": {
    bytes:
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n" +
      "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    text: "ok",
    status: 200,
    mayGoOn: true,
  },
  chunks: {
    bytes: `${chunked}4\r\nab\r\n\r\n3;name=value\r\ncde\r\n0\r\n\r\n`,
    text: "ab\r\ncde",
    status: 200,
    mayGoOn: true,
  },
  "chunks with trailers": {
    bytes: `${chunked}A\r\n0123456789\r\n0\r\nx-after: one\r\nx-two: 2\r\n\r\n`,
    text: "0123456789",
    status: 200,
    mayGoOn: true,
  },
  "an answer after which the server closes": {
    bytes: "HTTP/1.1 200 OK\r\nConnection: Close\r\ncontent-length: 2\r\n\r\nok",
    text: "ok",
    status: 200,
    mayGoOn: false,
  },
  "an answer of HTTP/1.0": {
    bytes: "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok",
    text: "ok",
    status: 200,
    mayGoOn: false,
  },
  "a body up to the end of the connection": {
    bytes: "HTTP/1.1 200 OK\r\n\r\nas long as it lasts",
    text: undefined,
    status: 200,
    mayGoOn: false,
    atEnd: "as long as it lasts",
  },
};

const read = (parts: readonly Buffer[]) => {
  const reader = new AnswerReader();
  const answers = parts.map((part) => reader.take(part)).filter((answer) => answer !== undefined);
  return { answers, atEnd: reader.end() };
};

/** The bytes in two parts, at every place, and one by one. */
const cuts = (bytes: Buffer) => [
  [bytes],
  ...Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]),
  Array.from(bytes, (byte) => Buffer.of(byte)),
];

test.each(Object.entries(ROWS))("%s, cut anywhere", (_, row) => {
  for (const parts of cuts(Buffer.from(row.bytes))) {
    const { answers, atEnd } = read(parts.filter(({ length }) => length > 0));
    expect(answers.length).toBe(row.text === undefined ? 0 : 1);
    const found = answers[0] ?? atEnd;
    expect(found?.text).toBe(row.text ?? row.atEnd);
    expect(found?.status).toBe(row.status);
    expect(found?.mayGoOn).toBe(row.mayGoOn);
  }
});

test("headers have small letters, and their values no spaces around", () => {
  const { answers } = read([
    Buffer.from("HTTP/1.1 200 OK\r\nContent-Type:  text/plain \r\nContent-Length: 0\r\n\r\n"),
  ]);
  expect(answers[0]?.headers.get("content-type")).toBe("text/plain");
});

test("bytes after the answer end the use of its connection", () => {
  for (const bytes of [
    "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n",
    `${chunked}1\r\na\r\n0\r\n\r\nmore`,
    "HTTP/1.1 204 No Content\r\n\r\nmore",
  ])
    expect(read([Buffer.from(bytes)]).answers[0]?.mayGoOn).toBe(false);
});

test.each([
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n\r\n", 'it begins with "SSH-2.0-OpenSSH_9.6"'],
  ["a header without a colon", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n", 'a header is "nothing"'],
  [
    "a length that is no number",
    "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
    'its length is "-1"',
  ],
  ["a chunk without a size", `${chunked}zz\r\n`, 'a chunk has the size "zz"'],
  ["a head without an end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}`, "its head does not end"],
  ["a size without an end", chunked + "1".repeat(70_000), "a chunk has no size"],
])("refuses %s", (_, bytes, what) => {
  expect(() => read([Buffer.from(bytes)])).toThrow(`the answer is not HTTP: ${what}`);
});

test("tells nothing of an answer that is cut off", () => {
  for (const bytes of ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"]) {
    const { answers, atEnd } = read([Buffer.from(bytes)]);
    expect([answers, atEnd]).toEqual([[], undefined]);
  }
});
