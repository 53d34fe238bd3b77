import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runExercise } from "../../src/coverage/exercise-run.ts";
import { exerciseSteps } from "../../src/coverage/exercises.ts";
import { sendInProcess } from "../../src/scripts/in-process-send.ts";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";

const OPERATIONS = [
  ...["createCredential", "deleteCredential", "verifyCredential", "refreshSession"],
  ...["exportWallet", "createDelegatedKey", "deleteDelegatedKey", "listDelegatedKeys"],
];

// spec/later-wallets.md#encrypted-codes
describe.each(["both", "strict", "magic-only"] as const)("exercises with --crypto %s", (crypto) => {
  let sim: LocalSimulator;

  beforeAll(async () => {
    const now = "2026-01-05T09:00:00.000Z";
    sim = await createSimulator({ revision: "2026-08", seed: "x", clock: "manual", now, crypto });
  });

  afterAll(() => sim.close());

  // In magic-only no token that is made for the exercise signs in.
  const met = OPERATIONS.filter((name) => crypto !== "magic-only" || name !== "deleteCredential");

  test.each(met)("%s is met with sealed codes", async (name) => {
    const steps = exerciseSteps({ group: "operations", name });
    await expect(runExercise(steps, sendInProcess(sim))).resolves.toBeUndefined();
  });
});
