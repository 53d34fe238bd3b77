import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import {
  EXECUTE,
  fixtureOf,
  named,
  PAYING,
  QUOTE,
  request,
  seed,
  the,
  worldAsItIs,
} from "./setup/seeding.ts";

let world: TestSimulator;
/** The same world without an attempt to load a fixture. */
let other: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
  other = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await other.sim.close();
});

const customer = (more: object = {}) => ({ body: { customerType: "INDIVIDUAL", ...more } });

/** Refuses a fixture; the world and all its later ids stay the same. */
const refusal = async (fixture: unknown) => {
  const before = await worldAsItIs(world);
  const { status, body } = await seed(world, fixture);
  expect(await worldAsItIs(world)).toEqual(before);
  const make = ({ call }: TestSimulator) => call("POST", "/customers", customer().body);
  expect((await make(world)).body).toEqual((await make(other)).body);
  return { status, ...body.error };
};

const at = (...path: (string | number)[]) => ({
  at: path,
  field: ["fixture", ...path].join("."),
});

describe("what can be told without running it", () => {
  test.each([
    { what: "no object", fixture: 5, ...at(), says: "an object" },
    { what: "no name", fixture: {}, ...at(), says: 'the member "name"' },
    {
      what: "an unknown member",
      fixture: { name: "f", step: [] },
      ...at("step"),
      says: "one of $schema, name,",
    },
    {
      what: "a trouble with an unknown member",
      fixture: { name: "f", troubles: [{ do: "hold" }, { do: "hold", about: "Quote:1" }] },
      ...at("troubles", 1, "about"),
      says: "one of do, type, times, by",
    },
    {
      what: "a span of a trouble that is not a delay",
      fixture: { name: "f", troubles: [{ do: "hold", by: "1h" }] },
      ...at("troubles", 0, "by"),
      says: "by only with delay",
    },
    {
      what: "a wrong type",
      fixture: fixtureOf({ advance: 6 }),
      ...at("steps", 0, "advance"),
      says: "a string",
    },
    {
      what: "an unknown reference",
      fixture: fixtureOf(request("GET", `/quotes/${the("x.id")}`)),
      ...at("steps", 0, "request", "path"),
      says: `an earlier step's name in ${the("x.id")}`,
    },
    {
      what: "a forward reference",
      fixture: fixtureOf(...PAYING("999"), EXECUTE, QUOTE),
      ...at("steps", 4, "request", "path"),
      says: `an earlier step's name in ${the("quote.id")}`,
    },
    {
      what: "a name given twice",
      fixture: fixtureOf(...PAYING("999"), named("ada", request("GET", "/config"))),
      ...at("steps", 4, "name"),
      says: "a name of its own",
    },
    {
      what: "a bad duration",
      fixture: fixtureOf({ advance: "soon" }),
      ...at("steps", 0, "advance"),
      says: "a duration like 90s,",
    },
  ])("$what", async ({ fixture, at, field, says }) => {
    const { status, code, message, details } = await refusal(fixture);
    expect({ status, code }).toEqual({ status: 400, code: "INVALID_INPUT" });
    expect(message).toMatch(/^Expected .+ at fixture.* but found .*[^.]$/);
    expect(message).toContain(`Expected ${says}`);
    expect(details).toMatchObject({ kind: "invalid", at, field });
  });
});

const BAD_CLABE = { accountType: "MXN_ACCOUNT", clabeNumber: "12" };

