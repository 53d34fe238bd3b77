import { expect, test } from "vitest";
import type { CallDetails } from "../../src/contract/control/requests.ts";
import { type Done, readCutJson, recordedScenario } from "../../src/scripts/record-scenario.ts";
import { checkScenario } from "../../src/scripts/scenario-check.ts";

const CUSTOMER = "Customer:019b928f-6630-7000-8003-754c62b93ca4";
const REQUEST = "Request:019b928f-6630-7000-8003-754c62b93ca5";

const call = (members: Partial<CallDetails>): CallDetails => ({
  id: "req-1-1",
  at: "2026-01-05T09:00:00.000Z",
  method: "GET",
  path: "/config",
  operation: "getConfig",
  status: 200,
  tookMs: 1,
  caused: [],
  ...members,
});

const created = (members: Partial<CallDetails> = {}) =>
  call({
    method: "POST",
    path: "/customers",
    operation: "createCustomer",
    status: 201,
    requestBody: '{"customerType":"INDIVIDUAL"}',
    responseBody: `{"id":"${CUSTOMER}","kycStatus":"APPROVED"}`,
    ...members,
  });

const recorded = async (
  calls: readonly CallDetails[],
  {
    now = "2026-01-05T09:00:00.000Z",
    clock = "manual",
  }: { now?: string; clock?: Done["clock"] } = {},
) => {
  const { scenario, notes } = recordedScenario(
    { name: "s", calls, now, clock },
    await readCutJson(),
  );
  expect(() => checkScenario(scenario)).not.toThrow();
  return { steps: scenario.steps, notes };
};

test("an id becomes a reference to the step that answered it, in paths, queries and bodies", async () => {
  const { steps } = await recorded([
    created(),
    call({ path: `/customers/${CUSTOMER}`, operation: "getCustomer" }),
    call({
      path: "/customers/internal-accounts",
      query: `customerId=${encodeURIComponent(CUSTOMER)}&currency=USD`,
      operation: "listCustomerInternalAccounts",
    }),
    call({
      method: "POST",
      path: "/quotes",
      operation: "createQuote",
      requestBody: `{"source":{"customerId":"${CUSTOMER}"},"description":"for ${CUSTOMER}: \${5}"}`,
    }),
  ]);
  expect(steps).toEqual([
    {
      name: "customer",
      request: { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } },
      expect: { status: 201 },
    },
    {
      request: { method: "GET", path: "/customers/${customer.id}" },
      expect: { status: 200 },
    },
    {
      request: {
        method: "GET",
        path: "/customers/internal-accounts?customerId=${customer.id}&currency=USD",
      },
      expect: { status: 200 },
    },
    {
      request: {
        method: "POST",
        path: "/quotes",
        body: {
          source: { customerId: "${customer.id}" },
          description: "for ${customer.id}: $${5}",
        },
      },
      expect: { status: 200 },
    },
  ]);
});

test("an id in an answer that was cut off is found, one that the cut hit is not", async () => {
  const { steps } = await recorded([
    created({ responseBody: `{"data":[{"id":"${CUSTOMER}"},{"id":"Customer:019b928f-66…` }),
    call({ path: `/customers/${CUSTOMER}` }),
  ]);
  expect(steps[1]).toMatchObject({ request: { path: "/customers/${customer.data.0.id}" } });
});

test.each([
  { clock: "manual", to: "2026-01-05T09:06:00.000Z", advance: "6m" },
  { clock: "manual", to: "2026-01-05T09:00:01.500Z", advance: "1s500ms" },
  { clock: "real", to: "2026-01-05T09:06:04.250Z", advance: "6m4s" },
  { clock: "real", to: "2026-01-05T09:00:59.000Z", advance: undefined },
  { clock: "awaited", to: "2026-01-05T09:00:59.250Z", advance: "59s" },
  { clock: "awaited", to: "2026-01-05T09:00:00.900Z", advance: undefined },
] as const)("time until $to becomes $advance, clock: $clock", async ({ clock, to, advance }) => {
  const { steps } = await recorded([call({}), call({ at: to })], { clock, now: to });
  expect(steps.filter((step) => "advance" in step)).toEqual(
    advance === undefined ? [] : [{ advance }],
  );
});

test("time after the last call is a clock step too", async () => {
  const { steps } = await recorded([call({})], { now: "2026-01-05T10:00:00.000Z" });
  expect(steps.at(-1)).toEqual({ advance: "1h" });
});

