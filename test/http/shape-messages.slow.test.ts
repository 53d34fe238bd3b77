import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import * as z from "zod";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import {
  EXPLAINED_CODES,
  EXPLAINED_FORMATS,
  IN_OUR_WORDS,
} from "../../src/contract/expectations.ts";
import { OPERATIONS } from "../../src/contract/operations.ts";
import { CONTROL_ENDPOINTS } from "../../src/control/control-surface.ts";
import { errorBody, Refusal } from "../../src/domain/core/refusal.ts";
import { inShape, queryInShape } from "../../src/http/body/shape.ts";
import type { Endpoint } from "../../src/http/door/endpoint.ts";
import { junkDocuments } from "../contract/setup/junk-documents.ts";
import { isCampaign } from "../setup/campaign.ts";
import { everyRow } from "../setup/every-row.ts";
import { LIBRARY_PHRASES } from "../setup/message-check.ts";

const refusalOf = (run: () => unknown) => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return errorBody(error);
    throw error;
  }
};

const ENDPOINTS: readonly Endpoint[] = [...PLATFORM_ENDPOINTS, ...CONTROL_ENDPOINTS];
const WITH_BODY = ENDPOINTS.filter(({ body }) => body !== undefined);
const WITH_QUERY = ENDPOINTS.filter(({ query }) => Object.keys(query).length > 0);

test("every operation is one of those walked", () => {
  expect(PLATFORM_ENDPOINTS).toHaveLength(OPERATIONS.length);
  expect(CONTROL_ENDPOINTS.length).toBeGreaterThan(45);
});

const valueAt = (root: unknown, field: string) =>
  field === "body" || field === "query"
    ? root
    : field
        .split(".")
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], root);

