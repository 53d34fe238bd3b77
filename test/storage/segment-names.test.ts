import { readdirSync, unlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "./setup/reopen.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

const addCustomer = async (open: ReturnType<typeof reopen>) => {
  const world = await open;
  const { body } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const { body: listed } = await world.call("GET", "/customers");
  await world.sim.close();
  return { id: body.id, count: listed.totalCount };
};

const removeLocks = () => {
  for (const name of readdirSync(directory.path))
    if (name.startsWith("lock.")) unlinkSync(directory.file(name));
};

test("a state whose locks were taken away continues behind its last segment", async () => {
  await addCustomer(startTestSimulator({ storage: directory.url }));
  await addCustomer(reopen(directory));
  expect(directory.segments()).toEqual(["1-1", "2-1"]);
  removeLocks();
  expect((await addCustomer(reopen(directory))).count).toBe(3);
  expect(directory.segments()).toEqual(["1-1", "2-1", "2-2"]);
  expect((await addCustomer(reopen(directory))).count).toBe(4);
});
