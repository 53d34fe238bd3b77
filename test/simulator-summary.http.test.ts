import assert from "node:assert";
import { createRequire } from "node:module";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, createSimulator, type LocalSimulator, type Simulator } from "../src/simulator.ts";

const jest = createRequire(new URL("foreign/package.json", import.meta.url))("expect") as {
  expect: typeof expect;
};

let sim: LocalSimulator;
let secrets: readonly string[];

beforeAll(async () => {
  sim = await createSimulator({
    seed: "a-seed-of-ours",
    clock: "manual",
    now: "2026-01-01T00:00:00Z",
  });
  const { clientSecret, controlToken, webhookPublicKey } = sim;
  secrets = [clientSecret, controlToken, webhookPublicKey, "a-seed-of-ours", "PRIVATE KEY"];
});

afterAll(() => sim.close());

/** The text of the assertion that fails. */
const failureOf = (check: () => void): string => {
  try {
    check();
  } catch (error) {
    const { message, actual } = error as Error & { actual?: unknown };
    return `${message}\n${inspect(actual)}`;
  }
  throw new Error("Expected a failure but found none");
};

const NAMES = {
  address: "in this process",
  world: "sandbox",
  now: "2026-01-01T00:00:00.000Z",
};

test("a simulator in a log is its address, its world and its clock", async () => {
  const other = await createSimulator({ clock: "manual", now: "2026-01-01T00:00:00Z" });
  expect(inspect(other, { breakLength: 200 })).toBe(
    "Simulator { address: 'in this process', world: 'sandbox', clock: '2026-01-01T00:00:00.000Z, manual' }",
  );
  const { url } = await other.listen();
  await other.advance("1h");
  expect(JSON.parse(JSON.stringify(other))).toEqual({
    address: url,
    world: "sandbox",
    clock: "2026-01-01T01:00:00.000Z, manual",
  });
  await other.close();
  expect(inspect(other)).toContain(`address: '${url}, closed'`);
});

test.each<{ by: string; shown: () => string }>([
  { by: "util.inspect", shown: () => inspect(sim) },
  { by: "util.inspect of what holds it", shown: () => inspect({ deps: [sim] }) },
  {
    by: "util.inspect of all that is hidden",
    shown: () => inspect(sim, { showHidden: true, depth: 9 }),
  },
  {
    by: "util.inspect that asks no method",
    shown: () => inspect(sim, { customInspect: false, getters: true, depth: 99 }),
  },
  { by: "JSON", shown: () => JSON.stringify({ sim }) },
  { by: "a copy", shown: () => inspect({ ...sim }) },
  { by: "node:assert", shown: () => failureOf(() => assert.deepStrictEqual(sim, {})) },
  { by: "node:assert, loosely", shown: () => failureOf(() => assert.equal(sim, 1)) },
  { by: "jest's toEqual", shown: () => failureOf(() => jest.expect(sim).toEqual({})) },
  { by: "jest's toBe", shown: () => failureOf(() => jest.expect(sim).toBe(1)) },
  {
    by: "jest's toMatchObject",
    shown: () => failureOf(() => jest.expect(sim).toMatchObject({ a: 1 })),
  },
  { by: "vitest's toBe", shown: () => failureOf(() => expect(sim).toBe(1)) },
  { by: "vitest's toEqual", shown: () => failureOf(() => expect(sim).toEqual({})) },
])("$by shows these three, and no secret", ({ shown }) => {
  const text = shown();
  for (const said of Object.values(NAMES)) expect(text).toContain(said);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("what it does not show is there all the same", () => {
  expect(sim.clientSecret).toMatch(/^\S{20,}$/);
  expect(sim.opened.seed).toBe("a-seed-of-ours");
  expect(Object.keys(sim)).toEqual(["address", "world", "now"]);
});

/** Members of a simulator that are values, read as the type has them. */
const VALUES = ["world", "apiUrl", "controlUrl", "clientId", "clientSecret", "webhookPublicKey"];

const KINDS: { kind: string; open: (of: LocalSimulator) => Promise<Simulator>; shown: string[] }[] =
  [
    { kind: "in this process", open: async (of) => of, shown: ["address", "now", "world"] },
    { kind: "a fork", open: (of) => of.fork("shown-fork"), shown: ["address", "world"] },
    {
      kind: "a fork of a fork",
      open: async (of) => (await of.fork("shown-first")).fork("shown-second"),
      shown: ["address", "world"],
    },
    {
      kind: "over HTTP",
      open: async (of) => connect((await of.listen()).url, accessOf(of)),
      shown: ["address", "world"],
    },
    {
      kind: "a fork over HTTP",
      open: async (of) => (await connect((await of.listen()).url, accessOf(of))).fork("far-fork"),
      shown: ["address", "world"],
    },
  ];

const accessOf = ({ clientId, clientSecret, controlToken }: LocalSimulator) => ({
  clientId,
  clientSecret,
  controlToken,
});

test.each(KINDS)("$kind shows members as their types have them", async ({ open, shown }) => {
  const own = await createSimulator({ clock: "manual", now: "2026-01-01T00:00:00Z" });
  try {
    const one = await open(own);
    expect(Object.keys(one).sort()).toEqual(shown);
    const report = await one.status();
    expect(one.world).toBe(report.world);
    expect(one.clientId).toBe(report.settings.clientId);
    expect(await one.clock.now()).toBe("2026-01-01T00:00:00.000Z");
    for (const name of VALUES) expect(typeof one[name as keyof Simulator]).toBe("string");
    await own.advance("1h");
    expect(own.now).toBe("2026-01-01T01:00:00.000Z");
    expect({ ...own }.now).toBe("2026-01-01T01:00:00.000Z");
    expect(own.now).toBe(await own.clock.now());
  } finally {
    await own.close();
  }
  expect(own.now).toBe("2026-01-01T01:00:00.000Z");
  expect(own.world).toBe("sandbox");
});
