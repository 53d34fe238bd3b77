import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OPERATIONS } from "../api/setup/every-operation.ts";
import { callOperation, populate, VALID_BODIES } from "../api/setup/populated.ts";
import { connectAgent, GENEROUS } from "../setup/agents.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayer } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const ASKING = { ...GENEROUS, approvalThresholds: { currency: "USD", amount: 1 } };

let world: TestSimulator;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await new Receiver().start();
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const turns = async (count: number) => {
  for (let at = 0; at < count; at += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Waiting actions of an agent, in a world whose webhooks go to a receiver. */
const askFor = async (count: number) => {
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const { customerId, accountId } = await createPayer(world, 100_000);
  const bankId = await createBank(world, customerId);
  const agent = await connectAgent(world, customerId, ASKING);
  const actions: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const body = transferInput(accountId, bankId, 1_000 + at);
    actions.push((await agent.call("POST", "/agents/me/transfer-out", body)).body.id);
  }
  return { actions, agent };
};

/** An answer of a world, or one that says when to try again; anything else is a bug. */
const expectWhole = ({ status, headers, body }: Answer) => {
  if (status < 500) return;
  const code = body.error?.code ?? body.code;
  expect({ status, code }).toEqual({ status: 503, code: "UNAVAILABLE" });
  expect(headers.get("retry-after")).toBe("1");
};

test.each([0, 1, 2, 3, 4, 5, 7, 9, 12, 16, 20, 30])(
  "approvals and a reset %d turns later are answered from one world or with 503",
  async (later) => {
    const { actions } = await askFor(4);
    const decided = actions.map((id, at) =>
      world.control("POST", `/approvals/${id}/${at % 2 === 0 ? "approve" : "reject"}`, {}),
    );
    await turns(later);
    const reset = await world.control("POST", "/reset");
    expect(reset.status).toBe(200);
    for (const answer of await Promise.all(decided)) expectWhole(answer);
  },
);

test("an approval that waits for a receiver while the world is reset is told so", async () => {
  const { actions } = await askFor(1);
  receiver.behaviour = () => {};
  const decided = world.control("POST", `/approvals/${actions[0]}/approve`);
  await turns(20);
  await world.control("POST", "/reset");
  const answer = await decided;
  expect(answer.status).toBe(503);
  expect(answer.body.error.message).toBe(
    "The world cannot accept this now: it was reset or reloaded during the call",
  );
});

describe("every operation, beside a reset", () => {
  test.each([0, 1, 2, 3, 5, 8])("%d turns later", async (later) => {
    const ids = await populate(world);
    await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const asked = OPERATIONS.filter(({ takesUpload }) => !takesUpload).map((one) =>
      callOperation(world, one, { ids, body: VALID_BODIES[one.operationId]?.(ids) }),
    );
    await turns(later);
    const reset = await world.control("POST", "/reset");
    expect(reset.status).toBe(200);
    for (const answer of await Promise.all(asked)) expectWhole(answer);
  });

  test.each([0, 2, 5, 10])("of the control surface, %d turns later", async (later) => {
    const { actions } = await askFor(2);
    const { body: webhooks } = await world.control("GET", "/webhooks?limit=100");
    const asked = [
      ...webhooks.data.map(({ id }: { id: string }) =>
        world.control("POST", `/webhooks/${id}/resend`, {}),
      ),
      world.control("POST", "/webhooks/trigger", { type: "TEST" }),
      world.control("POST", "/webhooks/check"),
      world.control("POST", "/webhooks/vectors", { vector: "duplicate" }),
      world.control("POST", "/clock/advance", { by: "1h" }),
      world.control("GET", `/why/${actions[0]}`),
      world.control("GET", "/approvals"),
      world.control("POST", "/oidc/token", {}),
      world.control("POST", "/seed", { name: "payouts-demo" }),
    ];
    await turns(later);
    const reset = await world.control("POST", "/reset");
    expectWhole(reset);
    for (const answer of await Promise.all(asked)) expectWhole(answer);
  });
});
