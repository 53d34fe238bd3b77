import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

let world: TestSimulator;
let url: string;
let receiver: Receiver;

beforeAll(async () => {
  world = await startTestSimulator();
  ({ url } = await world.sim.listen());
  receiver = await new Receiver().start();
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterAll(async () => {
  await world.sim.close();
  await receiver.stop();
});

test.each([
  { words: "oidc token", prints: /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/ },
  { words: "clock", prints: /^2026-[\d-]+T[\d:.]+Z\n$/ },
  { words: "faults add --status 503 --operation createQuote", prints: /^Fault:[\w-]+\n$/ },
  { words: "webhooks trigger TEST", prints: /^Webhook:[\w-]+\n$/ },
])("$words --quiet prints the one value", async ({ words, prints }) => {
  const args = [...words.split(" "), "--url", url];
  const { code, stdout, stderr } = await runInProcess([...args, "--quiet"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(prints);
  const both = await runInProcess([...args, "--quiet", "--json"]);
  expect(both.stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(both.stdout)).toBeTypeOf("object");
});
