import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { describe, expect, test } from "vitest";
import { diagnoseSignature, headerProblem } from "../../src/crypto/signature-diagnosis.ts";
import type { Circumstances } from "../../src/crypto/signature-mistakes.ts";

const BODY =
  '{"id":"Webhook:019b8d68-27a0-7000-8000-c12f910c41d8","type":"TEST",' +
  '"timestamp":"2026-01-05T09:06:12.000Z","data":{"b":"Łódź","a":1}}';

const newKey = () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }) as string;
  return { privateKey, publicPem };
};

const ours = newKey();
const retired = newKey();
const foreign = newKey();

/** A signature made by Node's functions alone, none of ours. */
const der = (body: string | Buffer, key: KeyObject = ours.privateKey) =>
  sign("sha256", Buffer.from(body), key).toString("base64");

const raw = (body: string) =>
  sign("sha256", Buffer.from(body), { key: ours.privateKey, dsaEncoding: "ieee-p1363" });

const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
const twice = (body: string) => der(createHash("sha256").update(body).digest());

const known: Circumstances = {
  otherKeys: [{ publicPem: retired.publicPem, is: "a key that was rotated away" }],
};

const diagnose = (header: string, body: string | Buffer, circumstances = known) =>
  diagnoseSignature(
    { header, body: Buffer.from(body), publicPem: ours.publicPem },
    circumstances,
    "the current one",
  );

const failing = ({ checks }: ReturnType<typeof diagnose>) =>
  checks.filter(({ ok }) => !ok).map(({ check }) => check);

test("what is as it was sent verifies, and every part of it is fine", () => {
  const verdict = diagnose(der(BODY), BODY);
  expect(verdict).toMatchObject({ ok: true, checks: [{ ok: true }, { ok: true }, { ok: true }] });
  expect(verdict.diagnosis).toBeUndefined();
});

const sorted = '{"data":{"a":1,"b":"Łódź"},"id":"Webhook:1","type":"TEST"}';
const unsorted = '{"id":"Webhook:1","type":"TEST","data":{"b":"Łódź","a":1}}';
const escaped = BODY.replace("Łódź", "\\u0141\\u00f3d\\u017a");
const wrapper = JSON.stringify({ v: "1", s: der(BODY) });
const sentBody = { sent: { body: Buffer.from(BODY) } };

test.each([
  { what: "a line end", header: der(BODY), body: `${BODY}\n`, code: "TRAILING_NEWLINE" },
  {
    what: "a line end of Windows",
    header: der(BODY),
    body: `${BODY}\r\n`,
    code: "TRAILING_NEWLINE",
  },
  { what: "two spaces of indent", header: der(BODY), body: pretty, code: "BODY_RESERIALISED" },
  {
    what: "indent and a line end",
    header: der(BODY),
    body: `${pretty}\n`,
    code: "BODY_RESERIALISED",
  },
  { what: "letters escaped", header: der(BODY), body: escaped, code: "BODY_RESERIALISED" },
  { what: "a retired key", header: der(BODY, retired.privateKey), body: BODY, code: "WRONG_KEY" },
  { what: "a foreign key", header: der(BODY, foreign.privateKey), body: BODY, code: "WRONG_KEY" },
  { what: "r||s", header: raw(BODY).toString("base64"), body: BODY, code: "RAW_SIGNATURE" },
  { what: "a JSON wrapper", header: wrapper, body: BODY, code: "JSON_WRAPPER" },
  { what: "a digest that is hashed", header: twice(BODY), body: BODY, code: "DOUBLE_HASH" },
  {
    what: "four characters less",
    header: der(BODY).slice(0, -4),
    body: BODY,
    code: "TRUNCATED_BASE64",
  },
  { what: "a column of 64", header: der(BODY).slice(0, 64), body: BODY, code: "TRUNCATED_BASE64" },
  {
    what: "no multiple of four",
    header: der(BODY).slice(0, 51),
    body: BODY,
    code: "TRUNCATED_BASE64",
  },
])("$what is $code", ({ header, body, code }) => {
  const verdict = diagnose(header, body);
  expect(verdict).toMatchObject({ ok: false, diagnosis: { code } });
  expect(verdict.diagnosis?.also).toBeUndefined();
});

