import { afterEach, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

let simulator: TestSimulator;

const started = async () => {
  simulator = await startTestSimulator();
  return simulator;
};

afterEach(() => simulator.sim.close());

const missingIn = async (own: TestSimulator) => {
  const { body } = await own.control("GET", "/coverage");
  const group = body.groups.find(({ name }: { name: string }) => name === "outcomes");
  return group.missing.map(({ name }: { name: string }) => name);
};

test("an exercise makes the calls that meet an item", async () => {
  const own = await started();
  expect(await missingIn(own)).toContain("quotedPayment.003");
  const { status, body } = await own.control("POST", "/coverage/exercise", {
    item: "outcomes.quotedPayment.003",
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ item: "outcomes.quotedPayment.003", met: true });
  expect(body.steps).toContainEqual({ did: "POST /quotes", status: 201 });
  expect(await missingIn(own)).not.toContain("quotedPayment.003");
});

test("an exercise that a fault strikes tells its first unexpected answer", async () => {
  const own = await started();
  await own.control("POST", "/faults", {
    match: { operation: "createQuote" },
    fault: { status: 503 },
  });
  const { body } = await own.control("POST", "/coverage/exercise", {
    item: "outcomes.quotedPayment.003",
  });
  expect(body.met).toBe(false);
  expect(body.problem).toMatch(/^Expected 2xx from POST \/quotes but found 503/);
});

test("an exercise of another world is made there", async () => {
  const own = await started();
  await own.control("POST", "/worlds", { name: "b" });
  const { body } = await own.control("POST", "/coverage/exercise?world=b", {
    item: "operations.createQuote",
  });
  expect(body.met).toBe(true);
  expect((await own.control("GET", "/requests?operation=createQuote")).body.data).toEqual([]);
});

test("an unknown item is refused by its name", async () => {
  const own = await started();
  const { status, body } = await own.control("POST", "/coverage/exercise", { item: "x.y" });
  expect(status).toBe(400);
  expect(body.error.message).toContain("No item is called x.y");
});
