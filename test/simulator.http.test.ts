import { afterEach, expect, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "./setup/platform.ts";
import { Receiver } from "./setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "./setup/test-simulator.ts";

let world: TestSimulator;
let receiver: Receiver;

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

test("a slow payment arrives after six minutes and tells of it", async () => {
  world = await startTestSimulator();
  receiver = await new Receiver().start();
  const { call, control, sim } = world;
  await call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await call("POST", "/quotes", quoteInput(payer.accountId, payee));
  expect(quote).toMatchObject({ status: "PENDING", totalReceivingAmount: 429_766 });
  const executed = await call("POST", `/quotes/${quote.id}/execute`);
  expect(executed).toMatchObject({ status: 200, body: { status: "PROCESSING" } });

  const advanced = await control("POST", "/clock/advance", { by: "6m" });

  expect(advanced.body).toMatchObject({
    to: "2026-01-05T09:06:00.000Z",
    complete: true,
    fired: [{ at: "2026-01-05T09:06:00.000Z", timer: "payment.settle", to: "COMPLETED" }],
  });
  const { body: transaction } = await call("GET", `/transactions/${quote.transactionId}`);
  expect(transaction).toMatchObject({
    status: "COMPLETED",
    settledAt: "2026-01-05T09:06:00.000Z",
  });
  expect(receiver.types().filter((type) => type.startsWith("OUTGOING"))).toEqual([
    "OUTGOING_PAYMENT.PENDING",
    "OUTGOING_PAYMENT.PROCESSING",
    "OUTGOING_PAYMENT.COMPLETED",
  ]);
  expect(receiver.allVerify(sim.webhookPublicKey)).toBe(true);
});
