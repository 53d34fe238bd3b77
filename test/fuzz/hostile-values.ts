import type { Chance } from "../simulation/setup/chance.ts";

/** A way to be hostile, named as a report shows it. */
interface Hostile<Value> {
  how: string;
  value: Value;
}

const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const many = (count: number, member: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => member(at)).join(",");

/** Texts of JSON values that take the place of a member; `JSON.stringify` cannot write most of them. */
export const HOSTILE_JSON: readonly Hostile<string>[] = [
  { how: "1e400", value: "1e400" },
  { how: "-1e400", value: "-1e400" },
  { how: "1e308", value: "1e308" },
  { how: "2^53 + 1", value: "9007199254740993" },
  { how: "30 digits", value: "123456789012345678901234567890" },
  { how: "-0", value: "-0" },
  { how: "1e-400", value: "1e-400" },
  { how: "1.5 as a whole number", value: "1.5" },
  { how: "a lone high surrogate", value: '"\\ud800"' },
  { how: "a lone low surrogate", value: '"x\\udc00y"' },
  { how: "surrogates in reverse", value: '"\\udc00\\ud800"' },
  { how: "NUL", value: '"a\\u0000b"' },
  { how: "control characters", value: '"\\u001b[2J\\u0007\\u0085\\u2028"' },
  { how: "direction marks", value: '"\\u202eabc\\u2066\\ufeff"' },
  { how: "a text of 100,000 characters", value: `"${"a".repeat(100_000)}"` },
  { how: "a text of 20,000 combining marks", value: `"e${"\u0301".repeat(20_000)}"` },
  { how: "64 levels of lists", value: nested(64) },
  { how: "5,000 levels of lists", value: nested(5_000) },
  { how: "63 levels of objects", value: nestedObjects(63) },
  { how: "5,000 levels of objects", value: nestedObjects(5_000) },
  { how: "a list of 10,000", value: `[${many(10_000, (at) => `${at}`)}]` },
  { how: "10,000 members", value: `{${many(10_000, (at) => `"m${at}":1`)}}` },
  { how: "a member __proto__", value: '{"__proto__":{"polluted":true}}' },
  { how: "a list as __proto__", value: '{"__proto__":[1,2]}' },
  { how: "an escaped __proto__", value: '{"\\u005f_proto__":{"polluted":true}}' },
  { how: "constructor.prototype", value: '{"constructor":{"prototype":{"polluted":true}}}' },
  {
    how: "members of Object.prototype",
    value: '{"toString":1,"valueOf":2,"hasOwnProperty":3,"length":-1,"then":4,"toJSON":5}',
  },
  { how: "the text __proto__", value: '"__proto__"' },
  { how: "the text constructor", value: '"constructor"' },
  { how: "the text toString", value: '"toString"' },
  { how: "the text hasOwnProperty", value: '"hasOwnProperty"' },
  { how: "a member twice", value: '{"a":1,"a":2}' },
  { how: "an empty name", value: '{"":1}' },
  { how: "an id with another kind", value: '"Quote:00000000-0000-7000-8000-000000000000"' },
  { how: "an id without end", value: '"InternalAccount:"' },
  { how: "an instant in the year 275760", value: '"+275760-09-13T00:00:00.000Z"' },
  { how: "an instant of no day", value: '"2026-02-30T25:61:61Z"' },
  { how: "spaces around digits", value: '" 12 "' },
  { how: "digits of another script", value: '"١٢٣"' },
];

/** Bodies that take the place of a whole one. */
export const HOSTILE_BODIES: readonly Hostile<Buffer>[] = [
  ["nothing", ""],
  ["spaces", "  \r\n "],
  ["half an object", '{"a":'],
  ["a comma at the end", '{"a":1,}'],
  ["NaN", '{"amount":NaN}'],
  ["single quotes", "{'a':1}"],
  ["a comment", '{"a":1/* x */}'],
  ["two values", "{}{}"],
  ["a list", "[]"],
  ["null", "null"],
  ["a text", '"x"'],
  ["a number of 20,000 digits", `{"amount":${"9".repeat(20_000)}}`],
  ["200,000 open lists", "[".repeat(200_000)],
  ["a byte order mark", "\ufeff{}"],
  ["a raw NUL", '{"a":"\u0000"}'],
  ["a body over a mebibyte", `{"a":"${"x".repeat(1_100_000)}"}`],
].map(([how = "", text = ""]) => ({ how, value: Buffer.from(text) }));

const BROKEN_UTF8: readonly Hostile<Buffer>[] = [
  { how: "a byte ff", value: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
  { how: "an overlong slash", value: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) },
  { how: "an encoded surrogate", value: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) },
  { how: "half a character", value: Buffer.from([0x7b, 0x22, 0xe2, 0x82]) },
  { how: "UTF-16", value: Buffer.from('{"a":1}', "utf16le") },
];

