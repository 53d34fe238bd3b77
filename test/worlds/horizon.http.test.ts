import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const fileStorage = () => {
  const directory = mkdtempSync(join(tmpdir(), "horizon-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return `file:${directory}`;
};

const STORAGES = [
  { storage: "memory:", at: () => "memory:" },
  { storage: "file:", at: fileStorage },
];

const start = async (storage: string) => {
  const world = await startTestSimulator({
    storage,
    clock: "manual",
    now: "2026-01-05T09:00:00.000Z",
  });
  onTestFinished(() => world.sim.close());
  return world;
};

const addCustomer = async ({ call }: TestSimulator) =>
  (await call("POST", "/customers", { customerType: "INDIVIDUAL" })).body.id as string;

const advance = (world: TestSimulator) => world.control("POST", "/clock/advance", { by: "1h" });

/** Ways to load a state, an hour after the first customer. */
const TURNS = [
  {
    turn: "a load",
    act: async (world: TestSimulator) => {
      await world.control("PUT", "/snapshots/kept");
      await advance(world);
      await world.control("POST", "/snapshots/kept/restore");
    },
  },
  {
    turn: "a load of what a rewind undid",
    act: async (world: TestSimulator) => {
      await advance(world);
      await addCustomer(world);
      await world.control("POST", "/clock/rewind", { by: "1m" });
      await world.control("POST", "/snapshots/before-rewind-1/restore");
    },
  },
  {
    turn: "a load of an imported file",
    act: async (world: TestSimulator) => {
      await world.control("PUT", "/snapshots/kept");
      const { body: file } = await world.control("GET", "/snapshots/kept/export");
      await world.control("POST", "/snapshots/import", { file, name: "copy" });
      await world.control("POST", "/snapshots/copy/restore");
    },
  },
];

const CASES = TURNS.flatMap((one) => STORAGES.map((storage) => ({ ...one, ...storage })));

// spec/snapshots.md#horizon
test.each(CASES)("on $storage no rewind goes back past $turn", async ({ at, act }) => {
  const world = await start(at());
  await advance(world);
  const first = await addCustomer(world);
  await advance(world);
  await act(world);
  await advance(world);
  const second = await addCustomer(world);
  for (const before of [first, "2026-01-05T09:30:00.000Z"]) {
    const body = before === first ? { before } : { to: before };
    const { status } = await world.control("POST", "/clock/rewind", body);
    expect(status).toBeGreaterThanOrEqual(400);
  }
  const back = await world.control("POST", "/clock/rewind", { before: second });
  expect(back.status).toBe(200);
});

test("no rewind goes back past a load after a restart either", async () => {
  const storage = fileStorage();
  let world = await start(storage);
  const first = await addCustomer(world);
  await advance(world);
  await world.control("PUT", "/snapshots/kept");
  await advance(world);
  await world.control("POST", "/snapshots/kept/restore");
  const second = await addCustomer(world);
  await world.sim.close();
  world = await start(storage);
  const refused = await world.control("POST", "/clock/rewind", { before: first });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "BEFORE_HORIZON" } } });
  expect((await world.control("POST", "/clock/rewind", { before: second })).status).toBe(200);
});
