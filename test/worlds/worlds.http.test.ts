import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

interface Sent {
  user?: string;
  secret?: string;
  bearer?: string;
  named?: string;
  body?: object;
}

const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`;

/** Calls the platform as a user of HTTP Basic, an agent or nobody. */
const call = async (method: string, path: string, sent: Sent = {}) => {
  const { user, secret = world.sim.clientSecret, bearer, named, body } = sent;
  const response = await world.sim.fetch(
    new Request(world.sim.apiUrl + path, {
      method,
      headers: {
        ...(user !== undefined && { authorization: basic(user, secret) }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(named !== undefined && { "x-sim-world": named }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};

const customersOf = async (user: string) => (await call("GET", "/customers", { user })).body;

const addCustomer = (user: string, platformCustomerId: string) =>
  call("POST", "/customers", {
    user,
    body: {
      customerType: "INDIVIDUAL",
      platformCustomerId,
      fullName: "Lena Meyer",
      birthDate: "1990-01-15",
    },
  });

const names = async () => {
  const { body } = await world.control("GET", "/worlds");
  return body.data.map(({ name }: { name: string }) => name);
};

describe("the user name of HTTP Basic", () => {
  test("opens a world at its first call and means it from then on", async () => {
    expect((await addCustomer("sandbox+checkout-7", "one")).status).toBe(201);
    expect(await customersOf("sandbox+checkout-7")).toMatchObject({ totalCount: 1 });
    expect(await customersOf("sandbox")).toMatchObject({ totalCount: 0 });
    expect(await customersOf("sandbox+other")).toMatchObject({ totalCount: 0 });
    expect(await names()).toEqual(["sandbox", "checkout-7", "other"]);
  });

  test("opens one world for two first calls at once", async () => {
    const both = await Promise.all([
      addCustomer("sandbox+twice", "one"),
      addCustomer("sandbox+twice", "two"),
    ]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(await customersOf("sandbox+twice")).toMatchObject({ totalCount: 2 });
    expect(await names()).toEqual(["sandbox", "twice"]);
  });

  test("with a wrong secret is 401, and neither makes nor reveals a world", async () => {
    await addCustomer("sandbox+there", "one");
    const there = await call("GET", "/customers", { user: "sandbox+there", secret: "wrong" });
    const away = await call("GET", "/customers", { user: "sandbox+away", secret: "wrong" });
    expect(there.status).toBe(401);
    expect(away).toEqual(there);
    expect(await names()).toEqual(["sandbox", "there"]);
  });

  test.each(["UPPER", "-begins-with-a-hyphen", "has space", "", "a".repeat(65)])(
    "with %j, which is no name of a world, is 401 WORLD_NAME",
    async (name) => {
      const { status, body } = await call("GET", "/customers", { user: `sandbox+${name}` });
      expect({ status, reason: body.reason }).toEqual({ status: 401, reason: "WORLD_NAME" });
    },
  );

  test("of a client that is remembered does not survive its token", async () => {
    const { body: token } = await call("POST", "/tokens", {
      user: "sandbox+a",
      body: { name: "short", permissions: ["VIEW"] },
    });
    const sent = { user: token.clientId, secret: token.clientSecret };
    expect((await call("GET", "/config", sent)).status).toBe(200);
    expect((await call("DELETE", `/tokens/${token.id}`, { user: "sandbox+a" })).status).toBe(204);
    expect((await call("GET", "/config", sent)).status).toBe(401);
  });
});

describe("tokens and the header", () => {
  const newToken = async (user: string) => {
    const permissions = ["VIEW", "TRANSACT"];
    const { body } = await call("POST", "/tokens", { user, body: { name: "t", permissions } });
    return { user: body.clientId as string, secret: body.clientSecret as string };
  };

  test("an API token finds the world that made it", async () => {
    const token = await newToken("sandbox+a");
    await addCustomer("sandbox+a", "one");
    expect((await call("GET", "/customers", token)).body.totalCount).toBe(1);
  });

  test("an inherited token means its origin unless the header names the fork", async () => {
    const token = await newToken("sandbox");
    await addCustomer("sandbox+fork", "one");
    expect((await call("GET", "/customers", token)).body.totalCount).toBe(0);
    expect((await call("GET", "/customers", { ...token, named: "fork" })).body.totalCount).toBe(1);
    expect((await call("GET", "/customers", token)).body.totalCount).toBe(0);
  });

  test("the header moves the start token too, and opens a world for it", async () => {
    const inB = { user: "sandbox", named: "b" };
    expect((await call("GET", "/customers", inB)).status).toBe(200);
    expect(await names()).toEqual(["sandbox", "b"]);
  });

  test.each([
    { title: "user name and header", sent: { user: "sandbox+a", named: "b" } },
    { title: "user name and the header of a new world", sent: { user: "sandbox+a", named: "new" } },
  ])("$title that name two worlds are 400", async ({ sent }) => {
    await customersOf("sandbox+a");
    await customersOf("sandbox+b");
    const { status, body } = await call("GET", "/customers", sent);
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: "WORLD_CONFLICT" });
    expect(await names()).toEqual(["sandbox", "a", "b"]);
  });

  test("a token and the header of a world without it are 400", async () => {
    const token = await newToken("sandbox+a");
    await customersOf("sandbox+b");
    for (const named of ["b", "sandbox", "nowhere"]) {
      const { status, body } = await call("GET", "/customers", { ...token, named });
      expect({ named, status, reason: body.reason }).toEqual({
        named,
        status: 400,
        reason: "WORLD_CONFLICT",
      });
    }
    expect(await names()).toEqual(["sandbox", "a", "b"]);
  });
});

describe("the control surface", () => {
  const countIn = async (headers: Record<string, string>, query = "") => {
    const response = await world.sim.fetch(
      new Request(`${world.sim.controlUrl}/status${query}`, { headers }),
    );
    return { status: response.status, body: await response.json() };
  };

  test("finds a world by header and by query", async () => {
    await customersOf("sandbox+a");
    expect((await countIn({ "x-sim-world": "a" })).body.world).toBe("a");
    expect((await countIn({}, "?world=a")).body.world).toBe("a");
    expect((await countIn({})).body.world).toBe("sandbox");
    expect((await countIn({ "x-sim-world": "a" }, "?world=sandbox")).status).toBe(400);
  });

  test("answers 404 with the closest name, and makes no world", async () => {
    await customersOf("sandbox+checkout");
    const { status, body } = await countIn({ "x-sim-world": "chekout" });
    expect(status).toBe(404);
    expect(body.error).toMatchObject({
      code: "WORLD_NOT_FOUND",
      message: "There is no world chekout, but there is checkout",
    });
    expect(await names()).toEqual(["sandbox", "checkout"]);
  });

  test("creates, lists and removes worlds", async () => {
    const created = await world.control("POST", "/worlds", { name: "made" });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: "made",
        clientId: "sandbox+made",
        clientSecret: world.sim.clientSecret,
        apiUrl: world.sim.apiUrl,
      },
    });
    expect((await world.control("POST", "/worlds", { name: "made" })).status).toBe(409);
    const { body } = await world.control("POST", "/worlds", {});
    expect(body.name).toBe("fork-1");
    expect((await world.control("DELETE", "/worlds/made")).status).toBe(204);
    expect((await world.control("DELETE", "/worlds/made")).status).toBe(404);
    expect((await world.control("DELETE", "/worlds/sandbox")).body.error.code).toBe("WORLD_STAYS");
    expect(await names()).toEqual(["sandbox", "fork-1"]);
  });

  test("a world with credentials of its own answers to no others", async () => {
    const own = { name: "own", clientId: "acme", clientSecret: "s3cret" };
    expect((await world.control("POST", "/worlds", own)).body).toMatchObject(own);
    expect((await call("GET", "/config", { user: "acme", secret: "s3cret" })).status).toBe(200);
    expect((await call("GET", "/config", { user: "acme" })).status).toBe(401);
    expect((await call("GET", "/config", { user: "sandbox+own" })).status).toBe(401);
    const taken = await world.control("POST", "/worlds", { name: "b", clientId: "acme" });
    expect(taken.body.error.code).toBe("WORLD_EXISTS");
  });

  test("names the newest webhook that a world inherits, where that is asked for", async () => {
    const wish = { from: "world:a", withNewestWebhook: true };
    await call("GET", "/config", { user: "sandbox+a" });
    expect((await world.control("POST", "/worlds", wish)).body.newestWebhook).toBeNull();
    const webhookEndpoint = "http://127.0.0.1:9/nobody";
    await call("PATCH", "/config", { user: "sandbox+a", body: { webhookEndpoint } });
    await world.control("POST", "/webhooks/trigger?world=a", { type: "TEST" });
    const { body: page } = await world.control("GET", "/webhooks?world=a");
    const { body } = await world.control("POST", "/worlds", wish);
    expect(body.newestWebhook).toBe(page.data[0].id);
    expect((await world.control("POST", "/worlds", {})).body).not.toHaveProperty("newestWebhook");
  });

  test("removes the world in whose place one is made, and none when none is made", async () => {
    const make = async (body: object) => (await world.control("POST", "/worlds", body)).status;
    expect(await make({ name: "a" })).toBe(201);
    expect(await make({ name: "b", inPlaceOf: "a" })).toBe(201);
    expect(await names()).toEqual(["sandbox", "b"]);
    expect(await make({ name: "c", inPlaceOf: "a" })).toBe(201);
    expect(await names()).toEqual(["sandbox", "b", "c"]);
    expect(await make({ name: "c", inPlaceOf: "b" })).toBe(409);
    expect(await make({ name: "d", inPlaceOf: "sandbox" })).toBe(409);
    expect(await names()).toEqual(["sandbox", "b", "c"]);
    // Its own origin too: it is forked first.
    expect(await make({ name: "d", from: "world:c", inPlaceOf: "c" })).toBe(201);
    expect(await names()).toEqual(["sandbox", "b", "d"]);
  });

  test("forks the world that from names", async () => {
    await addCustomer("sandbox+a", "one");
    await world.control("POST", "/worlds", { name: "b", from: "world:a" });
    expect(await customersOf("sandbox+b")).toMatchObject({ totalCount: 1 });
    const { body } = await world.control("GET", "/worlds");
    expect(body.data[2]).toMatchObject({ name: "b", from: "a" });
    const none = await world.control("POST", "/worlds", { from: "world:c" });
    expect(none.status).toBe(404);
    const elsewhere = await world.control("POST", "/worlds", { from: "elsewhere" });
    expect(elsewhere.body.error.code).toBe("INVALID_INSTANT");
  });
});

describe("a fork", () => {
  test("repeats whatever else is forked, and in whatever order", async () => {
    const first = await addCustomer("sandbox+b", "one");
    await addCustomer("sandbox+a", "one");
    const other = await startTestSimulator();
    try {
      const mine = world;
      world = other;
      await addCustomer("sandbox+a", "one");
      const second = await addCustomer("sandbox+b", "one");
      world = mine;
      expect(second.body.id).toBe(first.body.id);
    } finally {
      await other.sim.close();
    }
  });

  test("has a clock, timers and a log of its own", async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "003");
    const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
    await world.call("POST", `/quotes/${quote.id}/execute`);
    await world.control("POST", "/worlds", { name: "ahead" });
    await world.control("POST", "/clock/advance?world=ahead", { by: "6m" });
    const stateOf = async (user: string) =>
      (await call("GET", `/quotes/${quote.id}`, { user })).body.status;
    expect(await stateOf("sandbox+ahead")).toBe("COMPLETED");
    expect(await stateOf("sandbox")).toBe("PROCESSING");
    const { body } = await world.control("GET", "/requests?world=ahead");
    expect(body.data.map(({ path }: { path: string }) => path)).toEqual([`/quotes/${quote.id}`]);
  });

  test("begins with a snapshot or at an instant of the world that is named", async () => {
    await addCustomer("sandbox", "early");
    await world.control("PUT", "/snapshots/early");
    await world.control("POST", "/clock/advance", { by: "1h" });
    await addCustomer("sandbox", "late");
    await world.control("POST", "/worlds", { name: "a", from: "snapshot:early" });
    await world.control("POST", "/worlds", { name: "b", from: "2026-01-05T09:30:00Z" });
    expect(await customersOf("sandbox+a")).toMatchObject({ totalCount: 1 });
    expect(await customersOf("sandbox+b")).toMatchObject({ totalCount: 1 });
    const { body } = await world.control("GET", "/worlds");
    expect(body.data.map(({ now }: { now: string }) => now)).toEqual([
      "2026-01-05T10:00:00.000Z",
      "2026-01-05T09:00:00.000Z",
      "2026-01-05T09:30:00.000Z",
    ]);
    const none = await world.control("POST", "/worlds", { from: "snapshot:none" });
    expect(none.status).toBe(404);
  });

  test("goes back to the state it was forked with at a reset", async () => {
    await addCustomer("sandbox", "before");
    await addCustomer("sandbox+a", "after");
    expect(await customersOf("sandbox+a")).toMatchObject({ totalCount: 2 });
    await world.control("POST", "/reset?world=a", {});
    expect(await customersOf("sandbox+a")).toMatchObject({ totalCount: 1 });
    expect(await customersOf("sandbox")).toMatchObject({ totalCount: 1 });
  });
});
