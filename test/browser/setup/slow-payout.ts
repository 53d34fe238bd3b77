import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";

/** Executes a payment that takes six minutes. */
export const slowPayout = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  return (await world.call("POST", `/quotes/${body.id}/execute`)).body;
};
