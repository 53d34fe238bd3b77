import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunningWorld } from "../../src/worlds/running-world.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const call = async (user: string, path = "/config", init: RequestInit = {}) => {
  const headers = { authorization: basic(user, world.sim.clientSecret), ...init.headers };
  const response = await world.sim.fetch(
    new Request(world.sim.apiUrl + path, { ...init, headers } as RequestInit),
  );
  const text = await response.text();
  const body = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
};

const names = async () =>
  (await world.control("GET", "/worlds")).body.data.map(({ name }: { name: string }) => name);

test("a world beyond --max-worlds is refused until another is removed", async () => {
  await world.sim.close();
  world = await startTestSimulator({ maxWorlds: 20 });
  for (let at = 1; at < 20; at += 1) expect((await call(`sandbox+w${at}`)).status).toBe(200);
  const full = await call("sandbox+further");
  expect(full).toMatchObject({ status: 503, retryAfter: "1" });
  expect(full.body).toMatchObject({ code: "UNAVAILABLE", reason: "WORLDS_FULL" });
  expect(full.body.message).toContain("The limit of 20 worlds, set by --max-worlds, is reached");
  const created = await world.control("POST", "/worlds", { name: "further" });
  expect(created).toMatchObject({
    status: 503,
    body: { error: { code: "UNAVAILABLE", details: { count: 20, reason: "WORLDS_FULL" } } },
  });
  expect(created.headers.get("retry-after")).toBe("1");
  expect(created.headers.get("retry-after-ms")).toBe("1000");
  expect((await call("sandbox+w1")).status).toBe(200);
  expect((await world.control("DELETE", "/worlds/w9")).status).toBe(204);
  expect((await call("sandbox+further")).status).toBe(200);
  expect((await call("sandbox+w9")).status).toBe(401);
  expect((await call("sandbox+again")).status).toBe(503);
});

describe("names", () => {
  test.each(["con", "nul", "a..", "x".repeat(64), "0", "a_b-c.d"])("%s is one", async (name) => {
    expect((await world.control("POST", "/worlds", { name })).status).toBe(201);
    expect((await call(`sandbox+${name}`)).status).toBe(200);
    expect((await world.control("DELETE", `/worlds/${encodeURIComponent(name)}`)).status).toBe(204);
    expect(await names()).toEqual(["sandbox"]);
  });

  test.each(["..", ".", "-", "Con", "naïve", "a b", "a/b", "a+b", "x".repeat(65), "", "a\n"])(
    "%j is none",
    async (name) => {
      const { status, body } = await world.control("POST", "/worlds", { name });
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: "INVALID_INPUT" });
      expect(await names()).toEqual(["sandbox"]);
    },
  );

  test("a world is removed by its name as it is percent-encoded", async () => {
    await world.control("POST", "/worlds", { name: "a.b" });
    expect((await world.control("DELETE", "/worlds/a%2Eb")).status).toBe(204);
    for (const path of ["a%2Fb", "%73andbo", "%C3%A9"])
      expect((await world.control("DELETE", `/worlds/${path}`)).status).toBe(404);
    expect((await world.control("DELETE", "/worlds/%73andbox")).body.error.code).toBe(
      "WORLD_STAYS",
    );
  });

  test("a header that comes twice names no world", async () => {
    await world.sim.listen();
    await call("sandbox+a");
    const { port, host } = new URL(world.sim.apiUrl);
    const authorization = basic("sandbox", world.sim.clientSecret);
    const ask = async (lines: string[]) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`${[...lines, `Host: ${host}`, "Connection: close"].join("\r\n")}\r\n\r\n`);
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      await once(socket, "end");
      return text;
    };
    const path = new URL(`${world.sim.apiUrl}/config`).pathname;
    const twice = ["X-Sim-World: a", "X-Sim-World: sandbox"];
    const platform = await ask([
      `GET ${path} HTTP/1.1`,
      `Authorization: ${authorization}`,
      ...twice,
    ]);
    expect(platform).toMatch(/^HTTP\/1.1 401 /);
    expect(platform).toContain("WORLD_NAME");
    expect(await ask(["GET /_sim/clock HTTP/1.1", ...twice])).toMatch(/^HTTP\/1.1 404 /);
    expect(await ask(["HEAD /_sim/clock HTTP/1.1", "X-Sim-World: a"])).toMatch(/^HTTP\/1.1 200 /);
    expect(await ask(["HEAD /_sim/clock HTTP/1.1", "X-Sim-World: b"])).toMatch(/^HTTP\/1.1 404 /);
    expect(await names()).toEqual(["sandbox", "a"]);
  });
});

test("a refused call is told by the default world alone, without its secret", async () => {
  await call("sandbox+a");
  await world.sim.fetch(
    new Request(`${world.sim.apiUrl}/config`, {
      headers: { authorization: basic("sandbox+a", "wrong-secret") },
    }),
  );
  const { body } = await world.control("GET", "/requests");
  expect(body.data.map(({ status }: { status: number }) => status)).toEqual([401]);
  expect(JSON.stringify(body)).not.toContain("wrong-secret");
  const { body: inA } = await world.control("GET", "/requests?world=a");
  expect(inA.data.map(({ status }: { status: number }) => status)).toEqual([200]);
});

