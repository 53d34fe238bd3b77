import { expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const seqOf = async (world: TestSimulator, call: [string, string, object?]) => {
  const { headers } = await world.call(...call);
  const text = headers.get("x-sim-seq");
  return text === null ? undefined : Number(text);
};

test("replies of the platform tell the highest change that they were made from", async () => {
  const world = await startTestSimulator({ traceSeq: true });
  try {
    const first = (await seqOf(world, ["GET", "/customers"])) as number;
    const body = { customerType: "INDIVIDUAL" };
    expect(await seqOf(world, ["POST", "/customers", body])).toBe(first + 1);
    expect(await seqOf(world, ["GET", "/customers"])).toBe(first + 1);
    expect(await seqOf(world, ["GET", "/customers/Customer:none"])).toBe(first + 1);
    const { headers } = await world.control("GET", "/clock");
    expect(headers.get("x-sim-seq")).toBeNull();
  } finally {
    await world.sim.close();
  }
});

test("without the option no reply tells it", async () => {
  const world = await startTestSimulator({});
  try {
    expect(await seqOf(world, ["GET", "/customers"])).toBeUndefined();
  } finally {
    await world.sim.close();
  }
});
