import type { Chance } from "../simulation/setup/chance.ts";
import type { DescribedOperation } from "./described-operations.ts";
import {
  HOSTILE_HEADERS,
  HOSTILE_JSON,
  HOSTILE_QUERIES,
  HOSTILE_SEGMENTS,
  hostileBody,
} from "./hostile-values.ts";
import type { Asked, Expected } from "./judge.ts";
import {
  allowedRequest,
  bytesOf,
  type Parts,
  placeIn,
  type RequestSource,
  targetOf,
  withJson,
  withMember,
} from "./requests.ts";
import type { Sending } from "./wire.ts";

/** Bytes of one try, and the rules for what comes back. */
export interface Try {
  how: string;
  sending: Sending;
  asked: readonly Asked[];
  framing: Expected["framing"];
}

const askedOf = (parts: Parts): Asked => ({ method: parts.method, target: targetOf(parts) });

/** A well-formed request. */
export const wholeTry = (how: string, parts: Parts, base: string): Try => ({
  how,
  sending: {
    chunks: [bytesOf(parts, base)],
    methods: [parts.method],
    end: "keep",
    untilClosed: false,
  },
  asked: [askedOf(parts)],
  framing: "whole",
});

/** Bytes that may be no HTTP: the server answers, or closes. */
const brokenTry = (how: string, parts: Parts, chunks: readonly Buffer[]): Try => ({
  how,
  sending: { chunks, methods: [parts.method], end: "half", untilClosed: true },
  asked: [askedOf(parts)],
  framing: "broken",
});

type MakeTry = (parts: Parts, chance: Chance, base: string) => Try;

const TOKEN = "@@hostile@@";

const hostileMember: MakeTry = (parts, chance, base) => {
  const { how, value } = chance.pick(HOSTILE_JSON);
  const place = placeIn(parts.value ?? {}, chance);
  const text = JSON.stringify(withMember(parts.value ?? {}, place, TOKEN));
  const raw = text.replace(`"${TOKEN}"`, () => value);
  return wholeTry(`${how} as ${place.join(".")}`, withJson(parts, raw), base);
};

const hostileName: MakeTry = (parts, chance, base) => {
  const name = chance.pick(["__proto__", "constructor", "\\ud800", "\\u0000", "toString", ""]);
  const text = JSON.stringify(parts.value ?? {});
  const comma = text === "{}" ? "" : ",";
  const raw = text.startsWith("{") ? `{"${name}":{"polluted":1}${comma}${text.slice(1)}` : text;
  return wholeTry(`a member called ${name}`, withJson(parts, raw), base);
};

const hostileWhole: MakeTry = (parts, chance, base) => {
  const { how, value } = hostileBody(chance);
  return wholeTry(how, withJson(parts, value), base);
};

const hostilePath: MakeTry = (parts, chance, base) => {
  const { how, value } = chance.pick(HOSTILE_SEGMENTS);
  const segments = parts.path.split("/");
  const ids = segments.flatMap((segment, at) => (/[:%0-9@$]/.test(segment) ? [at] : []));
  const at = ids.length > 0 ? chance.pick(ids) : segments.length;
  segments[at] = value;
  const path = segments.join("/");
  return wholeTry(how, { ...parts, path }, base);
};

const hostileQuery: MakeTry = (parts, chance, base) => {
  const { how, value } = chance.pick(HOSTILE_QUERIES);
  return wholeTry(how, { ...parts, query: [...parts.query, value] }, base);
};

const hostileHeader: MakeTry = (parts, chance, base) => {
  const { how, value } = chance.pick(HOSTILE_HEADERS);
  const headers = [...parts.headers, ...value, "connection: close"];
  return brokenTry(how, parts, [bytesOf({ ...parts, headers }, base)]);
};

const chunkOf = (bytes: Buffer, size = bytes.length.toString(16)) =>
  Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from("\r\n")]);

/** Ways to write the chunks of a body; only the first is right. */
const CHUNKINGS: readonly { how: string; write(body: Buffer): Buffer[] }[] = [
  {
    how: "a body in chunks of a byte",
    write: (body) => [
      ...[...body.subarray(0, 400)].map((byte) => chunkOf(Buffer.from([byte]))),
      ...(body.length > 400 ? [chunkOf(body.subarray(400))] : []),
      Buffer.from("0\r\n\r\n"),
    ],
  },
  { how: "a chunk of a wrong size", write: (body) => [chunkOf(body, "ffffffffffffffffff")] },
  { how: "a chunk of no number", write: (body) => [chunkOf(body, "xyz")] },
  { how: "a chunk of a negative size", write: (body) => [chunkOf(body, "-1")] },
  { how: "chunks without an end", write: (body) => [chunkOf(body)] },
  {
    how: "an extension of 20 KiB",
    write: (body) => [
      chunkOf(body, `${body.length.toString(16)};x=${"a".repeat(20_480)}`),
      Buffer.from("0\r\n\r\n"),
    ],
  },
  {
    how: "trailers",
    write: (body) => [chunkOf(body), Buffer.from("0\r\nauthorization: x\r\n\r\n")],
  },
];

