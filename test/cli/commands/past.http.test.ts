import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;

beforeEach(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
});

afterEach(async () => {
  await world.sim.close();
});

const run = (words: string) => runInProcess([...words.split(" "), "--url", url]);

const addCustomer = () => world.call("POST", "/customers", { customerType: "INDIVIDUAL" });

test("a world begins as a snapshot or an instant that --from names", async () => {
  const { body: early } = await addCustomer();
  expect((await run("snapshot save early")).code).toBe(0);
  await world.sim.advance("1h");
  await addCustomer();
  expect((await run("worlds create a --from snapshot:early")).stdout).toContain("world a created");
  expect((await run("worlds create b --from 2026-01-05T09:30:00Z")).code).toBe(0);
  const rows: { name: string; now: string }[] = JSON.parse(
    (await run("worlds list --json")).stdout,
  ).data;
  expect(rows.map(({ name, now }) => [name, now])).toEqual([
    ["sandbox", "2026-01-05T10:00:00.000Z"],
    ["a", "2026-01-05T09:00:00.000Z"],
    ["b", "2026-01-05T09:30:00.000Z"],
  ]);
  expect((await run("diff world:a world:b")).stdout).toContain("no difference");
  expect((await run(`why ${early.id} --world a`)).code).toBe(0);
  expect(await run("worlds create c --from snapshot:erly")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No snapshot "erly"; the closest one is early'),
  });
});

test("a snapshot that is loaded tells its speed", async () => {
  await run("clock 60x");
  await run("snapshot save fast");
  await run("clock freeze");
  expect((await run("snapshot load fast")).stdout).toContain("clock 60x at 2026-01-05");
});

test("rewind and requests say what is undone, and no span where time did not move", async () => {
  await addCustomer();
  const { stdout } = await run("rewind --before last");
  expect(stdout.split("\n")[0]).toBe("clock  2026-01-05 09:00:00Z → 2026-01-05 09:00:00Z");
  expect((await run("requests")).stdout).toContain("undone by a rewind");
});
