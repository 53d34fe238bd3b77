import { afterEach, expect, onTestFinished, test } from "vitest";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { until } from "../runtime/setup/turns.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { BALANCE_UPDATED, fund, type Greeted, openAccount, startGreeted } from "./setup/greeted.ts";

let world: Greeted;

afterEach(() => world.stop());

/** A simulator that others can reach, with a receiver on its own machine. */
const startReachable = async (options: SimulatorOptions = {}) => {
  world = await startGreeted({ host: "0.0.0.0", ...options });
  await world.sim.listen({ host: "0.0.0.0" });
  return openAccount(world);
};

/** The newest delivery, as the control surface shows it with a token. */
const newest = async () => {
  const url = `${world.sim.controlUrl}/webhooks?limit=1&type=${BALANCE_UPDATED}`;
  const headers = { authorization: `Bearer ${world.sim.controlToken}` };
  const reply = await world.sim.fetch(new Request(url, { headers }));
  return JSON.parse(await reply.text()).data[0];
};

test("beyond loopback a private target is not called; that is a failed attempt, and retried", async () => {
  const account = await startReachable();
  await fund(world, account);
  await until("the first attempt", () => world.attempts.length === 1);
  expect(await newest()).toMatchObject({
    state: "RETRYING",
    attempt: 1,
    status: null,
    error:
      "not called: 127.0.0.1 is a loopback address; start with --allow-webhook-target 127.0.0.1",
  });
  await world.sim.advance("1s");
  expect(await newest()).toMatchObject({ attempt: 2 });
  expect(world.receiver.received).toEqual([]);
});

test("beyond loopback a private target is called when it is named", async () => {
  const account = await startReachable({ allowWebhookTargets: ["127.0.0.0/8"] });
  await fund(world, account);
  await until("the attempt", () => world.attempts.length === 1);
  expect((await newest()).state).toBe("ACCEPTED");
});

test("what waits at a start beyond loopback is not sent before it listens", async () => {
  const directory = new StateDirectory();
  onTestFinished(() => directory.remove());
  world = await startGreeted({ storage: directory.url });
  world.receiver.behaviour = () => {};
  await fund(world, await openAccount(world));
  await until("the attempt", () => world.receiver.received.length === 1);
  await world.sim.close();
  const restarted = await reopen(directory, { host: "0.0.0.0" });
  world = { ...world, ...restarted };
  await until("its end", async () => (await newest()).state === "RETRYING");
  expect((await newest()).error).toContain("not called: 127.0.0.1 is a loopback address");
  expect(world.receiver.received).toHaveLength(1);
});

test("a metadata address is refused where it is written, an unspecified one when it is called", async () => {
  const account = await startReachable();
  const { status, body } = await world.call("PATCH", "/config", {
    webhookEndpoint: "http://169.254.169.254/latest/meta-data",
  });
  expect([status, body.details.field]).toEqual([400, "webhookEndpoint"]);
  await world.call("PATCH", "/config", { webhookEndpoint: "http://[::]:1/" });
  await fund(world, account);
  await until("the attempts", () => world.attempts.length >= 2);
  expect((await newest()).error).toContain("not called: ");
});
