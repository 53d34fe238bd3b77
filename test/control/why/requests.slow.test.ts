import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const list = async (query = "") => (await world.control("GET", `/requests${query}`)).body;

const show = (id: string) => world.control("GET", `/requests/${id}`);

const idOf = (answer: { headers: Headers }) => answer.headers.get("x-sim-request-id") ?? "";

/** Makes a number of requests without effects. */
const look = async (count: number) => {
  for (let made = 0; made < count; made += 1) await world.call("GET", "/config");
};

test("calls of the platform are listed newest first, with what each one caused", async () => {
  const { accountId, customerId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "003");
  const quote = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  const path = `/quotes/${quote.body.id}/execute`;
  const executed = await world.call("POST", path);
  const refused = await world.call("POST", path);
  const { data } = await list("?limit=2");
  expect(data).toEqual([
    {
      id: idOf(refused),
      at: "2026-01-05T09:00:00.000Z",
      method: "POST",
      path,
      operation: "executeQuote",
      status: 409,
      tookMs: expect.any(Number),
      error: { code: "CONFLICT", reason: "QUOTE_ALREADY_EXECUTED" },
      caused: [],
    },
    {
      id: idOf(executed),
      at: "2026-01-05T09:00:00.000Z",
      method: "POST",
      path,
      operation: "executeQuote",
      status: 200,
      rules: ["quotedPayment.003"],
      tookMs: expect.any(Number),
      caused: expect.arrayContaining([
        quote.body.id,
        quote.body.transactionId,
        `payment.settle ${quote.body.transactionId}`,
        expect.stringMatching(/^Webhook:/),
      ]),
    },
  ]);
});

test("calls of the control surface are left out", async () => {
  await world.control("GET", "/status");
  await look(1);
  await world.control("POST", "/clock/advance", { by: "1s" });
  expect((await list()).data.map(({ path }: Parsed) => path)).toEqual(["/config"]);
});