test("a fork of a fork, two hundred deep, costs as much as the first", async () => {
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  let from = "sandbox";
  const spans: number[] = [];
  for (let depth = 1; depth <= 200; depth += 1) {
    const began = performance.now();
    const made = await world.control("POST", "/worlds", {
      name: `d${depth}`,
      from: `world:${from}`,
    });
    spans.push(performance.now() - began);
    expect(made.status).toBe(201);
    from = `d${depth}`;
    await call(`sandbox+${from}`, "/customers", {
      method: "POST",
      body: JSON.stringify({ customerType: "INDIVIDUAL" }),
      headers: { "content-type": "application/json" },
    });
  }
  expect((await call("sandbox+d200", "/customers")).body.totalCount).toBe(201);
  expect((await call("sandbox+d7", "/customers")).body.totalCount).toBe(8);
  const median = (some: number[]) => some.toSorted((a, b) => a - b)[some.length >> 1] ?? 0;
  expect(median(spans.slice(150))).toBeLessThan(8 * median(spans.slice(10, 60)) + 5);
});

/** Parts that a process keeps of its worlds. */
interface Kept {
  worlds: {
    forks: Map<string, { place: RunningWorld }>;
    making: Map<string, unknown>;
    removing: Map<string, unknown>;
    forkCounts: Map<string, unknown>;
  };
  running: { engine: RunningWorld["engine"]; callers: { byHeaders: Map<string, unknown> } };
  coverageTotals: { recorders: Set<unknown> };
}

test("nothing is kept of worlds that came and went", async () => {
  const { worlds, running, coverageTotals } = world.sim as unknown as Kept;
  const listeners = running.engine.listeners.size;
  const gone: WeakRef<RunningWorld>[] = [];
  for (let round = 0; round < 1_000; round += 1) {
    const name = `w${round}`;
    await call(`sandbox+${name}`);
    if (round % 10 === 0) {
      await world.control("PUT", `/snapshots/one?world=${name}`);
      await world.control("POST", "/worlds", { from: `world:${name}` });
      await world.control("DELETE", "/worlds/fork-1");
    }
    if (round >= 900) gone.push(new WeakRef(worlds.forks.get(name)?.place as RunningWorld));
    expect((await world.control("DELETE", `/worlds/${name}`)).status).toBe(204);
  }
  expect([worlds.forks.size, worlds.making.size, worlds.removing.size]).toEqual([0, 0, 0]);
  expect(worlds.forkCounts.size).toBe(0);
  expect(running.callers.byHeaders.size).toBe(0);
  expect(coverageTotals.recorders.size).toBe(1);
  expect(running.engine.listeners.size).toBe(listeners);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const isLeft = () => gone.filter((ref) => ref.deref() !== undefined).length;
  for (let turn = 0; turn < 20 && isLeft() > 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  expect(isLeft()).toBeLessThanOrEqual(5);
});

test("closing while worlds are made leaves none behind, and refuses the next", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    const calls = Array.from({ length: 20 }, (_, at) => call(`sandbox+w${at}`));
    const made = Array.from({ length: 20 }, (_, at) =>
      world.control("POST", "/worlds", { name: `c${at}` }),
    );
    const closed = world.sim.close();
    const statuses = (await Promise.all([...calls, ...made])).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    await closed;
    await expect(call("sandbox+late")).rejects.toThrow("found it closed");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

test("a call that races the removal of its world is answered by one world or none", async () => {
  for (let round = 0; round < 50; round += 1) {
    await world.control("POST", "/worlds", { name: "race" });
    const [first, removed, second] = await Promise.all([
      call("sandbox+race"),
      world.control("DELETE", "/worlds/race"),
      call("sandbox+race"),
    ]);
    expect([200, 401, 503]).toContain(first.status);
    expect([200, 401, 503]).toContain(second.status);
    expect(removed.status).toBe(204);
    expect((await call("sandbox+race")).status).toBe(401);
    expect(await names()).toEqual(["sandbox"]);
  }
});

test("a closed fork of the library is gone, though its user was remembered", async () => {
  const fork = await world.sim.fork("mine");
  const authorization = basic("sandbox+mine", world.sim.clientSecret);
  await fork.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await fork.close();
  expect(await names()).toEqual(["sandbox"]);
  await expect(fork.call.listCustomers({})).rejects.toThrow("found mine closed");
  await expect(fork.fetch(new Request(`${world.sim.apiUrl}/config`))).rejects.toThrow();
  expect(await names()).toEqual(["sandbox"]);
  const asked = new Request(`${world.sim.apiUrl}/customers`, { headers: { authorization } });
  const again = await world.sim.fetch(asked);
  expect(again.status).toBe(401);
});