/** Texts in place of an id of a path, encoded as they are sent. */
export const HOSTILE_SEGMENTS: readonly Hostile<string>[] = [
  "%",
  "%zz",
  "%00",
  "a%00b",
  "%2F",
  "%2f..%2f..%2fetc%2fpasswd",
  "..",
  "%2e%2e",
  ".",
  "%c0%af",
  "%ed%a0%80",
  "%ff",
  "%25%32%66",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "%F0%9D%92%B3",
  ";a=b",
  "a;b",
  "*",
  "me",
  "Customer:",
  "Customer%3A%3A",
  "Quote:1?x=1",
  "%0d%0aset-cookie:%20a=b",
  "%20",
  "+",
  "a".repeat(4_000),
  "%61".repeat(1_000),
  "Quote:".repeat(500),
  "-1",
  "1e400",
  "",
].map((value) => ({ how: `a path with ${value.slice(0, 40) || "nothing"}`, value }));

/** Pieces of a query as they are sent. */
export const HOSTILE_QUERIES: readonly Hostile<string>[] = [
  "limit=1e400",
  "limit=-0",
  "limit=99999999999999999999",
  "limit=1&limit=2",
  "limit=%",
  "limit=%ff",
  "limit[]=1",
  "limit=%EF%BC%91",
  "limit=0x10",
  "limit=+1",
  "cursor=%00",
  "cursor=AAAA",
  "cursor=eyJhIjoxfQ",
  `cursor=${"a".repeat(6_000)}`,
  "__proto__=1",
  "constructor[prototype][a]=1",
  "startDate=2026-02-30T00:00:00Z",
  "startDate=%2B275760-09-13T00:00:00Z",
  "sortOrder=__proto__",
  "status=toString",
  "=",
  "&&&",
  "?",
  "a=b=c",
  "a%3Db",
  many(500, (at) => `p${at}=1`).replaceAll(",", "&"),
  "customerId=%ed%a0%80",
  "currency=USD%00",
  "currency=usd",
  "sendingAmount=9007199254740993",
  "timeout=1e9s",
  "count=9999",
].map((value) => ({ how: `a query with ${value.slice(0, 40)}`, value }));

const LONG_HEADER = "a".repeat(6_000);

/** Header lines beside those of the request; the names of some are in it already. */
export const HOSTILE_HEADERS: readonly Hostile<readonly string[]>[] = [
  ["idempotency-key twice", "idempotency-key: a", "idempotency-key: b"],
  ["an empty idempotency key", "idempotency-key:"],
  ["a long idempotency key", `idempotency-key: ${LONG_HEADER}`],
  ["a key __proto__", "idempotency-key: __proto__"],
  ["a key of latin letters", "idempotency-key: \u00e9\u00ff"],
  ["content-type twice", "content-type: application/json", "content-type: text/plain"],
  ["another media type", "content-type: text/plain"],
  ["a broken media type", "content-type: ;;;/,,"],
  ["a charset", "content-type: application/json; charset=utf-16"],
  ["authorization twice", "authorization: Basic YTpi", "authorization: Bearer x"],
  ["a signature", `service-wallet-signature: ${LONG_HEADER}`],
  ["a signature of braces", 'service-wallet-signature: {"__proto__":1}', "request-id: x"],
  ["a request id", "request-id: __proto__"],
  ["accept of all kinds", "accept: text/html;q=NaN, */*;q=2, a/b/c"],
  ["a range", "range: bytes=0-0,5-1"],
  ["a condition", "if-none-match: *", "if-modified-since: never"],
  ["an encoding", "accept-encoding: gzip;q=1e9, br"],
  ["a body encoding", "content-encoding: gzip"],
  ["an upgrade", "connection: upgrade", "upgrade: websocket", "sec-websocket-key: AAAA"],
  ["an expectation", "expect: 100-continue"],
  ["another expectation", "expect: the-unexpected"],
  ["another origin", "origin: https://evil.example"],
  ["a null origin", "origin: null"],
  ["host twice", "host: evil.example"],
  ["a forwarded host", "x-forwarded-host: evil.example", "forwarded: host=evil.example"],
  ["another method", "x-http-method-override: DELETE"],
  ["names of Object.prototype", "constructor: 1", "__proto__: 1", "tostring: 1"],
  ["100 lines", ...Array.from({ length: 100 }, (_, at) => `x-line-${at}: ${at}`)],
  ["3,000 lines", ...Array.from({ length: 3_000 }, (_, at) => `x-${at}: 1`)],
  ["20 KiB of header", `x-long: ${"a".repeat(20_480)}`],
  ["a header without a name", ": x"],
  ["a header with a space", "bad name: x"],
  ["a folded header", "x-folded: a\r\n b"],
  ["a bare CR", "x-cr: a\rb"],
  ["a NUL", "x-nul: a\u0000b"],
  ["transfer-encoding and length", "transfer-encoding: chunked"],
  ["an unknown transfer-encoding", "transfer-encoding: gzip, chunked, identity"],
  ["a second length", "content-length: 3"],
  ["a negative length", "content-length: -1"],
  ["a length of letters", "content-length: 1e3"],
  ["a huge length", "content-length: 99999999999999999999"],
].map(([how = "", ...value]) => ({ how: `the header ${how}`, value }));

/** Bodies for one draw: broken characters are as frequent as broken JSON. */
export const hostileBody = (chance: Chance): Hostile<Buffer> =>
  chance.pick(chance.oneIn(3) ? BROKEN_UTF8 : HOSTILE_BODIES);
