import { afterAll, beforeAll, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { DESCRIBED_OPERATIONS, servedOperations } from "./described-operations.ts";
import { formCalled } from "./forms.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "./fuzzed-world.ts";
import { canSucceed } from "./samples.ts";
import { complaintsOf, runCampaign } from "./wire-campaign.ts";

let world: OpenFuzzedWorld;

beforeAll(async () => {
  world = await openFuzzedWorld(createSimulator);
});

afterAll(() => world.close());

/** Parts of a campaign; one in full is `npm run fuzz`. */
test("no request out of 300 is answered otherwise than documented", async () => {
  const report = await runCampaign(world, { seed: 20_260_105, requests: 300 });
  expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
  expect(report.unreached).toEqual([]);
  const { valid, boundary, invalid, hostile } = report.tally.byKind;
  expect(Math.min(valid, boundary, invalid, hostile)).toBeGreaterThan(30);
  const reachable = DESCRIBED_OPERATIONS.filter((one) => canSucceed(one));
  expect(report.tally.reached.size).toBe(reachable.length);
  expect([...report.tally.byStatus.keys()]).toEqual(
    expect.arrayContaining(["200", "201", "202", "204", "400", "401", "403", "404", "405", "409"]),
  );
});

test("nor out of 100 with a brand, a later revision, files and a control token", async () => {
  const form = formCalled("all");
  const other = await openFuzzedWorld(createSimulator, form);
  try {
    const operations = await servedOperations(other, form.base);
    const only = operations.filter((one, at) => at % 4 === 0 || one.operationId === "revealCard");
    const few = { seed: 20_260_105, requests: 100, operations, only };
    const report = await runCampaign(other, few);
    expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
    expect(report.tally.reached).toContain("platform.revealCard");
    expect(await other.reopen()).toEqual([]);
  } finally {
    await other.close();
  }
});
