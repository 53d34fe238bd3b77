import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { OPERATIONS } from "../api/setup/every-operation.ts";
import { answered, answering, createRecipient, receive } from "../api/setup/incoming.ts";
import { headersOf, type KnownIds, knownPath } from "../api/setup/populated.ts";
import { everyRow } from "../setup/every-row.ts";
import { Receiver } from "../setup/receiver.ts";
import { BASE, jsonLines, rawPlatform } from "./setup/raw-platform.ts";
import { bytesOf, exchange, RawSocket } from "./setup/raw-socket.ts";

const platform = rawPlatform();
const { ask, ids, world } = platform;

const MEBIBYTE = 1024 * 1024;

// spec/errors.md#ids-in-a-path
describe("an id in a path", () => {
  const FORMS: { form: string; written: (id: string) => string }[] = [
    { form: "raw", written: (id) => id },
    { form: "percent-encoded in capitals", written: (id) => id.replace(":", "%3A") },
    { form: "percent-encoded in small letters", written: (id) => id.replace(":", "%3a") },
    {
      form: "percent-encoded as a whole",
      written: (id) => id.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    },
  ];
  const PLACES = [
    { path: "/customers/{}", id: "customerId" },
    { path: "/quotes/{}", id: "quoteId" },
    { path: "/transactions/{}", id: "transactionId" },
    { path: "/cards/{}", id: "cardId" },
    { path: "/agents/{}", id: "agentId" },
  ];
  const rows = PLACES.flatMap((place) => FORMS.map((form) => ({ ...place, ...form })));

  test("is found in every form", () =>
    everyRow(rows, async ({ path, id, written }) => {
      const wanted = ids()[id] ?? "";
      const answer = await ask(path.replace("{}", written(wanted)));
      expect([answer.status, JSON.parse(answer.body).id]).toEqual([200, wanted]);
    }));

  test.each(FORMS)("is one path under an idempotency key: $form", async ({ written }) => {
    const key = ["idempotency-key: k1"];
    const request = { method: "POST", headers: key };
    const first = await ask(`/quotes/${ids().quoteId}/execute`, request);
    const again = await ask(`/quotes/${written(ids().quoteId ?? "")}/execute`, request);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toBe(first.body);
  });
});

// spec/lists.md#query-parameters
describe("the list in a query", () => {
  test.each([
    { query: "destinationCurrency=EUR&destinationCurrency=MXN", codes: ["EUR", "MXN"] },
    { query: "destinationCurrency=EUR,MXN", codes: ["EUR", "MXN"] },
    { query: "destinationCurrency=EUR%2CMXN", codes: ["EUR", "MXN"] },
    { query: "destinationCurrency=EUR,MXN&destinationCurrency=BRL", codes: ["BRL", "EUR", "MXN"] },
    { query: "destinationCurrency=EUR&destinationCurrency=EUR", codes: ["EUR"] },
    { query: "destinationCurrency=EUR", codes: ["EUR"] },
  ])("$query names $codes", async ({ query, codes }) => {
    const answer = await ask(`/exchange-rates?sourceCurrency=USD&${query}`);
    expect(answer.status).toBe(200);
    const found = JSON.parse(answer.body).data as { destinationCurrency: { code: string } }[];
    const named = new Set(found.map(({ destinationCurrency }) => destinationCurrency.code));
    expect([...named].sort()).toEqual(codes);
  });

  test.each(["destinationCurrency[]=EUR", "destinationCurrency%5B%5D=EUR", "other=EUR"])(
    "%s is another parameter, which is ignored",
    async (query) => {
      const answer = await ask(`/exchange-rates?sourceCurrency=USD&${query}`);
      const whole = await ask("/exchange-rates?sourceCurrency=USD");
      expect([answer.status, answer.body]).toEqual([200, whole.body]);
    },
  );

  const single = OPERATIONS.flatMap(({ method, path, query, calledBy, params }) =>
    method === "GET" && calledBy === "platform" && params.length === 0
      ? query
          .filter((name) => name !== "destinationCurrency")
          .map((name) => ({ path, name, query: `${name}=1&${name}=1` }))
      : [],
  );

  test("is the only parameter that is taken twice", () =>
    everyRow(single, async ({ path, name, query }) => {
      const answer = await ask(`${path}?${query}`);
      expect([answer.status, JSON.parse(answer.body).details.field]).toEqual([400, name]);
    }));
});

