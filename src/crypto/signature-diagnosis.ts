import { createHash, verify } from "node:crypto";
import { fingerprintOf } from "./ecdsa.ts";
import {
  type Circumstances,
  type Evidence,
  MISTAKES,
  type Mistake,
  type MistakeCode,
  mistakeOf,
} from "./signature-mistakes.ts";

/** One part of a delivery, and whether it is correct. */
export interface SignatureCheck {
  check: Mistake["part"];
  ok: boolean;
  expected: string;
  found: string;
}

/** Result of `webhooks doctor` for a header and a body. */
export interface SignatureVerdict {
  ok: boolean;
  checks: SignatureCheck[];
  diagnosis?: { code: MistakeCode; message: string; fix: string; also?: MistakeCode[] };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Order of P-256 (SEC 2, 2.4.2): r and s are below it. */
const ORDER = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

const SEQUENCE = 0x30;
const INTEGER = 0x02;
/** Longest content of a signature: two integers of at most 33 bytes, so lengths take one byte. */
const LONGEST = 70;

/** Reads an INTEGER and returns its value and the bytes after it; nothing for anything else. */
const readInteger = (bytes: Buffer): { value: bigint; rest: Buffer } | undefined => {
  const [tag, length = 0] = bytes;
  if (tag !== INTEGER || length === 0 || bytes.length < 2 + length) return undefined;
  const digits = bytes.subarray(2, 2 + length);
  return { value: BigInt(`0x${digits.toString("hex")}`), rest: bytes.subarray(2 + length) };
};

/**
 * Finds the problem of a header that should be base64 of a DER signature; nothing if there is none.
 */
export const headerProblem = (header: string): string | undefined => {
  if (header === "") return "an empty header";
  if (!BASE64.test(header)) return `${header.length} characters that are not base64`;
  if (header.length % 4 !== 0) return `${header.length} characters of base64, which come in fours`;
  const der = Buffer.from(header, "base64");
  const [tag, length = 0] = der;
  if (tag !== SEQUENCE || length > LONGEST) return `${der.length} bytes that are not DER`;
  if (der.length < 2 + length) return `DER of ${2 + length} bytes that ends after ${der.length}`;
  const r = readInteger(der.subarray(2));
  const s = r && readInteger(r.rest);
  if (!s || s.rest.length > 0) return `${der.length} bytes that are not a DER signature`;
  const isInRange = [r.value, s.value].every((scalar) => scalar > 0n && scalar < ORDER);
  return isInRange ? undefined : "r or s out of range";
};

const verifies = ({ header, body, publicPem, isHashedTwice }: Evidence) => {
  if (headerProblem(header) !== undefined) return false;
  const signed = isHashedTwice ? createHash("sha256").update(body).digest() : body;
  try {
    return verify("sha256", signed, publicPem, Buffer.from(header, "base64"));
  } catch {
    return false;
  }
};

interface Explanation {
  mistakes: readonly Mistake[];
  undone: Evidence;
}

/** Undoes some mistakes one after the other, in every possible way. */
const undoAll = (
  evidence: Evidence,
  mistakes: readonly Mistake[],
  circumstances: Circumstances,
): Evidence | undefined =>
  mistakes
    .reduce((all, mistake) => all.flatMap((each) => mistake.undo(each, circumstances)), [evidence])
    .find(verifies);

const COMBINATIONS: readonly (readonly Mistake[])[] = [
  [],
  ...MISTAKES.map((mistake) => [mistake]),
  ...MISTAKES.flatMap((mistake, at) => MISTAKES.slice(at + 1).map((other) => [mistake, other])),
];

/** The fewest mistakes that explain the failure: none, one, or two at once. */
const explain = (evidence: Evidence, circumstances: Circumstances): Explanation | undefined => {
  for (const mistakes of COMBINATIONS) {
    const undone = undoAll(evidence, mistakes, circumstances);
    if (undone) return { mistakes, undone };
  }
  return undefined;
};

/** Judges by the header's form when no mistake explains the failure: else key or bytes differ. */
const byForm = (evidence: Evidence): Explanation => {
  const looksCut =
    BASE64.test(evidence.header) &&
    headerProblem(evidence.header) !== undefined &&
    Buffer.from(evidence.header, "base64")[0] === SEQUENCE;
  const code = looksCut ? "TRUNCATED_BASE64" : "WRONG_KEY";
  return { mistakes: [mistakeOf(code)], undone: evidence };
};

const EXPECTED: Readonly<Record<Mistake["part"], string>> = {
  header: "base64 of a DER signature",
  key: "the key that signed",
  body: "the bytes that were signed",
};

const PARTS = Object.keys(EXPECTED) as Mistake["part"][];

const fineText = ({ undone }: Explanation, keyIs: string): Record<Mistake["part"], string> => ({
  header: "base64, DER, r and s in range",
  key: `${fingerprintOf(undone.publicPem)}, ${keyIs}`,
  body: `${undone.body.length.toLocaleString("en-US")} bytes, as signed`,
});

/** Checks whether the body of an unexplained failure was sent by this world. */
const unexplainedBody = ({ body }: Evidence, { sent }: Circumstances) => {
  const size = `${body.length.toLocaleString("en-US")} bytes`;
  if (sent?.body.equals(body)) return { ok: true, found: `${size}, as sent` };
  return { ok: false, found: `${size} that don't verify` };
};

/**
 * Tells whether a delivery verifies and, if not, which common mistake explains it.
 * @param keyIs name of the key for people, like "the current one"
 */
export const diagnoseSignature = (
  evidence: Evidence,
  circumstances: Circumstances,
  keyIs: string,
): SignatureVerdict => {
  const explained = explain(evidence, circumstances);
  const explanation = explained ?? byForm(evidence);
  const { mistakes, undone } = explanation;
  const fine = fineText(explanation, keyIs);
  const problem = headerProblem(evidence.header);
  const checks = PARTS.map((part): SignatureCheck => {
    const expected = EXPECTED[part];
    const wrong = mistakes.find((mistake) => mistake.part === part);
    if (wrong)
      return {
        check: part,
        ok: false,
        expected,
        found: wrong.tells(evidence, undone, circumstances),
      };
    if (!explained && problem !== undefined)
      return part === "header"
        ? { check: part, ok: false, expected, found: problem }
        : { check: part, ok: false, expected, found: "not tried: there is no whole signature" };
    if (!explained && part === "body")
      return { check: part, expected, ...unexplainedBody(evidence, circumstances) };
    return { check: part, ok: true, expected, found: fine[part] };
  });
  const [first, ...others] = mistakes;
  return {
    ok: mistakes.length === 0,
    checks,
    ...(first && {
      diagnosis: {
        code: first.code as MistakeCode,
        message: first.tells(evidence, undone, circumstances),
        fix: first.fix,
        ...(others.length > 0 && { also: others.map(({ code }) => code as MistakeCode) }),
      },
    }),
  };
};
