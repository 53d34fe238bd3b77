import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CoverageReport } from "../../src/contract/control/coverage.ts";
import { coverageItems } from "../../src/coverage/coverage-items.ts";
import { runExercise } from "../../src/coverage/exercise-run.ts";
import { exerciseSteps, itemNamed } from "../../src/coverage/exercises.ts";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";
import { isCampaign } from "../setup/campaign.ts";
import { sendTo } from "./setup/exercised.ts";

const COMMAND = /^service-sim coverage --exercise (?:'(\S+)'|([\w.:-]+))$/;
const CALL = /^(GET|POST|PATCH|PUT|DELETE) (\/[^\s<>]+)(?: (\{.*\}))?$/;

/** Does what a line says: the call that it shows, or the steps of the command. */
const follow = async (line: string, sim: LocalSimulator) => {
  const [, quoted, plain] = COMMAND.exec(line) ?? [];
  const item = itemNamed(quoted ?? plain ?? "");
  if (item) return runExercise(exerciseSteps(item), sendTo(sim));
  const [, method = "", path = "", json] = CALL.exec(line) ?? [];
  expect(method, line).not.toBe("");
  const body = json === undefined ? {} : { body: JSON.parse(json) };
  return sendTo(sim)({ method, path, headers: {}, ...body });
};

const coverageOf = async (sim: LocalSimulator): Promise<CoverageReport> =>
  (await sim.fetch(new Request(`${sim.controlUrl}/coverage`))).json();

const missingIn = async (sim: LocalSimulator, group: string) =>
  (await coverageOf(sim)).groups.find(({ name }) => name === group)?.missing ?? [];

const start = () =>
  createSimulator({
    seed: "exercise",
    clock: "manual",
    now: "2026-01-05T09:00:00.000Z",
    webhookTimeoutMs: 200,
  });

// Each in a world of its own in a campaign; otherwise one world a group, counted anew each time.
describe.each(coverageItems())("every item of $group", ({ group, items }) => {
  let sim: LocalSimulator;

  beforeAll(async () => {
    sim = await start();
  });

  afterAll(() => sim.close());

  test.each(items)("%s is met by its line", async (name) => {
    if (isCampaign) {
      await sim.close();
      sim = await start();
    }
    await sim.fetch(new Request(`${sim.controlUrl}/coverage`, { method: "DELETE" }));
    const before = await missingIn(sim, group);
    const missing = before.find((one) => one.name === name);
    expect(before).toHaveLength(items.length);
    await follow(missing?.exercise ?? "", sim);
    expect((await missingIn(sim, group)).map((one) => one.name)).not.toContain(name);
  });
});
