import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { machineFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { until } from "../../runtime/setup/turns.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

afterEach(() => vi.restoreAllMocks());

const start = async (storage: string, options = {}) => {
  const world = await startTestSimulator({ storage, ...options });
  onTestFinished(() => world.sim.close());
  return world;
};

const folder = () => {
  const directory = new StateDirectory();
  onTestFinished(() => directory.remove());
  return directory;
};

/** Has the disk be full from the next write on. */
const fillDisk = () =>
  vi.spyOn(machineFiles, "write").mockImplementation(() => {
    throw Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });
  });

const CROWD = { customers: { count: 5_000 } };

type World = Awaited<ReturnType<typeof start>>;

const customers = async (world: World) => (await world.call("GET", "/customers")).body.totalCount;

// spec/scenarios.md#generated-data
test("a failure in the middle leaves whole slices, and says how many records stay", async () => {
  const directory = folder();
  const world = await start(directory.url);
  const made = async () => (await world.control("GET", "/seed")).body.done;
  const seeding = world.control("POST", "/seed", { generate: CROWD });
  await until("some slices", async () => (await made()) >= 200);
  const disk = fillDisk();
  const { status, body } = await seeding;
  disk.mockRestore();
  expect(status).toBe(503);
  const { code, details } = body.error;
  expect(code).toBe("UNAVAILABLE");
  const told =
    /^storage failed: ENOSPC: injected; of 5000 records (\d+) or more were made and stay$/;
  const [, least] = told.exec(details.why) ?? [];
  expect(Number(least)).toBeGreaterThanOrEqual(200);

  await until("the world to answer", async () => (await customers(world)) !== undefined);
  const kept = await customers(world);
  expect(kept).toBeGreaterThanOrEqual(Number(least));
  expect(kept).toBeLessThan(5_000);
  expect(kept % 50).toBe(0);
  expect((await world.control("GET", "/seed")).body).toEqual({ done: 0, total: 0 });
  const { totals } = (await world.control("GET", "/ledger?limit=1")).body;
  expect(Object.values(totals).filter((total) => total !== 0)).toEqual([]);
  await world.sim.close();
  expect(await customers(await start(directory.url))).toBe(kept);
});

test("a reset in the middle says that the records are gone", async () => {
  const world = await start("memory:");
  const seeding = world.control("POST", "/seed", { generate: CROWD });
  await until("a slice", async () => (await world.control("GET", "/seed")).body.done > 0);
  await world.control("POST", "/reset", {});
  expect((await seeding).body.error).toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining(
      "it was reset or reloaded while records were made, and those are gone with it",
    ),
  });
  expect(await customers(world)).toBe(0);
});

test("a fixture of a start whose records cannot be written leaves none of them", async () => {
  const directory = folder();
  const fixture = { name: "crowd", steps: [], generate: { customers: { count: 300 } } };
  const disk = fillDisk();
  await expect(startTestSimulator({ storage: directory.url, fixture })).rejects.toThrow(/ENOSPC/);
  disk.mockRestore();
  expect(await customers(await start(directory.url, { fixture }))).toBe(300);
});
