import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { EXECUTE, fixtureOf, named, PAYING, QUOTE, request, seed, the } from "./setup/seeding.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const idOf = (kind: string) => expect.stringMatching(new RegExp(`^${kind}:[0-9a-f-]{36}$`));

test("every step is reported, and the ids of the named ones are there", async () => {
  const { status, body } = await seed(world, fixtureOf(...PAYING("003"), QUOTE, EXECUTE));
  expect(status).toBe(200);
  const { ada, usd, payee, quote } = body.names;
  expect(body).toEqual({
    fixture: "f",
    steps: [
      { name: "ada", method: "POST", path: "/customers", status: 201, id: ada },
      {
        name: "usd",
        method: "GET",
        path: `/customers/internal-accounts?customerId=${ada}&currency=USD`,
        status: 200,
        id: usd,
      },
      {
        method: "POST",
        path: `/sandbox/internal-accounts/${usd}/fund`,
        status: 200,
        id: usd,
      },
      {
        name: "payee",
        method: "POST",
        path: "/customers/external-accounts",
        status: 201,
        id: payee,
      },
      { name: "quote", method: "POST", path: "/quotes", status: 201, id: quote },
      { method: "POST", path: `/quotes/${quote}/execute`, status: 200, id: quote },
    ],
    names: {
      ada: idOf("Customer"),
      usd: idOf("InternalAccount"),
      payee: idOf("ExternalAccount"),
      quote: idOf("Quote"),
    },
  });
  expect((await world.call("GET", `/quotes/${quote}`)).body.status).toBe("PROCESSING");
  expect((await world.control("GET", "/timers")).body.data).toHaveLength(1);
});

test("a world of the package is put in by its name, also a second time", async () => {
  const first = await world.control("POST", "/seed", { name: "payouts-demo" });
  const second = await world.control("POST", "/seed", { name: "payouts-demo" });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(4);
  expect(first.body.names.ada).not.toBe(second.body.names.ada);
});

test("configuration and rates come first, and are reported like steps", async () => {
  const { body } = await seed(world, {
    name: "f",
    steps: [named("rates", request("GET", "/_sim/rates"))],
    rates: { EUR: "0.5" },
    config: { umaDomain: "pay.shop.test" },
  });
  expect(body.steps).toEqual([
    { method: "PATCH", path: "/config", status: 200, id: idOf("PlatformConfig") },
    { method: "PUT", path: "/_sim/rates", status: 200 },
    { name: "rates", method: "GET", path: "/_sim/rates", status: 200 },
  ]);
  expect((await world.call("GET", "/config")).body.umaDomain).toBe("pay.shop.test");
  expect((await world.control("GET", "/rates")).body.perUsd.EUR).toBe("0.5");
});

test("a fixture sets what only the provider of a currency does", async () => {
  const usd = { currencyCode: "USD", minAmount: 100, maxAmount: 10_000 };
  const { body } = await seed(world, {
    name: "f",
    config: {
      supportedCurrencies: [{ ...usd, providerRequiredCustomerFields: ["BIRTH_DATE"] }],
    },
  });
  expect(body.steps.map(({ path }: { path: string }) => path)).toEqual(["/config", "/_sim/config"]);
  const { supportedCurrencies } = (await world.call("GET", "/config")).body;
  expect(supportedCurrencies).toMatchObject([
    { ...usd, providerRequiredCustomerFields: ["BIRTH_DATE"] },
  ]);
  const refused = await world.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    currencies: ["USD"],
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "MISSING_MANDATORY_USER_INFO" } });
});

// spec/config.md#regulated-platform
test("a fixture says whether the platform is a regulated institution", async () => {
  await seed(world, { name: "f", config: { isRegulatedFinancialInstitution: true } });
  expect((await world.call("GET", "/config")).body.isRegulatedFinancialInstitution).toBe(true);
  const { body } = await world.call("POST", "/customers", { customerType: "BUSINESS" });
  expect(body.kybStatus).toBe("APPROVED");
});

