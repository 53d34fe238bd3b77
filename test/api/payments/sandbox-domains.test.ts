import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSimulator, OptionError } from "../../../src/simulator.ts";
import { createPayer, umaQuoteInput } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";

let world: TestSimulator;
let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

const statusAt = async (domain: string, name = "$success.usd") =>
  (await world.call("GET", `/receiver/uma/${name}@${domain}`)).status;

// spec/uma-payments.md#sandbox-domain
describe("the domains of the sandbox's people", () => {
  test("are those that the start names, and no other", async () => {
    world = await startTestSimulator({ sandboxUmaDomains: ["X.test", "people.y.example"] });
    expect(await statusAt("x.test")).toBe(200);
    expect(await statusAt("X.TEST")).toBe(200);
    expect(await statusAt("people.y.example")).toBe(200);
    expect(await statusAt("sandbox.uma.test")).toBe(424);
    const answer = await world.call("GET", "/receiver/uma/$nobody@x.test");
    expectRefused(answer, { status: 404, code: "UMA_NOT_FOUND" });
    expect(answer.body.message).toContain("at x.test, people.y.example");
    const { body } = await world.call("GET", "/config");
    expect(body).not.toHaveProperty("sandboxUmaDomains");
    expect(body.umaDomain).toBe("pay.sandbox.test");
    const patched = await world.call("PATCH", "/config", { umaDomain: "z.test" });
    expect(patched.body).not.toHaveProperty("sandboxUmaDomains");
    expect(await statusAt("x.test")).toBe(200);
  });

  test("have people who pay and fail as usual", async () => {
    world = await startTestSimulator({ sandboxUmaDomains: ["x.test"] });
    const { accountId } = await createPayer(world);
    const input = await umaQuoteInput(world, accountId, "$fail.compliance.usd@x.test");
    const { body } = await world.call("POST", "/quotes", { ...input, immediatelyExecute: true });
    await goTo(world, "09:00:01.000");
    const { body: payment } = await world.call("GET", `/transactions/${body.transactionId}`);
    expect(payment).toMatchObject({
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: { status: "COMPLETED" },
    });
  });

  test("are sandbox.uma.test when no list or an empty one is given", async () => {
    world = await startTestSimulator({ sandboxUmaDomains: [] });
    expect(await statusAt("sandbox.uma.test")).toBe(200);
  });

  test("survive a reset and a restart, until a start names others", async () => {
    const { url: storage } = directory;
    world = await startTestSimulator({ storage, sandboxUmaDomains: ["x.test"] });
    await world.control("POST", "/reset");
    expect(await statusAt("x.test")).toBe(200);
    await world.sim.close();
    world = await reopen(directory);
    expect(await statusAt("x.test")).toBe(200);
    expect(await statusAt("sandbox.uma.test")).toBe(424);
    await world.sim.close();
    world = await reopen(directory, { sandboxUmaDomains: ["y.test"] });
    expect(await statusAt("x.test")).toBe(424);
    expect(await statusAt("y.test")).toBe(200);
  });

  test("given again change nothing", async () => {
    const { url: storage } = directory;
    const sandboxUmaDomains = ["x.test", "y.test"];
    world = await startTestSimulator({ storage, sandboxUmaDomains });
    const { body: before } = await world.control("GET", "/status");
    await world.sim.close();
    world = await reopen(directory, { sandboxUmaDomains: ["X.TEST", "y.test"] });
    const { body: after } = await world.control("GET", "/status");
    expect(after.storage.records).toBe(before.storage.records);
  });

  test("can change without an effect on existing quotes", async () => {
    const { url: storage } = directory;
    world = await startTestSimulator({ storage, sandboxUmaDomains: ["x.test"] });
    const { accountId } = await createPayer(world);
    const input = await umaQuoteInput(world, accountId, "$pending.long.usd@x.test");
    const { body: quote } = await world.call("POST", "/quotes", input);
    await world.sim.close();
    world = await reopen(directory, { sandboxUmaDomains: ["y.test"] });
    expectRefused(await world.call("POST", "/quotes", input), {
      status: 400,
      code: "INVALID_RECEIVER",
      field: "destination.umaAddress",
    });
    await world.call("POST", `/quotes/${quote.id}/execute`);
    await goTo(world, "09:05:59.999");
    expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe("PROCESSING");
    await goTo(world, "09:06:00.000");
    expect((await world.call("GET", `/quotes/${quote.id}`)).body.status).toBe("COMPLETED");
  });
});

test("a lookup survives a restart and expires on time", async () => {
  world = await startTestSimulator({ storage: directory.url });
  const { accountId } = await createPayer(world);
  const input = await umaQuoteInput(world, accountId, "$success.usd@sandbox.uma.test");
  await world.sim.close();
  world = await reopen(directory);
  await goTo(world, "09:14:59.999");
  expect((await world.call("POST", "/quotes", input)).status).toBe(201);
  await goTo(world, "09:15:00.000");
  expect((await world.call("POST", "/quotes", input)).status).toBe(400);
});

test.each(["", "test", "x..test", "$a@x.test", "x.test/", "x test", "x.test:80", "-x.test"])(
  "a start that names no domain is refused: %j",
  async (name) => {
    world = await startTestSimulator();
    const starting = createSimulator({ sandboxUmaDomains: ["x.test", name] });
    await expect(starting).rejects.toThrow(OptionError);
    await expect(starting).rejects.toThrow(
      `Expected sandboxUmaDomains to be a domain name but found "${name}"`,
    );
  },
);
