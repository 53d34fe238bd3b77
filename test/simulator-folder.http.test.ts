import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSimulator, type LocalSimulator } from "../src/simulator.ts";

const home = process.cwd();
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "service-sim-folder-"));
  mkdirSync(join(root, "first"));
  mkdirSync(join(root, "second"));
  process.chdir(join(root, "first"));
});

afterEach(() => {
  process.chdir(home);
  rmSync(root, { recursive: true });
});

const work = async (sim: LocalSimulator) => {
  const fork = await sim.fork("refunds");
  await fork.snapshot("paid");
  await sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await sim.reset();
};

test("relative paths of a start stay where they were when the process changes its folder", async () => {
  writeFileSync("world.json", JSON.stringify({ name: "mine", steps: [] }));
  writeFileSync("keys.json", JSON.stringify({ keys: [] }));
  const opening = createSimulator({
    storage: "file:state",
    fixture: "./world.json",
    oidcJwks: "keys.json",
  });
  process.chdir(join(root, "second"));
  const sim = await opening;
  await work(sim);
  expect(readdirSync(join(root, "second"))).toEqual([]);
  expect(existsSync(join(root, "first", "state", "worlds", "refunds"))).toBe(true);
  await sim.close();
});
