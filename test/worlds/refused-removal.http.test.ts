import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { IdleSweeps } from "../../src/worlds/idle-sweeps.ts";
import { takeOut } from "../../src/worlds/take-out.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let directory: string;
let world: TestSimulator;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "refused-removal-"));
  world = await startTestSimulator({ storage: `file:${directory}` });
  onTestFinished(async () => {
    await world.sim.close();
    rmSync(directory, { recursive: true, force: true });
  });
});

afterEach(() => vi.restoreAllMocks());

const restart = async () => {
  await world.sim.close();
  world = await startTestSimulator({ storage: `file:${directory}` });
};

const make = async (name: string) =>
  (await world.control("POST", "/worlds", { name, from: "world:sandbox" })).status;

const remove = async (name: string) => (await world.control("DELETE", `/worlds/${name}`)).status;

const names = async () => {
  const { body } = await world.control("GET", "/worlds");
  return body.data.map(({ name }: { name: string }) => name);
};

const customersOf = async (name: string) =>
  (await world.control("GET", `/records?world=${name}&kind=Customer`)).body.counts.Customer;

/** Has every removal fail until `mend`. */
const strike = () => {
  const { rename } = machineFolders;
  const renaming = vi.spyOn(machineFolders, "rename");
  renaming.mockImplementation((from, to) =>
    to.includes(".gone-") ? Promise.reject(new Error("EIO: i/o error")) : rename(from, to),
  );
  return () => renaming.mockRestore();
};

const WAYS = [
  { what: "a loaded world", leave: async () => {} },
  { what: "a world on storage alone", leave: restart },
];

test.each(WAYS)("$what whose removal is refused is there, in its place", async ({ leave }) => {
  await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  for (const name of ["a", "b", "c"]) expect(await make(name)).toBe(201);
  await leave();
  const mend = strike();
  expect(await remove("b")).toBe(503);
  expect(await names()).toEqual(["sandbox", "a", "b", "c"]);
  expect(await customersOf("b")).toBe(1);
  expect(await remove("b")).toBe(503);
  expect(await make("b")).toBe(409);
  mend();
  expect(await remove("b")).toBe(204);
  expect(await remove("b")).toBe(404);
  expect(await names()).toEqual(["sandbox", "a", "c"]);
  expect(await make("b")).toBe(201);
  await restart();
  expect(await names()).toEqual(["sandbox", "a", "c", "b"]);
});

test("a damaged world whose removal is refused stays damaged", async () => {
  expect(await make("a")).toBe(201);
  await world.sim.close();
  writeFileSync(join(directory, "worlds", "a", "world.json"), "{");
  world = await startTestSimulator({ storage: `file:${directory}` });
  const damaged = async () => (await world.control("GET", "/worlds")).body.damaged;
  const before = await damaged();
  expect(before).toMatchObject([{ name: "a" }]);
  const mend = strike();
  expect(await remove("a")).toBe(503);
  expect(await damaged()).toEqual(before);
  mend();
  expect(await remove("a")).toBe(204);
  expect(await make("a")).toBe(201);
});

test.each(["a", "b", "c"])("%s is put back before what came after it", (key) => {
  const map = new Map(["a", "b", "c"].map((one) => [one, 1]));
  const putBack = takeOut(map, key);
  map.set("d", 1);
  putBack(2);
  expect([...map.keys()]).toEqual(["a", "b", "c", "d"]);
  expect(map.get(key)).toBe(2);
});

test("a sweep that fails is told, and the next one comes", async () => {
  fakeHostTimers();
  onTestFinished(realHostTimers);
  const alarm = vi.fn();
  const sweep = vi.fn(() => Promise.reject(new Error("a bug")));
  const sweeps = new IdleSweeps({ ttlMs: 8_000, sweep, isNeeded: () => true, alarm });
  sweeps.later();
  await vi.advanceTimersByTimeAsync(4_000);
  sweeps.stop();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(sweep).toHaveBeenCalledTimes(2);
  expect(alarm.mock.calls).toEqual([
    ["idle worlds were not unloaded: a bug"],
    ["idle worlds were not unloaded: a bug"],
  ]);
});