/** Checks what every message about a shape must say. */
const expectSpeaking = (error: ReturnType<typeof errorBody>, document: unknown) => {
  const { message, details } = error;
  const field = String(details?.field);
  const said = { message: message.slice(0, 300), field };
  expect({ ...said, isOurs: !LIBRARY_PHRASES.test(message) }).toEqual({ ...said, isOurs: true });
  const inside = field.includes(".") ? field.slice(0, field.lastIndexOf(".")) : "body";
  const isNamed = message.includes(` in ${field} but found `);
  const isUnknownName = message.includes(` in ${inside} but found the name `);
  expect({ ...said, isTold: isNamed || isUnknownName }).toEqual({ ...said, isTold: true });
  expect(message).toMatch(/^Expected \S/);
  expect(message).not.toMatch(/\p{Cc}|undefined|\[object/u);
  expect(message.split(" but found ").at(-1)?.length).toBeLessThan(220);
  const sent = valueAt(document, field);
  if (details && "value" in details) expect(details.value).toEqual(sent);
  else expect({ ...said, isLeftOut: isUntellable(sent) }).toEqual({ ...said, isLeftOut: true });
};

/** Values that no reply repeats: missing, too long, or inexact in JSON. */
const isUntellable = (sent: unknown) =>
  sent === undefined ||
  (typeof sent === "number" && Math.abs(sent) > Number.MAX_SAFE_INTEGER) ||
  JSON.stringify(sent).length > 120;

const everyOperation = (endpoints: readonly Endpoint[], check: (one: Endpoint) => void) =>
  everyRow(endpoints, check, ({ operationId }) => operationId);

/** Documents that are tried of an operation with thousands; a campaign tries all. */
const ENOUGH = 100;

test("every body is refused in our words", () =>
  everyOperation(WITH_BODY, ({ body }) => {
    let refused = 0;
    const documents = [...junkDocuments(body as z.ZodType)];
    const step = isCampaign ? 1 : Math.ceil(documents.length / ENOUGH);
    for (const { document } of documents.filter((_, at) => at % step === 0)) {
      const error = refusalOf(() => inShape(body as z.ZodType, document, "body"));
      if (!error) continue;
      refused += 1;
      expectSpeaking(error, document);
      const { issues = [] } = (body as z.ZodType).safeParse(document, IN_OUR_WORDS).error ?? {};
      const foreign = issues.filter(({ message }) => !/^Expected \S/.test(message));
      expect(foreign).toEqual([]);
    }
    expect(refused).toBeGreaterThan(3);
  }));

const TEXTS = [
  "",
  "x",
  "-1",
  "0",
  "1.5",
  "99999999999999999999",
  "true",
  "\u0007",
  "é".repeat(900),
];

test("every query is refused in our words", () =>
  everyOperation(WITH_QUERY, ({ query }) => {
    for (const name of Object.keys(query))
      for (const text of TEXTS) {
        const search = new URLSearchParams({ [name]: text });
        const error = refusalOf(() => queryInShape(query, search));
        if (error) expectSpeaking(error, Object.fromEntries(search));
      }
  }));

const refused = (shape: z.ZodType, value: unknown) =>
  refusalOf(() => inShape(z.object({ it: shape }), { it: value }, "body"))?.message.split(". ")[0];

test.each<{ shape: z.ZodType; value: unknown; says: string }>([
  { shape: z.string(), value: undefined, says: "a string in it but found nothing" },
  { shape: z.string(), value: null, says: "a string in it but found null" },
  { shape: z.int(), value: 1.5, says: "a whole number in it but found 1.5" },
  { shape: z.boolean(), value: "true", says: 'true or false in it but found "true"' },
  { shape: z.object({}), value: [1, 2], says: "an object in it but found an array of 2 items" },
  { shape: z.array(z.string()), value: {}, says: "an array in it but found an empty object" },
  { shape: z.string().min(1), value: "", says: 'at least 1 character in it but found ""' },
  { shape: z.string().max(3), value: "abcd", says: 'at most 3 characters in it but found "abcd"' },
  { shape: z.string().length(2), value: "a", says: 'exactly 2 characters in it but found "a"' },
  {
    shape: z.array(z.int()).min(1),
    value: [],
    says: "at least 1 item in it but found an empty array",
  },
  { shape: z.number().min(1), value: 0, says: "a number of at least 1 in it but found 0" },
  { shape: z.number().max(9), value: 10, says: "a number of at most 9 in it but found 10" },
  { shape: z.number().gt(1), value: 1, says: "a number of more than 1 in it but found 1" },
  { shape: z.number().lt(1), value: 1, says: "a number of less than 1 in it but found 1" },
  { shape: z.number().multipleOf(5), value: 7, says: "a multiple of 5 in it but found 7" },
  { shape: z.literal("A"), value: "B", says: 'A in it but found "B"' },
  {
    shape: z.enum(["CPF", "CNPJ"]),
    value: "CFP",
    says: 'one of CPF, CNPJ (closest: CPF) in it but found "CFP"',
  },
  {
    shape: z.enum(["CPF", "CNPJ"]),
    value: "telephone",
    says: 'one of CPF, CNPJ in it but found "telephone"',
  },
  { shape: z.union([z.literal(""), z.null()]), value: 5, says: '"", or null in it but found 5' },
  {
    shape: z.string().startsWith("a"),
    value: "b",
    says: 'text that begins with "a" in it but found "b"',
  },
  {
    shape: z.string().endsWith("a"),
    value: "b",
    says: 'text that ends with "a" in it but found "b"',
  },
  { shape: z.string().includes("a"), value: "b", says: 'text with "a" in it in it but found "b"' },
  {
    shape: z.string().regex(/^[0-9]{9}$/),
    value: "12",
    says: '9 digits in it but found "12"',
  },
  {
    shape: z.uuid(),
    value: "b",
    says: 'a UUID like 019b8d62-7a80-7000-8000-1a6379edde34 in it but found "b"',
  },
  {
    shape: z.iso.datetime({ offset: true }),
    value: "2026-01-05",
    says: 'an instant with its offset, like 2026-01-05T09:00:00Z in it but found "2026-01-05"',
  },
  {
    shape: z.record(z.string().max(1), z.int()),
    value: { ab: 1 },
    says: "at most 1 character in it.ab but found 1",
  },
  {
    shape: z.strictObject({ nth: z.int().optional() }),
    value: { nht: 1 },
    says: 'nth in it but found the name "nht"',
  },
  {
    shape: z.set(z.int()).min(2),
    value: new Set([1]),
    says: "at least 2 items in it but found an empty object",
  },
])("a message says Expected $says", ({ shape, value, says }) => {
  expect(refused(shape, value)).toBe(`Expected ${says}`);
});

test("a discriminator is one of its choices", () => {
  const shape = z.discriminatedUnion("type", [
    z.object({ type: z.literal("IBAN") }),
    z.object({ type: z.literal("PIX") }),
  ]);
  const answer = refusalOf(() => inShape(shape, { type: "IBEN" }, "body"));
  expect(answer?.message).toContain(
    'Expected one of IBAN, PIX (closest: IBAN) in type but found "IBEN"',
  );
  expect(answer?.details).toEqual({ field: "type", value: "IBEN" });
});

test("a long text is cut, and its length given", () => {
  const says = refused(z.string().max(3), "a".repeat(1000));
  expect(says).toBe(
    `Expected at most 3 characters in it but found "${"a".repeat(60)}…" (1000 characters)`,
  );
});

const english = () => {
  const require = createRequire(import.meta.url);
  return readFileSync(require.resolve("zod/v4/locales/en.js"), "utf8");
};

test("every code that the installed library has a sentence for has one of ours", () => {
  const codes = [...english().matchAll(/case "(\w+)":/g)].map(([, code]) => code as string);
  expect(codes.length).toBeGreaterThan(8);
  expect(EXPLAINED_CODES).toEqual(expect.arrayContaining(codes));
  expect(EXPLAINED_CODES).toContain("custom");
});

test("every form of text that the installed library checks has a phrase", () => {
  const formats = ["email", "url", "emoji", "uuid", "guid", "nanoid", "cuid", "cuid2", "ulid"];
  const more = ["xid", "ksuid", "datetime", "date", "time", "duration", "ipv4", "ipv6", "jwt"];
  const last = ["cidrv4", "cidrv6", "base64", "base64url", "json_string", "e164", "iban"];
  const known = [...formats, ...more, ...last, "regex", "starts_with", "ends_with", "includes"];
  expect(EXPLAINED_FORMATS).toEqual(expect.arrayContaining(known));
});

test("every phrase of the library is one that the checks look for", () => {
  const phrases = [...english().matchAll(/return [`"]([A-Z][^`"$:<>]{8,})/g)].map(
    ([, text]) => text,
  );
  expect(phrases.length).toBeGreaterThan(7);
  expect(phrases.filter((text) => !LIBRARY_PHRASES.test(`${text}`))).toEqual([]);
});
