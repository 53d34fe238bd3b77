import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { connectAgent } from "../setup/agents.ts";
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

interface Token {
  id: string;
  clientId: string;
  clientSecret: string;
}

const call = async (authorization: string, path = "/config", init: RequestInit = {}) => {
  const headers = {
    authorization,
    ...(init.body !== undefined && { "content-type": "application/json" }),
    ...(init.headers as Record<string, string>),
  };
  const response = await world.sim.fetch(
    new Request(world.sim.apiUrl + path, { ...init, headers }),
  );
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
};

const userOf = ({ clientId, clientSecret }: Pick<Token, "clientId" | "clientSecret">) =>
  basic(clientId, clientSecret);

const startIn = (name: string) => basic(`sandbox+${name}`, world.sim.clientSecret);

const tokenIn = async (authorization: string): Promise<Token> => {
  const body = JSON.stringify({ name: "one", permissions: ["VIEW"] });
  return (await call(authorization, "/tokens", { method: "POST", body })).body;
};

const start = () => basic("sandbox", world.sim.clientSecret);

const statusOf = async (authorization: string, path?: string) =>
  (await call(authorization, path)).status;

describe("a token that its world lost means no world, though a fork inherited it", () => {
  const LOSSES: { how: string; lose(token: Token): Promise<unknown> }[] = [
    { how: "by deletion", lose: ({ id }) => world.call("DELETE", `/tokens/${id}`) },
    { how: "by a reset", lose: () => world.control("POST", "/reset", {}) },
    { how: "by a restore", lose: () => world.control("POST", "/snapshots/before/restore", {}) },
    { how: "by a rewind", lose: () => world.control("POST", "/clock/rewind", { by: "30m" }) },
  ];
  test.each(LOSSES)("$how", async ({ lose }) => {
    await world.control("PUT", "/snapshots/before");
    await world.control("POST", "/clock/advance", { by: "1h" });
    const token = await tokenIn(start());
    await world.control("POST", "/worlds", { name: "fork" });
    expect(await statusOf(userOf(token))).toBe(200);
    await lose(token);
    expect(await statusOf(userOf(token))).toBe(401);
    const headers = { "x-sim-world": "fork" };
    expect((await call(userOf(token), "/config", { headers })).status).toBe(200);
  });

  test("in a fork, by a reset", async () => {
    await world.control("POST", "/worlds", { name: "a" });
    const token = await tokenIn(startIn("a"));
    await world.control("POST", "/worlds", { name: "b", from: "world:a" });
    expect(await statusOf(userOf(token))).toBe(200);
    await world.control("POST", "/reset?world=a", {});
    expect(await statusOf(userOf(token))).toBe(401);
    const again = await tokenIn(startIn("a"));
    expect(await statusOf(userOf(again))).toBe(200);
  });

  test("with the world itself", async () => {
    await world.control("POST", "/worlds", { name: "a" });
    const token = await tokenIn(startIn("a"));
    await world.control("POST", "/worlds", { name: "b", from: "world:a" });
    expect(await statusOf(userOf(token))).toBe(200);
    await world.control("DELETE", "/worlds/a");
    expect(await statusOf(userOf(token))).toBe(401);
  });

  test("an agent's too", async () => {
    const { body: customer } = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
    });
    const { id, accessToken } = await connectAgent(world, customer.id);
    await world.control("POST", "/worlds", { name: "fork" });
    expect(await statusOf(`Bearer ${accessToken}`, "/agents/me")).toBe(200);
    await world.call("DELETE", `/agents/${id}`);
    expect(await statusOf(`Bearer ${accessToken}`, "/agents/me")).toBe(401);
  });
});

test("a token finds its world again after a restart, whatever the names of its heirs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "callers-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const storage = `file:${directory}` as const;
  await world.sim.close();
  world = await startTestSimulator({ storage });
  await world.control("POST", "/worlds", { name: "z" });
  const token = await tokenIn(startIn("z"));
  await world.control("POST", "/worlds", { name: "a", from: "world:z" });
  await world.sim.close();
  world = await startTestSimulator({ storage });
  await call(startIn("a"), "/customers", {
    method: "POST",
    body: JSON.stringify({ customerType: "INDIVIDUAL" }),
  });
  expect((await call(userOf(token), "/customers")).body.totalCount).toBe(0);
});

test("a fork of a world with credentials of its own answers to those that its creation tells", async () => {
  const own = { name: "own", clientId: "acme", clientSecret: "s3cret" };
  await world.control("POST", "/worlds", own);
  const { body: made } = await world.control("POST", "/worlds", { name: "q", from: "world:own" });
  expect(made).toMatchObject({ clientId: "acme+q", clientSecret: "s3cret" });
  expect(await statusOf(userOf(made))).toBe(200);
  const { body: next } = await world.control("POST", "/worlds", { name: "r", from: "world:q" });
  expect(next).toMatchObject({ clientId: "acme+r", clientSecret: "s3cret" });
  expect(await statusOf(userOf(next))).toBe(200);
  expect(await statusOf(basic("acme", "s3cret"))).toBe(200);
});

test("a user who is remembered is unknown once the world is removed", async () => {
  await world.control("POST", "/worlds", { name: "own", clientId: "acme", clientSecret: "s3cret" });
  expect(await statusOf(basic("acme", "s3cret"))).toBe(200);
  await world.control("DELETE", "/worlds/own");
  expect(await statusOf(basic("acme", "s3cret"))).toBe(401);
});

describe("beyond loopback", () => {
  test("names of worlds are told to nobody without the control token", async () => {
    await world.sim.close();
    world = await startTestSimulator({ host: "0.0.0.0", clientSecret: "not-derived-from-seed" });
    await world.sim.listen({ host: "0.0.0.0" });
    await world.control("POST", "/worlds", { name: "secret-name" }).catch(() => {});
    const authorization = `Bearer ${world.sim.controlToken}`;
    const ask = async (path: string, headers: Record<string, string>) => {
      const response = await world.sim.fetch(new Request(world.sim.controlUrl + path, { headers }));
      return { status: response.status, text: await response.text() };
    };
    await world.sim.fetch(
      new Request(`${world.sim.controlUrl}/worlds`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ name: "secret-name" }),
      }),
    );
    const answeredToAll = ["", "/live", "/ready", "/favicon.svg"];
    const guarded = [
      "/webhooks/key",
      "/oidc/jwks",
      "/oidc/.well-known/openid-configuration",
      "/status",
      "/worlds",
      "/no-such-path",
    ];
    for (const path of [...answeredToAll, ...guarded])
      for (const [header, query] of [
        ["secret-name", ""],
        ["secret-nam", ""],
        [undefined, "?world=secret-name"],
        [undefined, "?world=secret-nam"],
        [undefined, "?%77orld=secret-nam"],
      ] as const) {
        const headers: Record<string, string> =
          header === undefined ? {} : { "x-sim-world": header };
        const { status, text } = await ask(path + query, headers);
        const wanted = guarded.includes(path) ? 401 : 200;
        expect({ path, query, status }).toEqual({ path, query, status: wanted });
        expect(text).not.toContain("secret-name");
      }
    const told = await ask("/status", { "x-sim-world": "secret-nam", authorization });
    expect(told.text).toContain("there is secret-name");
  });
});
