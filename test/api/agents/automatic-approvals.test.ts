import { describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { type ConnectedAgent, connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createBank, transferInput } from "../../setup/banks.ts";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

const ASKING = { ...GENEROUS, defaultExecutionMode: "APPROVAL_REQUIRED" };

const asked = async (world: TestSimulator, amount = 5000) => {
  const { customerId, accountId } = await createPayer(world, 10_000);
  const bankId = await createBank(world, customerId);
  const agent = await connectAgent(world, customerId, ASKING);
  const body = transferInput(accountId, bankId, amount);
  const { body: action } = await agent.call("POST", "/agents/me/transfer-out", body);
  return { agent, action };
};

const became = async (agent: ConnectedAgent, id: string) =>
  (await agent.call("GET", `/agents/me/actions/${id}`)).body;

const inWorld = async (options: SimulatorOptions, run: (world: TestSimulator) => Promise<void>) => {
  const world = await startTestSimulator(options);
  try {
    await run(world);
    expect(world.alarms).toEqual([]);
  } finally {
    await world.sim.close();
  }
};

// spec/agent-actions.md#automatic-decisions
describe("approvals: approve", () => {
  test("the agent gets PENDING_APPROVAL, and the action runs at that instant", async () => {
    await inWorld({ approvals: "approve" }, async (world) => {
      const { agent, action } = await asked(world);
      expect(action.status).toBe("PENDING_APPROVAL");
      const done = await became(agent, action.id);
      expect(done).toMatchObject({ status: "APPROVED", updatedAt: action.createdAt });
      const { body } = await agent.call("GET", "/agents/me");
      expect(body.usage).toMatchObject({ dailyTransactionCount: 1, dailySpend: 5000 });
    });
  });

  test("an obstacle makes it fail, as for a person", async () => {
    await inWorld({ approvals: "approve" }, async (world) => {
      const { agent, action } = await asked(world, 10_001);
      expect(await became(agent, action.id)).toMatchObject({ status: "FAILED" });
    });
  });
});

test("approvals: reject names the simulator in the reason", async () => {
  await inWorld({ approvals: "reject" }, async (world) => {
    const { agent, action } = await asked(world);
    expect(await became(agent, action.id)).toMatchObject({
      status: "REJECTED",
      rejectionReason: "Rejected by the simulator: approvals are set to reject",
    });
  });
});

test("a fixture chooses who decides, from its first step on", async () => {
  await inWorld({ fixture: { name: "decided", approvals: "reject" } }, async (world) => {
    const { agent, action } = await asked(world);
    expect((await became(agent, action.id)).status).toBe("REJECTED");
    expect((await world.control("GET", "/approvals")).body.mode).toBe("reject");
  });
});

test("an unknown mode is refused", async () => {
  const options = { approvals: "maybe" } as unknown as SimulatorOptions;
  await expect(startTestSimulator(options)).rejects.toThrow(
    'Expected approvals to be one of ask, approve, reject but found "maybe"',
  );
});
