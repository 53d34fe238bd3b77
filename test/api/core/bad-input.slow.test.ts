import { beforeEach, describe, expect, test } from "vitest";
import { everyRow } from "../../setup/every-row.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { fingerprintOf, OPERATIONS, type Operation, pathWith } from "../setup/every-operation.ts";
import {
  callOperation,
  headersOf,
  idName,
  type KnownIds,
  knownPath,
  populate,
  VALID_BODIES,
} from "../setup/populated.ts";
import { BUSINESS_QUERIES } from "../setup/populated-business.ts";
import { NEEDED_QUERIES } from "../setup/populated-wallets.ts";
import { expectErrorShape, expectRefused } from "../setup/refused.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const JSON_TYPE = { "content-type": "application/json" };
const MEBIBYTE = 1024 * 1024;

const world = worldPerTest();
let ids: KnownIds;

const populated = preparedOnce(populate);

beforeEach(async () => {
  ids = await populated(world());
});

/** Checks that a refused call writes, posts, emits and schedules nothing. */
const unchanged = async (act: () => Promise<unknown>) => {
  const before = await fingerprintOf(world());
  await act();
  expect(await fingerprintOf(world())).toEqual(before);
};

/** Runs the same check for each operation. */
const withEach = (operations: Operation[], act: (one: Operation) => Promise<void>) =>
  unchanged(() => everyRow(operations, act, ({ operationId }) => operationId));

const send = (one: Operation, body: string | Uint8Array<ArrayBuffer>, headers = JSON_TYPE) =>
  world().raw(one.method, knownPath(one, ids), {
    headers: { ...headersOf(one, ids), ...headers },
    body,
  });

const bytes = (...values: number[]) => new Uint8Array(values);
const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);

