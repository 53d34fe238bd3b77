import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CoverageReport } from "../../src/contract/control/coverage.ts";
import { REVISIONS, type Revision } from "../../src/contract/core/revision-names.ts";
import { coverageItems } from "../../src/coverage/coverage-items.ts";
import { createSimulator, type LocalSimulator } from "../../src/simulator.ts";
import { isCampaign } from "../setup/campaign.ts";
import { follow } from "./setup/exercised.ts";

const coverageOf = async (sim: LocalSimulator): Promise<CoverageReport> =>
  (await sim.fetch(new Request(`${sim.controlUrl}/coverage`))).json();

const missingIn = async (sim: LocalSimulator, group: string) =>
  (await coverageOf(sim)).groups.find(({ name }) => name === group)?.missing ?? [];

const start = (revision: Revision) =>
  createSimulator({
    revision,
    seed: "exercise",
    clock: "manual",
    now: "2026-01-05T09:00:00.000Z",
    webhookTimeoutMs: 200,
  });

/** Items that a world without other options cannot meet (spec/coverage.md#out-of-reach). */
const OUT_OF_REACH: Record<Revision, readonly string[]> = {
  "2025-10": [],
  "2026-08": ["walletProof.sandbox-valid-oidc-token", "UNAVAILABLE", "incoming.refund"],
};

const GROUPS = REVISIONS.flatMap((revision) =>
  coverageItems(revision).map(({ group, items }) => ({
    revision,
    group,
    items: items.filter((name) => !OUT_OF_REACH[revision].includes(name)),
  })),
);

// Each in a world of its own in a campaign; otherwise one world a group, counted again each time.
describe.each(GROUPS)("every item of $group in $revision", ({ group, items, revision }) => {
  let sim: LocalSimulator;
  const lines = new Map<string, string>();

  beforeAll(async () => {
    sim = await start(revision);
    for (const { name, exercise } of await missingIn(sim, group)) lines.set(name, exercise);
    expect([...lines.keys()]).toEqual(items);
  });

  afterAll(() => sim.close());

  test.each(items)("%s is met by its line", async (name) => {
    if (isCampaign) {
      await sim.close();
      sim = await start(revision);
    }
    await sim.fetch(new Request(`${sim.controlUrl}/coverage`, { method: "DELETE" }));
    await follow(lines.get(name) ?? "", sim);
    expect((await missingIn(sim, group)).map((one) => one.name)).not.toContain(name);
  });

  // Otherwise a line could be taken for what one before it has met.
  test("is missing again after a deletion", async () => {
    await sim.fetch(new Request(`${sim.controlUrl}/coverage`, { method: "DELETE" }));
    expect((await missingIn(sim, group)).map((one) => one.name)).toEqual(items);
  });
});
