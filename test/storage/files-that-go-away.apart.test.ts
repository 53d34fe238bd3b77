import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { until } from "../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { inFirstWorld } from "./setup/places.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let state: StateDirectory;
let world: TestSimulator;

beforeEach(() => {
  state = new StateDirectory();
  // Only timers of the host are fake; the event loop and the files are real.
  fakeHostTimers(["setTimeout", "clearTimeout", "setInterval", "clearInterval"]);
});

afterEach(async () => {
  await world.sim.close();
  realHostTimers();
  state.remove();
});

const start = async () => {
  world = await startTestSimulator({ storage: `file:${state.path}` });
  await world.call("GET", "/config");
};

const customer = async (platformCustomerId: string, name?: string) => {
  const { sim } = world;
  const user = name === undefined ? sim.clientId : `${sim.clientId}+${name}`;
  const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
  const body = JSON.stringify({ customerType: "INDIVIDUAL", platformCustomerId });
  const headers = { authorization, "content-type": "application/json" };
  const { status } = await sim.fetch(
    new Request(`${sim.apiUrl}/customers`, { method: "POST", headers, body }),
  );
  return status;
};

const customers = async (name?: string): Promise<string[]> => {
  const { sim } = world;
  const user = name === undefined ? sim.clientId : `${sim.clientId}+${name}`;
  const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
  const answer = await sim.fetch(
    new Request(`${sim.apiUrl}/customers`, { headers: { authorization } }),
  );
  const { data } = (await answer.json()) as { data: { platformCustomerId: string }[] };
  return data.map(({ platformCustomerId }) => platformCustomerId).reverse();
};

const isWritable = async () => (await world.control("GET", "/status")).body.storage.writable;

/** The first file whose path below the state folder fits. */
const fileLike = (shape: RegExp): string => {
  const all = readdirSync(state.path, { recursive: true, encoding: "utf8" }).sort();
  const found = all.find((path) => shape.test(path.replaceAll("\\", "/")));
  if (found === undefined) throw new Error(`no ${shape} among ${all.join()}`);
  return join(state.path, found);
};

/** Two runs, so that an earlier segment is there, with a customer of each. */
const withEarlierSegment = async () => {
  await start();
  expect(await customer("first")).toBe(201);
  await world.sim.close();
  await start();
  expect(await customer("second")).toBe(201);
};

/** A world that was loaded: it begins at files of its own. */
const withLine = async () => {
  await withEarlierSegment();
  await world.control("PUT", "/snapshots/a");
  expect((await world.control("POST", "/snapshots/a/restore")).status).toBe(200);
};

const remove = (path: string) => rmSync(path);
const replace = (path: string) => {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
};
/** Leaves the file's length and number as they were. */
const overwrite = (path: string) => writeFileSync(path, "x".repeat(statSync(path).size));

const FILES = [
  { what: "the identity", prepare: withEarlierSegment, shape: /^worlds\/sandbox\/identity\.json$/ },
  {
    what: "an earlier segment",
    prepare: withEarlierSegment,
    shape: /^worlds\/sandbox\/line-0\/journal\/1-1$/,
  },
  {
    what: "the description of a line",
    prepare: withLine,
    shape: /^worlds\/sandbox\/line-1\/line\.json$/,
  },
  {
    what: "a file that a line began with",
    prepare: withLine,
    shape: /^worlds\/sandbox\/line-1\/origin\/.*\/[0-9]/,
  },
];
const STRIKES = { removed: remove, replaced: replace, overwritten: overwrite };
const CASES = FILES.flatMap((file) =>
  Object.entries(STRIKES).map(([how, strike]) => ({ ...file, how, strike })),
);

// decisions/folders-that-go-away.md
test.each(CASES)("$what that is $how is noticed within a second", async (row) => {
  await row.prepare();
  const path = fileLike(row.shape);
  const { clientSecret } = world.sim;
  row.strike(path);
  await vi.advanceTimersByTimeAsync(1000);
  expect(world.alarms.join()).toContain(`storage failed: ${path} was `);
  expect(world.alarms.join()).toContain("the world continues in memory and is written again");
  await until("the world to take writes", async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return isWritable();
  });
  expect(await customer("later")).toBe(201);
  await world.sim.close();
  await start();
  expect(world.sim.clientSecret).toBe(clientSecret);
  expect(await customers()).toEqual(["first", "second", "later"]);
});

test.each(CASES)("$what that is $how just before a stop is written at the stop", async (row) => {
  await row.prepare();
  const { clientSecret } = world.sim;
  row.strike(fileLike(row.shape));
  await world.sim.close();
  await start();
  expect(world.sim.clientSecret).toBe(clientSecret);
  expect(await customers()).toEqual(["first", "second"]);
});

test.each(["identity.json", "world.json", "line-0/line.json", "line-0/origin"])(
  "a forked world that loses %s is written again, with its snapshots and its beginning",
  async (name) => {
    await start();
    await world.control("POST", "/worlds", { name: "one" });
    expect(await customer("kept", "one")).toBe(201);
    const ofOne = (path: string) => `${path}?world=one`;
    const saved = await world.control("PUT", ofOne("/snapshots/a"));
    expect(saved.status).toBe(201);
    rmSync(join(state.path, "worlds", "one", name), { recursive: true });
    await vi.advanceTimersByTimeAsync(1000);
    expect(world.alarms.join()).toContain(
      `storage failed: ${join(state.path, "worlds", "one", name)}`,
    );
    await vi.advanceTimersByTimeAsync(1000);
    await until("the world to take writes", async () => (await customer("later", "one")) === 201);
    await world.sim.close();
    await start();
    expect(await customers("one")).toEqual(["kept", "later"]);
    expect(existsSync(join(state.path, "worlds", "one", "snapshots"))).toBe(true);
  },
);

test("acts that change the files themselves raise no alarm", async () => {
  await withLine();
  for (const [method, path, body] of [
    ["POST", "/webhooks/keys/rotate"],
    ["PUT", "/snapshots/b"],
    ["POST", "/snapshots/a/restore"],
    ["POST", "/reset"],
    ["POST", "/worlds", { name: "one" }],
  ] as const) {
    expect((await world.control(method, path, body)).status).toBeLessThan(300);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await customer(`after ${path}`)).toBe(201);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await isWritable()).toBe(true);
  }
  expect(world.alarms).toEqual([]);
  const { clientSecret } = world.sim;
  const identity = readFileSync(inFirstWorld(state.path, "identity.json"), "utf8");
  await world.sim.close();
  await start();
  expect(world.sim.clientSecret).toBe(clientSecret);
  expect(readFileSync(inFirstWorld(state.path, "identity.json"), "utf8")).toBe(identity);
});