describe("references", () => {
  test("a text that is nothing else keeps the type of what it names", async () => {
    const { body } = await seed(
      world,
      fixtureOf(
        ...PAYING("999"),
        request("POST", `/sandbox/internal-accounts/${the("usd.data.0.id")}/fund`, {
          body: { amount: the("usd.data.0.balance.currency.decimals") },
        }),
        named("funded", request("GET", `/customers/internal-accounts?customerId=${the("ada.id")}`)),
      ),
    );
    const { body: account } = await world.call(
      "GET",
      `/customers/internal-accounts?customerId=${body.names.ada}&currency=USD`,
    );
    expect(account.data[0].balance.amount).toBe(100_002);
  });

  test("a whole object can be meant", async () => {
    const address = { line1: "4 rue des Lilas", postalCode: "69003", country: "FR" };
    const individual = { customerType: "INDIVIDUAL" };
    const { body } = await seed(
      world,
      fixtureOf(
        named("one", request("POST", "/customers", { body: { ...individual, address } })),
        named(
          "two",
          request("POST", "/customers", { body: { ...individual, address: the("one.address") } }),
        ),
      ),
    );
    const { body: customer } = await world.call("GET", `/customers/${body.names.two}`);
    expect(customer.address).toEqual(address);
  });

  test("inside of a text they are part of it; after two dollars there is none", async () => {
    const fullName = `of ${the("home.umaDomain")}, $${the("x")}`;
    const { body } = await seed(
      world,
      fixtureOf(
        named("home", request("GET", "/config")),
        named(
          "ada",
          request("POST", "/customers", { body: { customerType: "INDIVIDUAL", fullName } }),
        ),
      ),
    );
    const { body: customer } = await world.call("GET", `/customers/${body.names.ada}`);
    expect(customer.fullName).toBe(`of pay.sandbox.test, ${the("x")}`);
  });

  test("in a path they are percent-encoded", async () => {
    const strange = { customerType: "INDIVIDUAL", platformCustomerId: "a/b?c=d&e#f g" };
    const { body } = await seed(
      world,
      fixtureOf(
        named("made", request("POST", "/customers", { body: strange })),
        named(
          "found",
          request("GET", `/customers?platformCustomerId=${the("made.platformCustomerId")}`),
        ),
      ),
    );
    expect(body.names.found).toBe(body.names.made);
  });

  test("headers hold them too: one key, one quote", async () => {
    const headers = { "Idempotency-Key": `key of ${the("ada.id")}` };
    const quote = (name: string) => ({ name, request: { ...QUOTE.request, headers } });
    const { body } = await seed(world, fixtureOf(...PAYING("999"), quote("one"), quote("two")));
    expect(body.names.two).toBe(body.names.one);
  });
});

test("an expected refusal is a step like any other", async () => {
  const again = request("POST", `/quotes/${the("quote.id")}/execute`, { expect: 409 });
  const { status, body } = await seed(world, fixtureOf(...PAYING("999"), QUOTE, EXECUTE, again));
  expect(status).toBe(200);
  expect(body.steps.at(-1)).toMatchObject({ method: "POST", status: 409 });
});

test("an operator's hook is called as an operator would call it", async () => {
  const { body } = await seed(
    world,
    fixtureOf(
      ...PAYING("999"),
      request("PATCH", `/_sim/customers/${the("ada.id")}`, { body: { kycStatus: "REJECTED" } }),
      named("refused", request("POST", "/quotes", { ...QUOTE.request, expect: 403 })),
    ),
  );
  expect((await world.call("GET", `/customers/${body.names.ada}`)).body.kycStatus).toBe("REJECTED");
});

test("credentials of its own are sent in place of the world's", async () => {
  const headers = { authorization: "Basic bm86Ym9keQ==" };
  const { status } = await seed(
    world,
    fixtureOf(request("GET", "/config", { headers, expect: 401 })),
  );
  expect(status).toBe(200);
});