// spec/errors.md#body-rules
describe("a body that may be absent", () => {
  const FORMS = [
    { form: "no length", headers: [], body: "" },
    { form: "a length of 0", headers: ["content-length: 0"], body: "" },
    { form: "a type alone", headers: ["content-type: application/json"], body: "" },
    { form: "no chunk", headers: ["transfer-encoding: chunked"], body: "0\r\n\r\n" },
    { form: "an empty object", headers: jsonLines("{}"), body: "{}" },
  ];
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await new Receiver().start();
    receiver.behaviour = answering(answered(202));
  });
  afterEach(() => receiver.stop());

  /** A payment that waits for the platform's approval. */
  const incoming = async () => {
    await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const recipient = await createRecipient(world());
    const { status, body } = await receive(world(), recipient);
    expect(status, body.message).toBe(200);
    return { transactionId: body.id };
  };
  const OPTIONAL: {
    operation: string;
    status: number;
    own?: () => Promise<KnownIds>;
  }[] = [
    { operation: "approveAgentAction", status: 200 },
    { operation: "rejectAgentAction", status: 200 },
    { operation: "createAgentDeviceCode", status: 201 },
    { operation: "redeemDeviceCode", status: 200 },
    { operation: "agentExecuteQuote", status: 200 },
    {
      operation: "challengeCredential",
      status: 200,
      own: async () => ({ passkeyId: ids().credentialId ?? "" }),
    },
    { operation: "cancelInvitation", status: 200 },
    { operation: "createKycLink", status: 201 },
    { operation: "executeQuote", status: 200 },
    { operation: "approveTransaction", status: 200, own: incoming },
    { operation: "rejectTransaction", status: 200, own: incoming },
    { operation: "sendTestWebhook", status: 400 }, // WEBHOOK_ENDPOINT_NOT_SET
  ];
  /** The first operation in every form, each other one in one of them. */
  const rows = OPTIONAL.flatMap((one, at) =>
    FORMS.filter((_form, form) => at === 0 || form === at % FORMS.length).map((form) => ({
      ...one,
      ...form,
    })),
  );

  test("is that of every POST without a required member", () => {
    const optional = PLATFORM_ENDPOINTS.filter(({ method }) => method === "POST")
      .filter(({ body }) => !body || body.safeParse(undefined).success)
      .map(({ operationId }) => operationId);
    expect(OPTIONAL.map(({ operation }) => operation).sort()).toEqual(optional.sort());
  });

  test.each(rows)("$operation with $form is $status", async ({ operation, own, ...row }) => {
    const one = OPERATIONS.find(({ operationId }) => operationId === operation);
    if (!one) throw new Error(`Expected an operation but found ${operation}`);
    const { authorization } = headersOf(one, ids());
    const line = authorization === undefined ? platform.authorization() : undefined;
    const bearer = authorization ? [`authorization: ${authorization}`] : [];
    const answer = await exchange(platform.port(), {
      method: "POST",
      target: BASE + knownPath(one, { ...ids(), ...(await own?.()) }),
      headers: [...(line === undefined ? bearer : [line]), ...row.headers],
      body: row.body,
    });
    expect(answer.status, answer.body).toBe(row.status);
  });

  test.each(FORMS.slice(0, 4))("is missed where it is required: $form", async (form) => {
    const answer = await ask("/customers", { method: "POST", ...form });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, details: { field: "body" } });
  });
});

test.each([
  { path: "/agents/{agentId}", id: "agentId" },
  { path: "/documents/{documentId}", id: "documentId" },
  { path: "/customers/external-accounts/{externalAccountId}", id: "externalAccountId" },
])("DELETE $path is 204 without a body and without its headers", async ({ path, id }) => {
  const answer = await ask(path.replace(/\{\w+\}/, ids()[id] ?? ""), { method: "DELETE" });
  expect([answer.status, answer.body]).toEqual([204, ""]);
  expect(Object.keys(answer.headers).sort()).toEqual(["connection", "date", "x-sim-request-id"]);
});

// spec/errors.md#response-headers
describe("JSON is answered to a client of", () => {
  const ACCEPTED = [
    { accept: "nothing named", headers: [] },
    { accept: "an empty header", headers: ["accept:"] },
    ...[
      "*/*",
      "application/json",
      "application/json;q=0.5",
      "application/json;q=0",
      "text/html",
      "text/html,application/xhtml+xml,*/*;q=0.8",
      "application/vnd.x+json",
      "image/png",
      "not a media type",
    ].map((accept) => ({ accept, headers: [`accept: ${accept}`] })),
  ];
  const CALLS = [
    { method: "GET", target: "/config", status: 200 },
    { method: "POST", target: "/customers", status: 201, body: '{"customerType":"INDIVIDUAL"}' },
    { method: "GET", target: "/quotes/Quote:none", status: 404 },
    { method: "GET", target: "/nothing", status: 404 },
    { method: "PUT", target: "/config", status: 405 },
    { method: "POST", target: "/customers", status: 400, body: "{" },
  ];

  test.each(ACCEPTED)("$accept", async ({ headers }) => {
    for (const { target, status, body = "", ...call } of CALLS) {
      const answer = await ask(target, {
        ...call,
        body,
        headers: [...jsonLines(body), ...headers],
      });
      const { "content-type": type } = answer.headers;
      expect([answer.status, type], target).toEqual([status, "application/json"]);
      expect(() => JSON.parse(answer.body)).not.toThrow();
    }
  });
});