test("padding that was split off is a header that is cut off", () => {
  // A quarter of all signatures has no padding, so one with padding is drawn.
  let padded = der(BODY);
  while (!padded.endsWith("=")) padded = der(BODY);
  const verdict = diagnose(padded.replace(/=+$/, ""), BODY);
  expect(verdict.diagnosis?.code).toBe("TRUNCATED_BASE64");
});

test.each([
  { header: der(BODY), body: pretty, checks: ["body"] },
  { header: raw(BODY).toString("base64"), body: BODY, checks: ["header"] },
  { header: der(BODY, retired.privateKey), body: BODY, checks: ["key"] },
  { header: der(BODY).slice(0, 64), body: BODY, checks: ["header", "key", "body"] },
])("the parts at fault are $checks", ({ header, body, checks }) => {
  expect(failing(diagnose(header, body))).toEqual(checks);
});

test("reordered members are recognized by the original", () => {
  expect(diagnose(der(unsorted), sorted).diagnosis?.code).toBe("WRONG_KEY");
  const sent = { ...known, sent: { body: Buffer.from(unsorted) } };
  expect(diagnose(der(unsorted), sorted, sent).diagnosis).toMatchObject({
    code: "BODY_RESERIALISED",
    message: expect.stringContaining("members in another order"),
  });
});

test("a changed body is recognized by the original", () => {
  const changed = BODY.replace('"a":1', '"a":2');
  const verdict = diagnose(der(BODY), changed, { ...known, ...sentBody });
  expect(verdict.diagnosis).toMatchObject({
    code: "BODY_CHANGED",
    message: expect.stringContaining(`from byte ${Buffer.from(BODY).indexOf("1}}")} on`),
  });
});

test("a foreign key over the very bytes leaves the body fine", () => {
  const verdict = diagnose(der(BODY, foreign.privateKey), BODY, { ...known, ...sentBody });
  expect(failing(verdict)).toEqual(["key"]);
});

test("a cut body is recognized by the original", () => {
  const header = der(BODY);
  const sent = { body: Buffer.from(BODY), header };
  const { diagnosis } = diagnose(header.slice(0, 64), BODY, { ...known, sent });
  expect(diagnosis).toMatchObject({
    code: "TRUNCATED_BASE64",
    message: `base64 of 64 characters where ${header.length} were sent`,
  });
});

test("two mistakes at once are both named", () => {
  const { diagnosis } = diagnose(JSON.stringify({ v: "1", s: der(BODY) }), pretty);
  expect(diagnosis).toMatchObject({ code: "BODY_RESERIALISED", also: ["JSON_WRAPPER"] });
});

test("bytes that are not text are checked as bytes", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe]);
  expect(diagnose(der(bytes), bytes).ok).toBe(true);
  expect(diagnose(der(bytes), Buffer.concat([bytes, Buffer.from("\n")])).diagnosis?.code).toBe(
    "TRAILING_NEWLINE",
  );
});

describe("a header", () => {
  const ZERO = "MAYCAQACAQE="; // r is 0

  test.each([
    ["", "an empty header"],
    ["MEUC!", "5 characters that are not base64"],
    ["MEUCI", "5 characters of base64, which come in fours"],
    ["AAAA", "3 bytes that are not DER"],
    ["MEUC", "DER of 71 bytes that ends after 3"],
    [ZERO, "r or s out of range"],
    ["MAMCAQE=", "5 bytes that are not a DER signature"],
  ])("%j is %s", (header, problem) => {
    expect(headerProblem(header)).toBe(problem);
    expect(diagnose(header, BODY).ok).toBe(false);
  });

  test("is fine whenever Node made it", () => {
    const problems = Array.from({ length: 200 }, (_, at) => headerProblem(der(`${at}`)));
    expect(problems.filter((one) => one !== undefined)).toEqual([]);
  });

  test("of raw numbers is DER again, also with leading zeros", () => {
    const verdicts = Array.from({ length: 300 }, (_, at) =>
      diagnose(raw(`${at}`).toString("base64"), `${at}`),
    );
    expect(new Set(verdicts.map(({ diagnosis }) => diagnosis?.code))).toEqual(
      new Set(["RAW_SIGNATURE"]),
    );
  });
});
