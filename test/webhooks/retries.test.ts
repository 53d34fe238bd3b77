import { afterEach, beforeEach, expect, test } from "vitest";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
test("perf", async () => {
  const world = await startTestSimulator();
  const receiver = await new Receiver().start();
  const url = receiver.url;
  await receiver.stop();
  await world.call("PATCH", "/config", { webhookEndpoint: url });
  for (let i = 0; i < 200; i += 1) {
    const { body: customer } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const { body: accounts } = await world.call("GET", `/customers/internal-accounts?customerId=${customer.id}&currency=USD`);
    await world.call("POST", `/sandbox/internal-accounts/${accounts.data[0].id}/fund`, { amount: 1 });
  }
  const t = performance.now();
  const r = await world.control("POST", "/clock/advance", { by: "7d", budgetMs: 600_000 });
  console.log("took", performance.now() - t, r.body.firedCount, r.body.webhookCount, r.body.complete);
  await world.sim.close();
}, 120_000);