describe("Expect: 100-continue", () => {
  const BODY = '{"customerType":"INDIVIDUAL"}';
  const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  const head = ({ path = "/customers", length = BODY.length, auth = platform.authorization() }) =>
    bytesOf({
      method: "POST",
      target: BASE + path,
      headers: ["host: a", auth, "Expect: 100-continue", `content-length: ${length}`],
    });

  test("is answered before the body comes, and the answer behind it", async () => {
    const socket = new RawSocket(platform.port());
    socket.write(head({}));
    await socket.until(/\r\n\r\n/);
    expect(socket.text).toBe(CONTINUE);
    socket.write(BODY);
    await socket.until(/"customerType":"INDIVIDUAL"/);
    expect(socket.text.slice(CONTINUE.length)).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    socket.destroy();
  });

  test.each([
    { why: "its size", status: 413, code: "PAYLOAD_TOO_LARGE", given: { length: 2 * MEBIBYTE } },
    {
      why: "its credentials",
      status: 401,
      code: "UNAUTHORIZED",
      given: { auth: "authorization: Basic bm9uZTpub25l" },
    },
    { why: "its path", status: 404, code: "REFERENCE_NOT_FOUND", given: { path: "/nothing" } },
    { why: "its method", status: 405, code: "METHOD_NOT_ALLOWED", given: { path: "/cards/x" } },
  ])("of a request refused for $why: $status without waiting for the body", async (row) => {
    const socket = new RawSocket(platform.port());
    socket.write(head(row.given));
    await socket.until(new RegExp(`"code":"${row.code}"`));
    expect(socket.text.startsWith(`${CONTINUE}HTTP/1.1 ${row.status} `)).toBe(true);
    // The body that was promised is passed over, and the connection continues.
    socket.write("x".repeat(row.given.length ?? BODY.length));
    socket.write(
      bytesOf({
        target: `${BASE}/config`,
        headers: ["host: a", platform.authorization(), "connection: close"],
      }),
    );
    expect(await socket.closed()).toContain('"umaDomain"');
  });
});

test.each(["the-unexpected", "100-continue, more", ""])(
  "an expectation %j that is unknown changes nothing",
  async (expectation) => {
    const answer = await ask("/config", { headers: [`expect: ${expectation}`] });
    expect([answer.status, JSON.parse(answer.body).umaDomain]).toEqual([200, "pay.sandbox.test"]);
  },
);

test.each([
  { of: "a path below neither surface", target: "/nothing", status: 404 },
  { of: "a path that is not percent-encoded", target: `${BASE}/quotes/%`, status: 400 },
])("a reply to $of has no request id", async ({ target, status }) => {
  const answer = await exchange(platform.port(), { target });
  expect([answer.status, answer.headers["x-sim-request-id"]]).toEqual([status, undefined]);
});

// Behavior that stays: nothing here is corrected for a client.
describe("a request that is written another way", () => {
  test.each([
    { way: "a slash at its end", target: `${BASE}/config/`, status: 404 },
    { way: "two slashes at its start", target: `/${BASE}/config`, status: 404 },
    { way: "two slashes behind the version", target: `${BASE}//config`, status: 404 },
    { way: "two slashes before an id", target: `${BASE}/quotes//x`, status: 404 },
    { way: "capitals in its path", target: `${BASE}/Config`, status: 404 },
    { way: "an encoded slash", target: `${BASE}%2Fconfig`, status: 404 },
  ])("with $way is $status", async ({ target, status }) => {
    const headers = [platform.authorization()];
    const answer = await exchange(platform.port(), { target, headers });
    expect(answer.status).toBe(status);
  });

  test.each([
    { way: "small letters", names: ["content-type", "idempotency-key", "content-length"] },
    { way: "capitals", names: ["CONTENT-TYPE", "IDEMPOTENCY-KEY", "CONTENT-LENGTH"] },
    { way: "mixed letters", names: ["cOnTeNt-TyPe", "Idempotency-KEY", "Content-length"] },
  ])("with headers in $way is the same request", async ({ names: [type, key, length] }) => {
    const { accountId, bankId } = ids();
    const body = JSON.stringify({
      source: { accountId },
      destination: { accountId: bankId },
      amount: 100,
    });
    const pay = () =>
      ask("/transfer-out", {
        method: "POST",
        headers: [`${type}: application/json`, `${key}: k1`, `${length}: ${body.length}`],
        body,
      });
    const first = await pay();
    expect(first.status, first.body).toBe(201);
    expect((await pay()).body).toBe(first.body);
  });

  test.each([
    { way: "one chunk", chunks: ['1d\r\n{"customerType":"INDIVIDUAL"}\r\n'] },
    { way: "chunks", chunks: ['10\r\n{"customerType":\r\n', 'd\r\n"INDIVIDUAL"}\r\n'] },
    { way: "chunks with extensions", chunks: ['1D;a=b\r\n{"customerType":"INDIVIDUAL"}\r\n'] },
  ])("with its body in $way is the same request", async ({ chunks }) => {
    const answer = await ask("/customers", {
      method: "POST",
      headers: ["content-type: application/json", "transfer-encoding: chunked"],
      body: `${chunks.join("")}0\r\n\r\n`,
    });
    expect([answer.status, JSON.parse(answer.body).customerType]).toEqual([201, "INDIVIDUAL"]);
  });
});
