import { afterEach, beforeEach, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(() => world.sim.close());

const set = (webhookEndpoint: string | null) =>
  world.control("PATCH", "/config", { webhookEndpoint });

const endpoint = async () => (await world.call("GET", "/config")).body.webhookEndpoint;

// spec/config.md#provider-fields
test("the control surface sets the endpoint as the platform does: a TEST follows", async () => {
  const receiver = await new Receiver().start();
  const { status, body } = await set(receiver.url);
  expect(status).toBe(200);
  expect(body.webhookEndpoint).toBe(receiver.url);
  expect(await endpoint()).toBe(receiver.url);
  await world.sim.advance("1s");
  expect(receiver.received.map(({ type }) => type)).toEqual(["TEST"]);
  await receiver.stop();
});

test.each(["", null])("%j clears it; without the member it stays", async (empty) => {
  await set("http://127.0.0.1:9/hooks");
  await world.control("PATCH", "/config", { isRegulatedFinancialInstitution: true });
  expect(await endpoint()).toBe("http://127.0.0.1:9/hooks");
  const { body } = await set(empty);
  expect(body).not.toHaveProperty("webhookEndpoint");
  expect(body.isRegulatedFinancialInstitution).toBe(true);
  expect(await endpoint()).toBeUndefined();
});

test.each(["nowhere", "ftp://127.0.0.1/", "http://169.254.169.254/"])(
  "%s is refused as the platform refuses it",
  async (url) => {
    const { status, body } = await set(url);
    const platform = await world.call("PATCH", "/config", { webhookEndpoint: url });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "webhookEndpoint" },
    });
    expect(platform.body.message).toContain(body.error.message);
  },
);
