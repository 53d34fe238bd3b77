import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import { until } from "../runtime/setup/turns.ts";
import { GENEROUS } from "../setup/agents.ts";
import { mxnAccount, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const HOUR_MS = 3_600_000;

let directory: string;
let world: TestSimulator;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "unloading-"));
  world = await startTestSimulator({ storage: `file:${directory}` });
  onTestFinished(async () => {
    await world.sim.close();
    rmSync(directory, { recursive: true, force: true });
  });
});

const restart = async (options = {}) => {
  await world.sim.close();
  world = await startTestSimulator({ storage: `file:${directory}`, ...options });
};

/** Unloads what is idle, as the sweep of an hour later would. */
const unload = () => {
  const { worlds } = world.sim as unknown as { worlds: { sweep(nowMs: number): Promise<void> } };
  return worlds.sweep(hostTime.monotonicMs() + HOUR_MS);
};

interface Sent {
  user?: string;
  secret?: string;
  bearer?: string;
  named?: string;
  body?: object;
}

const call = async (method: string, path: string, sent: Sent = {}) => {
  const { user, secret = world.sim.clientSecret, bearer, named, body } = sent;
  const response = await world.sim.fetch(
    new Request(world.sim.apiUrl + path, {
      method,
      headers: {
        ...(user !== undefined && { authorization: `Basic ${btoa(`${user}:${secret}`)}` }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(named !== undefined && { "x-sim-world": named }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const requestId = response.headers.get("x-sim-request-id");
  return { status: response.status, requestId, body: text === "" ? undefined : JSON.parse(text) };
};

const addCustomer = (user: string, secret?: string) =>
  call("POST", "/customers", {
    user,
    ...(secret !== undefined && { secret }),
    body: { customerType: "INDIVIDUAL" },
  });

/** The token of an agent that is made in the world of a user. */
const agentOf = async (sent: Pick<Sent, "user" | "secret">): Promise<string> => {
  const { body: customer } = await call("POST", "/customers", {
    ...sent,
    body: { customerType: "INDIVIDUAL" },
  });
  const made = await call("POST", "/agents", {
    ...sent,
    body: { name: "Ava", customerId: customer.id, policy: GENEROUS },
  });
  const { code } = made.body.deviceCode;
  return (await call("POST", `/agents/device-codes/${code}/redeem`)).body.accessToken;
};

const make = async (body: object) => (await world.control("POST", "/worlds", body)).body;

interface Row {
  name: string;
  now: string;
  isLoaded?: false;
}

const rows = async (): Promise<Row[]> => (await world.control("GET", "/worlds")).body.data;

const loaded = async () =>
  (await rows()).filter(({ isLoaded }) => isLoaded !== false).map(({ name }) => name);

/** Both ways in which a world leaves memory and its folder stays. */
const WAYS = [
  { way: "after its idle span", leave: unload },
  { way: "after a restart", leave: restart },
];

test("a world whose clock runs continues meanwhile, and what fell due fires at its load", async () => {
  const user = "sandbox+kept";
  await make({ name: "kept" });
  const { body: customer } = await addCustomer(user);
  const query = `customerId=${customer.id}&currency=USD`;
  const accounts = await call("GET", `/customers/internal-accounts?${query}`, { user });
  const from = accounts.body.data[0].id;
  await call("POST", `/sandbox/internal-accounts/${from}/fund`, {
    user,
    body: { amount: 100_000 },
  });
  const accountInfo = mxnAccount("001");
  const payee = { customerId: customer.id, currency: "MXN", accountInfo };
  const { body: to } = await call("POST", "/customers/external-accounts", { user, body: payee });
  const { body: quote } = await call("POST", "/quotes", { user, body: quoteInput(from, to.id) });
  expect((await call("POST", `/quotes/${quote.id}/execute`, { user })).status).toBe(200);
  const { body: clock } = await world.control("PUT", "/clock?world=kept", {
    mode: "real",
    speed: 100_000,
  });
  await restart();
  const settledMs = Date.parse(clock.now) + HOUR_MS;
  const nowMs = async () => Date.parse((await rows())[1]?.now ?? "");
  await until("an hour of its clock", async () => (await nowMs()) > settledMs);
  expect(await loaded()).toEqual(["sandbox"]);
  const { body: payment } = await call("GET", `/transactions/${quote.transactionId}`, { user });
  expect(payment.status).toBe("COMPLETED");
});

describe.each(WAYS)("a world on file storage, $way,", ({ leave }) => {
  test("is listed as it was, and loaded by no list", async () => {
    await make({ name: "kept" });
    await addCustomer("sandbox+kept");
    const before = await rows();
    await leave();
    const [starting, kept] = await rows();
    expect(starting).toEqual(before[0]);
    expect(kept).toEqual({ ...before[1], isLoaded: false });
    expect(await loaded()).toEqual(["sandbox"]);
  });

  test("is loaded by the user name that names it", async () => {
    await make({ name: "kept" });
    await addCustomer("sandbox+kept");
    await leave();
    const seen = await call("GET", "/customers", { user: "sandbox+kept" });
    expect(seen).toMatchObject({ status: 200, body: { totalCount: 1 } });
    expect(await loaded()).toEqual(["sandbox", "kept"]);
  });

  test("is loaded by no wrong secret", async () => {
    await make({ name: "kept" });
    await leave();
    for (const user of ["sandbox+kept", "sandbox", "nobody"])
      expect((await call("GET", "/customers", { user, secret: "wrong" })).status).toBe(401);
    expect(await loaded()).toEqual(["sandbox"]);
  });

  test("is loaded by a client id of its own, which others cannot take", async () => {
    await make({ name: "kept", clientId: "mine", clientSecret: "hush" });
    await addCustomer("mine", "hush");
    await leave();
    expect((await call("GET", "/customers", { user: "mine" })).status).toBe(401);
    const taken = await world.control("POST", "/worlds", { name: "other", clientId: "mine" });
    expect(taken.status).toBe(409);
    expect(await loaded()).toEqual(["sandbox"]);
    const seen = await call("GET", "/customers", { user: "mine", secret: "hush" });
    expect(seen).toMatchObject({ status: 200, body: { totalCount: 1 } });
    // It does not answer to the credentials that it did not inherit.
    await leave();
    expect((await call("GET", "/customers", { user: "sandbox+kept" })).status).toBe(401);
  });

  test("is loaded by an API token made in it, though a later world inherited it", async () => {
    await make({ name: "kept" });
    const { body: token } = await call("POST", "/tokens", {
      user: "sandbox+kept",
      body: { name: "t", permissions: ["VIEW"] },
    });
    await addCustomer("sandbox+kept");
    await make({ name: "a-fork", from: "world:kept" });
    await addCustomer("sandbox+a-fork");
    await leave();
    const shown = { user: token.clientId, secret: token.clientSecret };
    await call("GET", "/customers", { user: "sandbox+a-fork" });
    expect((await call("GET", "/customers", shown)).body.totalCount).toBe(1);
    expect(await loaded()).toEqual(["sandbox", "kept", "a-fork"]);
    await leave();
    const inherited = await call("GET", "/customers", { ...shown, named: "a-fork" });
    expect(inherited.body.totalCount).toBe(2);
    expect((await call("GET", "/customers", { user: token.id, secret: shown.secret })).status).toBe(
      200,
    );
  });

  test("is loaded by an agent's token and by a device code made in it", async () => {
    await make({ name: "kept" });
    const { body: customer } = await addCustomer("sandbox+kept");
    const made = await call("POST", "/agents", {
      user: "sandbox+kept",
      body: { name: "Ava", customerId: customer.id, policy: GENEROUS },
    });
    const { code } = made.body.deviceCode;
    await leave();
    const path = `/agents/device-codes/${code.toLowerCase()}`;
    const redeemed = await call("POST", `${path}/redeem`);
    expect(redeemed.status).toBe(200);
    await leave();
    const seen = await call("GET", "/agents/me", { bearer: redeemed.body.accessToken });
    expect(seen).toMatchObject({ status: 200, body: { name: "Ava" } });
    expect(await loaded()).toEqual(["sandbox", "kept"]);
  });

  test("is loaded by calls of the control surface that name it", async () => {
    await make({ name: "kept" });
    await addCustomer("sandbox+kept");
    await leave();
    expect((await world.control("GET", "/clock?world=kept")).status).toBe(200);
    await leave();
    expect((await world.control("GET", "/diff?from=world:kept&to=now")).status).toBe(200);
    await leave();
    const fork = await world.control("POST", "/worlds", { name: "of-it", from: "world:kept" });
    expect(fork.status).toBe(201);
    expect((await call("GET", "/customers", { user: "sandbox+of-it" })).body.totalCount).toBe(1);
    await leave();
    const url = `${world.sim.controlUrl}/clock?world=kep`;
    const near = await world.sim.fetch(new Request(url));
    expect(near.status).toBe(404);
    expect(await near.text()).toContain("There is no world kep, but there is kept");
  });

  test("is loaded once by two first calls", async () => {
    await make({ name: "kept" });
    await leave();
    const both = await Promise.all([addCustomer("sandbox+kept"), addCustomer("sandbox+kept")]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const seen = await call("GET", "/customers", { user: "sandbox+kept" });
    expect(seen.body.totalCount).toBe(2);
  });

  test("repeats no id of a request, and its log continues", async () => {
    await make({ name: "kept" });
    const first = await addCustomer("sandbox+kept");
    await leave();
    const second = await addCustomer("sandbox+kept");
    expect(second.requestId).not.toBe(first.requestId);
    for (const { requestId, body } of [first, second]) {
      const found = await world.control("GET", `/requests/${requestId}?world=kept`);
      expect(found.body.responseBody).toContain(body.id);
    }
  });

  test("can be removed, and its name is free", async () => {
    await make({ name: "kept" });
    await addCustomer("sandbox+kept");
    await leave();
    expect((await world.control("DELETE", "/worlds/kept")).status).toBe(204);
    expect((await rows()).map(({ name }) => name)).toEqual(["sandbox"]);
    await make({ name: "kept" });
    const seen = await call("GET", "/customers", { user: "sandbox+kept" });
    expect(seen.body.totalCount).toBe(0);
  });

  test("that is damaged is 503 by name, and can be removed", async () => {
    await make({ name: "kept" });
    await make({ name: "good", clientId: "mine", clientSecret: "hush" });
    const bearer = await agentOf({ user: "mine", secret: "hush" });
    await leave();
    const file = join(directory, "worlds", "kept", "line-0", "line.json");
    writeFileSync(file, readFileSync(file).subarray(1));
    const { alarms } = world;
    for (const answer of [
      await call("GET", "/customers", { user: "sandbox+kept" }),
      await call("GET", "/agents/me", { bearer, named: "kept" }),
      await call("GET", "/agents/me", { bearer, named: "kept" }),
      await call("GET", "/customers", { user: "mine", secret: "hush", named: "kept" }),
      await call("GET", "/customers", { user: "sandbox", named: "kept" }),
      await world.control("GET", "/clock?world=kept"),
    ]) {
      expect(answer.status).toBe(503);
      const text = JSON.stringify(answer.body);
      expect(text).toContain("The world cannot be used: the world kept is damaged");
      expect(text).toContain("service-sim stop, then service-sim doctor --repair, which moves it");
      expect(text).toContain("service-sim worlds remove kept");
    }
    const { body: listed } = await world.control("GET", "/worlds");
    expect(listed.damaged).toEqual([{ name: "kept", found: expect.stringContaining(file) }]);
    const own = await call("GET", "/customers", { user: "mine", secret: "hush" });
    expect(own.status).toBe(200);
    expect((await call("GET", "/agents/me", { bearer })).status).toBe(200);
    const wrong = await call("GET", "/customers", { user: "mine", secret: "no", named: "kept" });
    expect(wrong.status).toBe(401);
    expect(alarms).toEqual([expect.stringContaining("the world kept is damaged: ")]);
    expect((await world.control("DELETE", "/worlds/kept")).status).toBe(204);
    expect((await world.control("GET", "/worlds")).body.damaged).toBeUndefined();
    await make({ name: "kept" });
    expect((await call("GET", "/customers", { user: "sandbox+kept" })).status).toBe(200);
  });
});

test("fault switches and the rate limit of an unloaded world continue with their counts", async () => {
  const user = "sandbox+kept";
  await make({ name: "kept" });
  const faults = "/faults?world=kept";
  await world.control("POST", faults, { match: { nth: 3 }, fault: { status: 500 } });
  await world.control("PUT", "/rate-limit?world=kept", { limit: "4/h" });
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let at = 0; at < count; at += 1)
      found.push((await call("GET", "/config", { user })).status);
    return found;
  };
  expect(await statuses(2)).toEqual([200, 200]);
  await unload();
  expect(await loaded()).toEqual(["sandbox"]);
  // The third is struck, so it does not count for the rate limit.
  expect(await statuses(4)).toEqual([500, 200, 200, 429]);
  const [shown] = (await world.control("GET", faults)).body.data;
  expect(shown).toMatchObject({ seen: 6, struck: 1 });
  await restart();
  expect((await world.control("GET", faults)).body.data[0]).toMatchObject({ seen: 0, struck: 0 });
});

test.each(WAYS)("a world that was opened late is told as late $way", async ({ leave }) => {
  expect((await call("GET", "/config", { user: "sandbox+first" })).status).toBe(200);
  await addCustomer("sandbox");
  expect((await call("GET", "/config", { user: "sandbox+second" })).status).toBe(200);
  const late = async () =>
    (await world.control("GET", "/worlds")).body.data.flatMap(
      ({ name, isLate }: { name: string; isLate?: true }) => (isLate ? [name] : []),
    );
  expect(await late()).toEqual(["second"]);
  await leave();
  expect(await late()).toEqual(["second"]);
  expect((await call("GET", "/config", { user: "sandbox+second" })).status).toBe(200);
  expect(await late()).toEqual(["second"]);
});

describe("a world that was killed", () => {
  const kill = async () => {
    await world.sim.close();
    // A kill leaves no summary.
    rmSync(join(directory, "worlds", "kept", "summary.json"));
    world = await startTestSimulator({ storage: `file:${directory}` });
  };

  test("is found by a client id of its own, and by nothing that others take", async () => {
    await make({ name: "kept", clientId: "mine", clientSecret: "hush" });
    await addCustomer("mine", "hush");
    await kill();
    expect((await call("GET", "/customers", { user: "sandbox" })).status).toBe(200);
    expect((await call("GET", "/customers", { user: "sandbox+kept" })).status).toBe(401);
    await kill();
    const seen = await call("GET", "/customers", { user: "mine", secret: "hush" });
    expect(seen).toMatchObject({ status: 200, body: { totalCount: 1 } });
  });

  test("is listed as it is", async () => {
    await make({ name: "kept" });
    await addCustomer("sandbox+kept");
    const before = await rows();
    await kill();
    expect(await rows()).toEqual(before);
  });
});

test("a second close writes nothing: the world may be another process's by then", async () => {
  await make({ name: "kept" });
  await world.sim.close();
  const file = join(directory, "worlds", "kept", "summary.json");
  rmSync(file);
  await world.sim.close();
  expect(existsSync(file)).toBe(false);
});

test("an idle world is unloaded by itself, and the default world stays", async () => {
  await restart({ worldTtl: "1s" });
  await make({ name: "kept" });
  await addCustomer("sandbox+kept");
  expect(await loaded()).toEqual(["sandbox", "kept"]);
  await until("the world to be unloaded", async () => (await loaded()).length === 1);
  const seen = await call("GET", "/customers", { user: "sandbox+kept" });
  expect(seen.body.totalCount).toBe(1);
});

test("in memory an idle world is gone", async () => {
  await world.sim.close();
  world = await startTestSimulator();
  await make({ name: "gone" });
  await unload();
  expect((await rows()).map(({ name }) => name)).toEqual(["sandbox"]);
});