const chunked: MakeTry = (parts, chance, base) => {
  const { how, write } = chance.pick(CHUNKINGS);
  const { body = Buffer.from("{}"), ...rest } = parts;
  const headers = [...parts.headers, "connection: close", "transfer-encoding: chunked"];
  const head = bytesOf({ ...rest, headers, body: undefined }, base);
  return brokenTry(how, parts, [head, ...write(body)]);
};

const cut: MakeTry = (parts, chance, base) => {
  const bytes = bytesOf(parts, base);
  const at = 1 + chance.below(Math.max(1, bytes.length - 1));
  const end = chance.pick(["half", "half", "drop"] as const);
  const how = `cut behind ${at} of ${bytes.length} bytes, ${end === "half" ? "ended" : "dropped"}`;
  const { method } = parts;
  return {
    how,
    sending: { chunks: [bytes.subarray(0, at)], methods: [method], end, untilClosed: true },
    asked: [askedOf(parts)],
    framing: "cut",
  };
};

const slowly: MakeTry = (parts, chance, base) => {
  const bytes = bytesOf(parts, base);
  const size = Math.max(1, Math.ceil(bytes.length / (2 + chance.below(20))));
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  const whole = wholeTry(`in ${pieces.length} pieces`, parts, base);
  return { ...whole, sending: { ...whole.sending, chunks: pieces } };
};

const pipelined: MakeTry = (parts, chance, base) => {
  const count = 2 + chance.below(9);
  const bytes = bytesOf(parts, base);
  const asked = Array.from({ length: count }, () => askedOf(parts));
  const methods = asked.map(({ method }) => method);
  return {
    how: `${count} requests in one write`,
    sending: {
      chunks: [Buffer.concat(Array.from({ length: count }, () => bytes))],
      methods,
      end: "keep",
      untilClosed: false,
    },
    asked,
    framing: "whole",
  };
};

/** First lines; some ask for what is below neither surface. */
const LINES: readonly { how: string; line(target: string): string; isElsewhere?: true }[] = [
  { how: "an absolute target", line: (target) => `GET http://127.0.0.1${target} HTTP/1.1` },
  {
    how: "a target of another host",
    line: (target) => `GET http://evil.example${target} HTTP/1.1`,
  },
  {
    how: "two slashes before the path",
    line: (target) => `GET /${target} HTTP/1.1`,
    isElsewhere: true,
  },
  {
    how: "a backslash in the path",
    line: (target) => `GET ${target}\\..\\x HTTP/1.1`,
    isElsewhere: true,
  },
  { how: "a fragment", line: (target) => `GET ${target}#x HTTP/1.1` },
  { how: "raw bytes in the path", line: (target) => `GET ${target}\u00e9\u00ff HTTP/1.1` },
  { how: "a space in the path", line: (target) => `GET ${target} x HTTP/1.1` },
  { how: "HTTP/1.0", line: (target) => `GET ${target} HTTP/1.0` },
  { how: "HTTP/2.0", line: (target) => `GET ${target} HTTP/2.0` },
  { how: "HTTP/9.9", line: (target) => `GET ${target} HTTP/9.9` },
  { how: "no version", line: (target) => `GET ${target}` },
  { how: "an unknown method", line: (target) => `FETCH ${target} HTTP/1.1` },
  { how: "a method in small letters", line: (target) => `get ${target} HTTP/1.1` },
  { how: "CONNECT", line: () => "CONNECT 127.0.0.1:1 HTTP/1.1" },
  { how: "OPTIONS *", line: () => "OPTIONS * HTTP/1.1", isElsewhere: true },
  { how: "TRACE", line: (target) => `TRACE ${target} HTTP/1.1` },
  { how: "the preface of HTTP/2", line: () => "PRI * HTTP/2.0\r\n\r\nSM" },
  { how: "a hello of TLS", line: () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc" },
  { how: "NUL bytes", line: () => "\u0000".repeat(100) },
];

const hostileLine: MakeTry = (parts, chance, base) => {
  const { how, line, isElsewhere } = chance.pick(LINES);
  const target = `${base}${targetOf(parts)}`;
  const head = [line(target), "host: 127.0.0.1", "connection: close", ...parts.headers];
  const bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
  const made = brokenTry(how, { ...parts, method: "GET" }, [bytes]);
  return isElsewhere ? { ...made, asked: [{ method: "GET", target: "*" }] } : made;
};

const ON_JSON: readonly MakeTry[] = [hostileMember, hostileMember, hostileName, hostileWhole];

const ON_ANY: readonly MakeTry[] = [
  hostilePath,
  hostileQuery,
  hostileHeader,
  chunked,
  cut,
  slowly,
  pipelined,
  hostileLine,
];

/** A request that a program would send only to do harm, or by a grave mistake. */
export const hostileTry = (one: DescribedOperation, source: RequestSource): Try => {
  const { chance } = source;
  const parts = allowedRequest(one, source, "usual");
  const isJson = one.body?.media === "json" && !chance.oneIn(3);
  return chance.pick(isJson ? ON_JSON : ON_ANY)(parts, chance, one.base);
};