describe("what its dryRun meets, after steps that went well", () => {
  test.each([
    {
      what: "the platform refuses",
      steps: [...PAYING("999"), named("quote", request("GET", "/quotes/Quote:none"))],
      ...at("steps", 4, "request", "path"),
      says:
        "Expected step quote, GET /quotes/Quote:none, to answer 2xx at " +
        "fixture.steps.4.request.path but found 404 QUOTE_NOT_FOUND: No quote Quote:none",
    },
    {
      what: "the platform refuses a member of the body",
      steps: [
        ...PAYING("999"),
        request("POST", "/customers/external-accounts", {
          body: { customerId: the("ada.id"), currency: "MXN", accountInfo: BAD_CLABE },
        }),
      ],
      ...at("steps", 4, "request", "body", "accountInfo", "clabeNumber"),
      says: "but found 400 INVALID_INPUT: ",
    },
    {
      what: "a member of the body is missing",
      steps: [
        ...PAYING("999"),
        request("POST", "/customers/external-accounts", {
          body: { customerId: the("ada.id"), currency: "MXN", accountInfo: {} },
        }),
      ],
      ...at("steps", 4, "request", "body", "accountInfo"),
      says: "but found 400 INVALID_INPUT: ",
    },
    {
      what: "money is missing",
      steps: [
        ...PAYING("999"),
        {
          request: {
            ...QUOTE.request,
            body: {
              ...QUOTE.request.body,
              lockedCurrencyAmount: 9_000_000,
              immediatelyExecute: true,
            },
          },
        },
      ],
      ...at("steps", 4, "request", "path"),
      says: "but found 400 AMOUNT_OUT_OF_RANGE INSUFFICIENT_BALANCE: ",
    },
    {
      what: "another answer is expected",
      steps: [...PAYING("999"), request("GET", "/config", { expect: 409 })],
      ...at("steps", 4, "request", "path"),
      says:
        "Expected step 5, GET /config, to answer 409 at fixture.steps.4.request.path " +
        "but found 200",
    },
    {
      what: "no operation is asked for",
      steps: [...PAYING("999"), request("POST", "/costumers", customer())],
      ...at("steps", 4, "request", "path"),
      says: "but found 404 REFERENCE_NOT_FOUND UNKNOWN_OPERATION: ",
    },
    {
      what: "a reference finds nothing",
      steps: [...PAYING("999"), request("GET", `/customers/${the("ada.idd")}`)],
      ...at("steps", 4, "request", "path"),
      says:
        `Expected ${the("ada.idd")} to name a member of what step ada was answered at ` +
        "fixture.steps.4.request.path but found no idd in id, customerType, platformCustomerId, ",
    },
    {
      what: "a header cannot carry a name",
      steps: [
        ...PAYING("999"),
        named("l", request("POST", "/customers", customer({ fullName: "Łukasz" }))),
        request("GET", "/config", { headers: { "x-name": the("l.fullName") } }),
      ],
      ...at("steps", 5, "request", "headers", "x-name"),
      says: "Expected the value of a header, in Latin-1 on one line, at fixture.steps.5.request.",
    },
    {
      what: "an object is put inside of a text",
      steps: [...PAYING("999"), request("GET", `/customers/${the("usd.data.0.balance")}`)],
      ...at("steps", 4, "request", "path"),
      says:
        `Expected ${the("usd.data.0.balance")} inside a text to be a text, a number or a boolean ` +
        "at fixture.steps.4.request.path but found an object",
    },
    {
      what: "credentials are wrong",
      steps: [...PAYING("999"), request("GET", "/config", { headers: { authorization: "x" } })],
      ...at("steps", 4, "request", "path"),
      says: "but found 401 UNAUTHORIZED: The credentials are missing or wrong",
    },
    {
      what: "the clock would leave all calendars",
      steps: [...PAYING("003"), QUOTE, EXECUTE, { advance: "9000000d" }],
      ...at("steps", 6, "advance"),
      says: "Expected the clock to move by 9000000d at fixture.steps.6.advance but found 400 ",
    },
    {
      what: "a hook refuses",
      steps: [
        ...PAYING("999"),
        request("PATCH", `/_sim/customers/${the("ada.id")}`, { body: { kycStatus: "SOSO" } }),
      ],
      ...at("steps", 4, "request", "body", "kycStatus"),
      says: "but found 400 INVALID_INPUT: ",
    },
  ])("$what", async ({ steps, at, field, says }) => {
    const { status, code, message, details } = await refusal(fixtureOf(...steps));
    expect({ status, code }).toEqual({ status: 400, code: "INVALID_INPUT" });
    expect(message).toContain(says);
    expect(details).toMatchObject({ kind: "refused", at, field });
  });

  test.each([
    {
      what: "a configuration",
      fixture: {
        name: "f",
        config: {
          supportedCurrencies: [
            { currencyCode: "USD", minAmount: 1, maxAmount: 2 },
            { currencyCode: "USD", minAmount: 1, maxAmount: 2 },
          ],
        },
      },
      ...at("config", "supportedCurrencies", 1, "currencyCode"),
      says: "Expected PATCH /config to answer 2xx",
    },
    {
      what: "a rate",
      fixture: { name: "f", rates: { EUR: "0.9", MXN: "-1" } },
      ...at("rates", "MXN"),
      says: "Expected PUT /_sim/rates to answer 2xx",
    },
  ])("$what that is refused", async ({ fixture, at, field, says }) => {
    const { message, details } = await refusal(fixture);
    expect(message).toContain(says);
    expect(details).toMatchObject({ kind: "refused", at, field });
  });
});

describe("a fixture does what a client and an operator can, not more", () => {
  test.each([
    { method: "POST", path: "/_sim/reset" },
    { method: "POST", path: "/_sim/seed" },
    { method: "PUT", path: "/_sim/clock" },
    { method: "POST", path: "/_sim/clock/advance" },
    { method: "GET", path: "/_sim/events" },
    { method: "GET", path: "/_sim/rates/../status" },
    { method: "POST", path: "/../_sim/reset" },
    { method: "POST", path: "/customers/../../_sim/reset" },
    { method: "POST", path: "/%2e%2e/_sim/reset" },
    { method: "POST", path: "/_sim/../2025-10-13/customers" },
  ])("$method $path is refused", async ({ method, path }) => {
    const { message } = await refusal(fixtureOf(...PAYING("999"), request(method, path)));
    expect(message).toBe(
      "Expected a request to the platform or to an operator's hook at " +
        `fixture.steps.4.request.path but found ${method} ${path}`,
    );
  });
});

test("nothing is sent to a receiver by what is refused", async () => {
  const receiver = await new Receiver().start();
  const { status } = await seed(world, {
    ...fixtureOf(...PAYING("003"), QUOTE, EXECUTE, { advance: "6m" }, request("GET", "/nothing")),
    config: { webhookEndpoint: receiver.url },
  });
  expect(status).toBe(400);
  await world.sim.advance("1h");
  expect(receiver.received).toEqual([]);
  await receiver.stop();
});

test.each([
  { what: "neither", body: {} },
  { what: "both", body: { name: "default", fixture: { name: "f" } } },
])("a fixture or a name is asked for: $what is refused", async ({ body }) => {
  const { status, body: refused } = await world.control("POST", "/seed", body);
  expect(status).toBe(400);
  expect(refused.error.message).toContain("Expected one of fixture, name and generate");
});

test("a name that is unknown is refused with the known ones; so is a path", async () => {
  for (const name of ["payouts", "./fixtures/worlds/default.json"]) {
    const { status, body } = await world.control("POST", "/seed", { name });
    expect(status).toBe(400);
    expect(body.error.message).toBe(
      `Expected a world bundled with the package (agent-demo, cards-demo, default, empty, payouts-demo, wallet-demo) but found "${name}"`,
    );
  }
});