test("what is refused before any operation is listed too", async () => {
  await world.call("GET", "/nothing");
  await world.raw("GET", "/config", { headers: { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" } });
  const { data } = await list();
  expect(data).toMatchObject([
    { path: "/config", operation: "getConfig", status: 401, error: { code: "UNAUTHORIZED" } },
    { path: "/nothing", status: 404, error: { reason: "UNKNOWN_OPERATION" } },
  ]);
  expect(data[1]).not.toHaveProperty("operation");
});

test("pages hold every request once, also while others come in", async () => {
  await look(7);
  const seen: string[] = [];
  let query = "?limit=3";
  for (;;) {
    const page = await list(query);
    seen.push(...page.data.map(({ id }: Parsed) => id));
    if (!page.hasMore) break;
    await look(1);
    query = `?limit=3&cursor=${page.nextCursor}`;
  }
  expect(seen).toHaveLength(7);
  expect(new Set(seen).size).toBe(7);
});

test.each([
  { query: "?status=404", paths: ["/quotes/none"] },
  { query: "?status=4xx", paths: ["/quotes/none", "/customers"] },
  { query: "?operation=getConfig", paths: ["/config"] },
  { query: "?method=post", paths: ["/customers"] },
  { query: "?method=GET&status=2xx", paths: ["/config"] },
  { query: "?status=5xx", paths: [] },
])("$query shows only what fits", async ({ query, paths }) => {
  await world.call("GET", "/config");
  await world.call("POST", "/customers", {});
  await world.call("GET", "/quotes/none");
  const { data, hasMore } = await list(query);
  expect(data.map(({ path }: Parsed) => path)).toEqual(paths);
  expect(hasMore).toBe(false);
});

test.each(["?status=abc", "?status=9xx", "?cursor=here", "?limit=0", "?limit=101"])(
  "%s is refused",
  async (query) => {
    const { status, body } = await world.control("GET", `/requests${query}`);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "INVALID_INPUT" });
  },
);

describe("one request", () => {
  test("is shown with both bodies", async () => {
    const input = { customerType: "INDIVIDUAL", fullName: "Ada Byron" };
    const created = await world.call("POST", "/customers", input);
    const { status, body } = await show(idOf(created));
    expect(status).toBe(200);
    expect(JSON.parse(body.requestBody)).toEqual(input);
    expect(JSON.parse(body.responseBody)).toEqual(created.body);
    expect(body).toMatchObject({ operation: "createCustomer", status: 201 });
  });

  test("shows no secret, not even where an error repeats it", async () => {
    const secrets = { clientSecret: "hush-hush-1", otp: "418203", signature: { s: "hush-hush-2" } };
    const answer = await world.call("POST", "/customers", {
      customerType: "hush-hush-1",
      ...secrets,
    });
    expect(JSON.stringify(answer.body)).toContain("hush-hush-1");
    const { body } = await show(idOf(answer));
    expect(JSON.parse(body.requestBody)).toEqual({
      customerType: "hush-hush-1",
      clientSecret: "[redacted]",
      otp: "[redacted]",
      signature: "[redacted]",
    });
    expect(body.responseBody).not.toContain("hush-hush");
    expect(JSON.stringify(body)).not.toContain("418203");
    expect(JSON.stringify(body)).not.toContain(world.sim.clientSecret);
  });

  test("is whole when it is asked for as a whole", async () => {
    const fullName = "a".repeat(5000);
    const answer = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName,
      clientSecret: "hush-hush-1",
    });
    const { body } = await show(`${idOf(answer)}?bodies=whole`);
    expect(JSON.parse(body.requestBody)).toEqual({
      customerType: "INDIVIDUAL",
      fullName,
      clientSecret: "[redacted]",
    });
    expect(body).not.toHaveProperty("cut");
    const listed = await world.call("GET", "/customers?limit=100");
    const whole = await show(`${idOf(listed)}?bodies=whole`);
    expect(JSON.parse(whole.body.responseBody)).toEqual(listed.body);
  });

  test("is cut to 2 KiB on both sides", async () => {
    const answer = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "a".repeat(5000),
    });
    const { body } = await show(idOf(answer));
    expect(body.requestBody).toHaveLength(2049);
    expect(body.requestBody).toMatch(/^\{"customerType":"INDIVIDUAL","fullName":"a+…$/);
    // {"customerType":"INDIVIDUAL","fullName":"…"}
    expect(body.cut).toEqual({ requestBody: 5043 });
    for (let count = 0; count < 9; count += 1)
      await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const listed = await show(idOf(await world.call("GET", "/customers")));
    expect(listed.body.responseBody).toHaveLength(2049);
    expect(listed.body.responseBody.endsWith("…")).toBe(true);
    expect(listed.body.cut).toEqual({ responseBody: expect.any(Number) });
    expect(listed.body.cut.responseBody).toBeGreaterThan(2049);
  });

  test("whose body was no JSON has none", async () => {
    const answer = await world.raw("POST", "/customers", { body: "{", headers: {} });
    const { body } = await show(idOf(answer));
    expect(body).not.toHaveProperty("requestBody");
    expect(body.error).toMatchObject({ code: expect.any(String) });
  });
});

describe("a request that is not there", () => {
  const sentenceOf = async (id: string) => {
    const { status, body } = await show(id);
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: "ID_NOT_FOUND" });
    return body.error.message;
  };

  test("is a call of the control surface", async () => {
    await look(1);
    const status = await world.control("GET", "/status");
    await look(1);
    expect(await sentenceOf(idOf(status))).toContain("is a call of the control surface");
  });

  test.each(["req-1-999", "req-2-1", "Quote:1", "req-1"])("was never made: %s", async (id) => {
    await look(1);
    expect(await sentenceOf(id)).toContain(`No request ${id}`);
  });

  test("was before a reset", async () => {
    const before = await world.call("GET", "/config");
    await world.control("POST", "/reset");
    expect(await list()).toEqual({ data: [], hasMore: false });
    expect(await sentenceOf(idOf(before))).toContain("no longer kept");
  });

  test("is older than the newest 10,000", async () => {
    const first = await world.call("GET", "/config");
    const authorization = `Basic ${btoa(`${world.sim.clientId}:${world.sim.clientSecret}`)}`;
    const url = `${world.sim.apiUrl}/config`;
    for (let made = 0; made < 10_000; made += 1)
      await world.sim.fetch(new Request(url, { headers: { authorization } }));
    expect(await sentenceOf(idOf(first))).toContain("is no longer kept");
    expect((await list("?limit=1")).data[0].id).toBe("req-1-10001");
  });

  test("is of an earlier run that never happened", async () => {
    const directory = new StateDirectory();
    const first = await startTestSimulator({ storage: directory.url });
    await first.sim.close();
    const second = await reopen(directory);
    const { body } = await second.control("GET", "/requests/req-1-7");
    expect(body.error.message).toContain("no longer kept");
    await second.sim.close();
    directory.remove();
  });
});