const MALFORMED: { says: string; body: string | Uint8Array<ArrayBuffer> }[] = [
  { says: "an open brace", body: "{" },
  { says: "an open string", body: '{"amount' },
  { says: "a word", body: "nope" },
  { says: "a trailing comma", body: '{"amount":1,}' },
  { says: "single quotes", body: "{'amount':1}" },
  { says: "a comment", body: '{"amount":1} // one' },
  { says: "two values", body: "{} {}" },
  { says: "NaN", body: '{"amount":NaN}' },
  { says: "a leading zero", body: '{"amount":01}' },
  { says: "white space alone", body: " \n" },
  { says: "a NUL", body: "\u0000" },
  { says: "two byte order marks", body: "\ufeff\ufeff{}" },
  { says: "a raw line end in a string", body: '{"fullName":"a\nb"}' },
  { says: "10000 open objects", body: '{"a":'.repeat(10_000) },
  { says: "10000 nested lists", body: deep("[", "]") },
  { says: "10000 nested objects", body: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}` },
  { says: "invalid UTF-8", body: bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d) },
  { says: "half a UTF-8 sequence", body: bytes(0x22, 0xe2, 0x82, 0x22) },
  { says: "an overlong slash", body: bytes(0x22, 0xc0, 0xaf, 0x22) },
  { says: "a surrogate in UTF-8", body: bytes(0x22, 0xed, 0xa0, 0x80, 0x22) },
  { says: "UTF-16", body: bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00) },
];

const NO_OBJECT = ["null", "true", "5", '"text"', "[]", "[{}]", "1e400", '"\\ud800"'];

const MEDIA_TYPES = [
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonx",
  "json",
];

const WITH_BODY = OPERATIONS.filter(({ takesBody }) => takesBody);

/**
 * Operations that try one malformed body, each in its turn: all read their bodies in one place, and
 * one operation tries every text.
 */
const everyEighth = (body: (typeof MALFORMED)[number]["body"]) => {
  const turn = MALFORMED.findIndex((one) => one.body === body) % 8;
  return WITH_BODY.filter((_one, at) => at === 0 || at % 8 === turn);
};
const WITHOUT_BODY = OPERATIONS.filter(({ takesBody, takesUpload }) => !takesBody && !takesUpload);

describe("every operation that reads a body", () => {
  test("is one of those met here", () => {
    expect(WITH_BODY.length).toBeGreaterThanOrEqual(10);
  });

  test.each(MALFORMED)("refuses invalid JSON: $says", ({ body }) =>
    withEach(everyEighth(body), async (one) => {
      expectRefused(await send(one, body), { status: 400, code: "INVALID_REQUEST_FORMAT" });
    }),
  );

  test("reads a body behind a byte order mark", async () => {
    const create = WITH_BODY.find(({ operationId }) => operationId === "createCustomer");
    const answer = await send(create as Operation, '\ufeff{"customerType":"INDIVIDUAL"}');
    expect([answer.status, answer.body.customerType]).toEqual([201, "INDIVIDUAL"]);
  });

  test.each(NO_OBJECT)("refuses anything but an object: %s", (body) =>
    withEach(WITH_BODY, async (one) => {
      expectRefused(await send(one, body), { status: 400, code: "INVALID_INPUT", field: "body" });
    }),
  );

  test.each(MEDIA_TYPES)("refuses the type %s", (type) =>
    withEach(WITH_BODY, async (one) => {
      const answer = await send(one, "{}", { "content-type": type });
      expectRefused(answer, { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
    }),
  );

  test.each([
    { size: MEBIBYTE + 1, operations: WITH_BODY },
    { size: 2 * MEBIBYTE, operations: WITH_BODY.slice(0, 1) },
  ])("refuses $size bytes", ({ size, operations }) =>
    withEach(operations, async (one) => {
      const answer = await send(one, `{"pad":"${"x".repeat(size - 10)}"}`);
      expectRefused(answer, { status: 413, code: "PAYLOAD_TOO_LARGE" });
    }),
  );

  test("reads exactly one mebibyte", () =>
    everyRow(
      WITH_BODY,
      async (one) => {
        const answer = await send(one, `{"pad":"${"x".repeat(MEBIBYTE - 10)}"}`);
        expect(answer.status).not.toBe(413);
        expect(answer.status).toBeLessThan(500);
      },
      ({ operationId }) => operationId,
    ));

  test.each(["application/json; charset=utf-8", "Application/JSON", "application/json"])(
    "takes the type %s",
    (type) =>
      withEach(WITH_BODY, async (one) => {
        expect((await send(one, "[]", { "content-type": type })).status).toBe(400);
      }),
  );
});

test("an empty body is refused where members are needed, whatever its type", () => {
  const content = [
    "patchConfig",
    "approveTransaction",
    "rejectTransaction",
    "rejectAgentAction",
    "createKycLink",
  ];
  const needy = WITH_BODY.filter(({ operationId }) => !content.includes(operationId));
  return withEach(needy, async (one) => {
    const refused = { status: 400, code: "INVALID_INPUT", field: "body" };
    expectRefused(await callOperation(world(), one, { ids }), refused);
    expectRefused(await send(one, ""), refused);
    expectRefused(await send(one, "", { "content-type": "text/plain" }), refused);
  });
});

const JUNK = [
  { type: "application/json", junk: "{" },
  { type: "text/plain", junk: "{" },
  { type: "application/json", junk: "null" },
  { type: "text/plain", junk: "null" },
  { type: "application/json", junk: "x".repeat(2 * MEBIBYTE) },
];

describe("an undeclared body", () => {
  const writes = WITHOUT_BODY.filter(({ method }) => method !== "GET");

  test("is ignored, whatever it is", () =>
    everyRow(
      writes,
      async (one) => {
        const path = pathWith(one, "none");
        const { status, body } = await callOperation(world(), one, { ids, path });
        for (const { type, junk } of JUNK) {
          const init = { headers: { ...headersOf(one, ids), "content-type": type }, body: junk };
          const answer = await world().raw(one.method, path, init);
          expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
        }
      },
      ({ operationId }) => operationId,
    ));
});

const UNKNOWN_IDS = [
  { says: "a word", id: "none" },
  { says: "a colon", id: ":" },
  { says: "a kind alone", id: "Customer:" },
  { says: "an unknown kind", id: "Unicorn:00000000-0000-7000-8000-000000000000" },
  { says: "a prototype", id: "__proto__" },
  { says: "a constructor", id: "constructor" },
  { says: "a star", id: "*" },
  { says: "a quote", id: "'%20or%201=1" },
  { says: "a NUL", id: "%00" },
  { says: "a space", id: "%20" },
  { says: "a slash in disguise", id: "a%2Fb" },
  { says: "a way up in disguise", id: "..%2F..%2Fetc" },
  { says: "a percent sign", id: "%25zz" },
  { says: "a line end", id: "a%0Ab" },
  { says: "a smile", id: "%F0%9F%98%80" },
  { says: "5000 letters", id: "x".repeat(5000) },
];

const BROKEN_IDS = ["%", "%z", "%zz", "%2", "%ff", "%c0%af", "%ed%a0%80", "Customer%3", "a%"];

/** `Quote` of `Quote:…`. */
const kindOf = (id: string) => id.split(":")[0];

/** An id in the other case. A device code is upper case already and is valid in any case. */
const otherCase = (id: string) => (id === id.toUpperCase() ? `${id}x` : id.toUpperCase());

const WITH_PARAMS = OPERATIONS.filter(({ params }) => params.length > 0);
/**
 * Operations with an id in their path. UMA addresses are left out: an ill-formed one is not an
 * unknown id (see lookup-refusals.test.ts).
 */
const WITH_ID = WITH_PARAMS.filter(({ params }) => !params.includes("receiverUmaAddress"));

const ask = (one: Operation, path: string): Promise<Answer> =>
  callOperation(world(), one, { ids, path, body: VALID_BODIES[one.operationId]?.(ids) });

describe("every operation with an id in its path", () => {
  test.each(UNKNOWN_IDS)("does not know $says", ({ id }) =>
    withEach(WITH_ID, async (one) => {
      const answer = await ask(one, pathWith(one, id));
      expect(answer.status).toBe(404);
      expect(answer.body.code).toMatch(/_NOT_FOUND$/);
      expect(answer.body.details).toMatchObject({ id: expect.any(String) });
      expectErrorShape(answer);
    }),
  );

  test("does not know ids of another kind", () =>
    withEach(WITH_ID, async (one) => {
      const own = one.params.map((name) => kindOf(ids[idName(one, name)] ?? ""));
      const others = Object.values(ids).filter((id) => !own.includes(kindOf(id)));
      expect(others.length).toBeGreaterThan(3);
      for (const id of others) {
        const answer = await ask(one, pathWith(one, id));
        expect({ id, status: answer.status }).toEqual({ id, status: 404 });
        expectErrorShape(answer);
      }
    }));

  test("knows no id with something before or after it", () =>
    withEach(WITH_ID, async (one) => {
      const own = one.params.map((name) => ids[idName(one, name)]).filter((id) => id !== undefined);
      for (const id of own)
        for (const near of [`${id}0`, id.slice(0, -1), `%20${id}`, `${id}%20`, otherCase(id)])
          expect((await ask(one, pathWith(one, near))).status).toBe(404);
    }));

  test.each(BROKEN_IDS)("refuses a path that is not percent-encoded: %s", (id) =>
    withEach(WITH_PARAMS, async (one) => {
      const answer = await ask(one, pathWith(one, id));
      expectRefused(answer, { status: 400, code: "INVALID_REQUEST_FORMAT" });
    }),
  );
});

const PARAMETERS = OPERATIONS.flatMap((one) => one.query.map((name) => ({ one, name })));

const everyParameter = (
  parameters: typeof PARAMETERS,
  check: (parameter: (typeof PARAMETERS)[number]) => Promise<void>,
) =>
  unchanged(() => everyRow(parameters, check, ({ one, name }) => `${name} of ${one.operationId}`));

describe("a query parameter", () => {
  test("given twice is refused", () =>
    everyParameter(
      PARAMETERS.filter(({ name }) => name !== "destinationCurrency"),
      async ({ name, one }) => {
        const answer = await ask(one, `${knownPath(one, ids)}?${name}=1&${name}=1`);
        expectRefused(answer, { status: 400, code: "INVALID_INPUT", field: name });
      },
    ));

  test("of any text causes no bug", () =>
    everyParameter(PARAMETERS, async ({ name, one }) => {
      const texts = ["", "%00", "%", "%zz", "%ff", "__proto__", "x".repeat(10_000), "-1", "1e400"];
      for (const text of [...texts, "9000000000000000", "%F0%9F%98%80", "null", "[]", "a%26b"]) {
        const answer = await ask(one, `${knownPath(one, ids)}?${name}=${text}`);
        expect([200, 400, 404]).toContain(answer.status);
        if (answer.status >= 400) expectErrorShape(answer);
      }
    }));

  test("that is unknown is ignored", () =>
    everyRow(
      OPERATIONS.filter(({ query }) => query.length > 0),
      async (one) => {
        const queryOf = { ...NEEDED_QUERIES, ...BUSINESS_QUERIES }[one.operationId];
        const needed = `${knownPath(one, ids)}?${queryOf?.(ids) ?? ""}`;
        const plain = await ask(one, needed);
        const noisy = await ask(one, `${needed}&unheardOf=1&__proto__=2&&=&x`);
        // Each lookup has an id of its own, so it is left out.
        const same = ({ lookupId: _own, ...rest }: Answer["body"]) => rest;
        expect({ status: noisy.status, body: same(noisy.body) }).toEqual({
          status: 200,
          body: same(plain.body),
        });
      },
      ({ operationId }) => operationId,
    ));
});