test("a signed retry has the request id of its challenge, and a signature that the sandbox takes", async () => {
  const patch = { method: "PATCH", path: "/cards/Card:1", operation: "patchCard" };
  const body = { requestBody: '{"state":"FROZEN"}' };
  const { steps } = await recorded([
    call({ ...patch, ...body, status: 202, responseBody: `{"requestId":"${REQUEST}"}` }),
    call({ ...patch, ...body }),
  ]);
  expect(steps).toMatchObject([
    { name: "card", request: { path: "/cards/Card:1" } },
    {
      request: {
        headers: {
          "Request-Id": "${card.requestId}",
          "Service-Wallet-Signature": "sandbox-valid-signature",
        },
      },
    },
  ]);
});

test("an agent's calls have its token, and the device code is that of the agent", async () => {
  const { steps } = await recorded([
    call({
      method: "POST",
      path: "/agents",
      operation: "createAgent",
      status: 201,
      responseBody: '{"agent":{"id":"Agent:1"},"deviceCode":{"code":"[redacted]"}}',
    }),
    call({
      method: "POST",
      path: "/agents/device-codes/[redacted]/redeem",
      operation: "redeemDeviceCode",
      responseBody: '{"accessToken":"[redacted]"}',
    }),
    call({ path: "/agents/me", operation: "agentGetMe" }),
  ]);
  expect(steps).toMatchObject([
    { name: "agent" },
    {
      name: "deviceCode",
      request: { path: "/agents/device-codes/${agent.deviceCode.code}/redeem" },
    },
    { request: { headers: { authorization: "Bearer ${deviceCode.accessToken}" } } },
  ]);
});

test("a proof of a wallet's owner is the one that the sandbox takes; another secret is named", async () => {
  const { steps, notes } = await recorded([
    call({
      method: "POST",
      path: "/auth/credentials/AuthMethod:1/verify",
      operation: "verifyCredential",
      requestBody: '{"type":"EMAIL_OTP","otp":"[redacted]","clientPublicKey":"04ab"}',
    }),
    call({ method: "POST", path: "/x", requestBody: '{"pin":"[redacted]"}' }),
  ]);
  expect(steps[0]).toMatchObject({ request: { body: { otp: "000000", clientPublicKey: "04ab" } } });
  expect(notes).toEqual(["req-1-1: pin was a secret; write it into the file"]);
});

test("a HEAD becomes the GET that it stands for", async () => {
  const { steps, notes } = await recorded([call({ method: "HEAD" })]);
  expect(steps).toMatchObject([{ request: { method: "GET", path: "/config" } }]);
  expect(notes).toEqual([]);
});

test.each([
  { what: { requestBody: '{"a":"b…' }, why: "its body is longer than the log keeps" },
  {
    what: { requestBody: '{"file":{"fileName":"a.pdf","sizeBytes":5}}' },
    why: "the log does not store files",
  },
  { what: { fault: "Fault:1" }, why: "a fault changed it" },
])("a call is left out: $why", async ({ what, why }) => {
  const { steps, notes } = await recorded([call(what), call({ id: "req-1-2" })]);
  expect(steps).toHaveLength(1);
  expect(notes).toEqual([`req-1-1 (GET /config) is left out: ${why}`]);
});

test("what an answer was is expected again: its status, and the code of a refusal", async () => {
  const { steps } = await recorded([
    call({ status: 404, responseBody: '{"code":"QUOTE_NOT_FOUND","status":404}' }),
    call({ responseBody: '{"status":"PENDING"}' }),
  ]);
  expect(steps.map((step) => "expect" in step && step.expect)).toEqual([
    { status: 404, body: { code: "QUOTE_NOT_FOUND" } },
    { status: 200, body: { status: "PENDING" } },
  ]);
});

test("polls that come faster than every second add up", async () => {
  const at = (ms: number) => new Date(Date.parse("2026-01-05T09:00:00.000Z") + ms).toISOString();
  const calls = [0, 400, 800, 1_200, 1_600, 2_000, 2_400].map((ms) => call({ at: at(ms) }));
  const { steps } = await recorded(calls, { clock: "awaited", now: at(2_400) });
  expect(steps.flatMap((step) => ("advance" in step ? [step.advance] : []))).toEqual(["1s", "1s"]);
});