test("a clock step makes what is due happen, and its webhooks are delivered", async () => {
  const receiver = await new Receiver().start();
  const { status, body } = await seed(world, {
    ...fixtureOf(...PAYING("003"), { advance: "1h" }, QUOTE, EXECUTE, { advance: "6m" }),
    config: { webhookEndpoint: receiver.url },
  });
  expect(status).toBe(200);
  const steps = body.steps.filter((step: object) => "advance" in step);
  expect(steps).toEqual([
    { advance: "1h", to: "2026-01-05T10:00:00.000Z", firedCount: 0, webhookCount: 0 },
    { advance: "6m", to: "2026-01-05T10:06:00.000Z", firedCount: 1, webhookCount: 6 },
  ]);
  const sent = receiver.received.filter(({ type }) => type.startsWith("OUTGOING"));
  expect(sent.map(({ type, timestamp }) => ({ type, timestamp }))).toEqual([
    { type: "OUTGOING_PAYMENT.PENDING", timestamp: "2026-01-05T10:00:00.000Z" },
    { type: "OUTGOING_PAYMENT.PROCESSING", timestamp: "2026-01-05T10:00:00.000Z" },
    { type: "OUTGOING_PAYMENT.COMPLETED", timestamp: "2026-01-05T10:06:00.000Z" },
  ]);
  // The dryRun sent nothing: no event came twice.
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
  await receiver.stop();
});

test("the dryRun takes no ids: who does the same by hand gets the same ones", async () => {
  const { body } = await seed(world, fixtureOf(...PAYING("999")));
  const byHand = await startTestSimulator();
  const { body: customer } = await byHand.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
  });
  expect(body.names.ada).toBe(customer.id);
  await byHand.sim.close();
});

test("two at once are put in one after the other", async () => {
  const make = (id: string) =>
    fixtureOf(
      request("POST", "/customers", {
        body: { customerType: "INDIVIDUAL", platformCustomerId: id },
      }),
    );
  const [first, second] = await Promise.all([seed(world, make("x")), seed(world, make("x"))]);
  expect([first.status, second.status]).toEqual([200, 400]);
  expect(second.body.error.message).toContain("409 CONFLICT PLATFORM_CUSTOMER_ID_EXISTS");
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(1);
});

describe("troubles of a fixture", () => {
  const TROUBLED = {
    ...fixtureOf(...PAYING("999"), QUOTE, EXECUTE),
    troubles: [
      { do: "drop", type: "OUTGOING_PAYMENT.PROCESSING" },
      { do: "delay", type: "OUTGOING_PAYMENT.COMPLETED", by: "1h" },
    ],
  };

  test("are set before its steps, and again after a reset", async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    const config = { webhookEndpoint: receiver.url };
    const other = await startTestSimulator({ fixture: { ...TROUBLED, config } });
    onTestFinished(() => other.sim.close());
    const shown = async () => {
      const { body } = await other.control("GET", "/webhooks/troubles");
      return body.data.map((one: { do: string; met: number; byMs?: number }) => [
        one.do,
        one.met,
        one.byMs,
      ]);
    };
    const expected = [
      ["drop", 1, undefined],
      ["delay", 1, 3_600_000],
    ];
    expect(await shown()).toEqual(expected);
    const { body: webhooks } = await other.control("GET", "/webhooks");
    const states = webhooks.data.filter(({ trouble }: { trouble?: string }) => trouble);
    expect(states.map(({ trouble, state }: Record<string, string>) => [trouble, state])).toEqual([
      ["delayed", expect.any(String)],
      ["dropped", "DROPPED"],
    ]);
    await other.control("POST", "/webhooks/troubles", { do: "hold" });
    await other.control("POST", "/reset");
    expect(await shown()).toEqual(expected);
  });

  test("that no event has is refused at its place, and changes nothing", async () => {
    const fixture = { ...TROUBLED, troubles: [{ do: "hold", type: "OUTGOING_PAYMENT.PAID" }] };
    const { status, body } = await seed(world, fixture);
    expect(status).toBe(400);
    expect(body.error.details.field).toMatch(/^fixture\.troubles\.0/);
    expect((await world.call("GET", "/customers")).body.data).toEqual([]);
  });
});
