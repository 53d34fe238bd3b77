import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { DESCRIBED_OPERATIONS, nameOf } from "./described-operations.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "./fuzzed-world.ts";
import { PLANTS, type Plant, PlantedProxy } from "./plants.ts";
import { shrunkFindings } from "./shrink.ts";
import { type CampaignOptions, complaintsOf, type Report, runCampaign } from "./wire-campaign.ts";

let world: OpenFuzzedWorld;

beforeAll(async () => {
  world = await openFuzzedWorld(createSimulator);
});

afterAll(() => world.close());

/** Operations that each bug is looked for with: reads, writes, and both surfaces. */
const FEW = new Set([
  "platform.getConfig",
  "platform.listCustomers",
  "platform.createCustomer",
  "platform.createQuote",
  "platform.getCustomer",
  "control.status",
  "control.call",
  "control.webhooks",
]);
const OPERATIONS = DESCRIBED_OPERATIONS.filter((one) => FEW.has(nameOf(one)));

const campaignThrough = async (
  proxy: PlantedProxy,
  options: Partial<CampaignOptions> = {},
): Promise<Report> => {
  const port = await proxy.start();
  try {
    const target = { ...world, port };
    const few = { only: OPERATIONS, requests: 400, deadlineMs: 1_000, mostFindings: 5 };
    return await runCampaign(target, { seed: 2, ...few, ...options });
  } finally {
    await proxy.stop();
  }
};

describe("a planted bug is found", () => {
  test("only where one is", async () => {
    const report = await campaignThrough(new PlantedProxy(world.port, undefined));
    expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
    expect(report.tally.requests).toBeGreaterThanOrEqual(400);
  });

  test.each(PLANTS)("$bug", async (plant) => {
    const report = await campaignThrough(new PlantedProxy(world.port, plant));
    const found = report.tally.findings.filter(({ problem }) => plant.found.test(problem));
    expect(found.length).toBeGreaterThan(0);
    expect(complaintsOf(report, { judgesHeap: false }).length).toBeGreaterThan(0);
  });

  test("an operation that refuses every valid request", async () => {
    const refusing = {
      bug: "a refusal",
      strikes: (request: string) => request.includes("/2025-10-13/config "),
      corrupt: (answer: string) => answer.replace(/^HTTP\/1.1 200/, "HTTP/1.1 404"),
      found: /./,
    };
    const only = OPERATIONS.filter((one) => nameOf(one) === "platform.getConfig");
    const proxy = new PlantedProxy(world.port, refusing);
    const report = await campaignThrough(proxy, { only, requests: 20, mostFindings: 1_000 });
    expect(report.unreached).toEqual(["platform.getConfig"]);
    expect(complaintsOf(report, { judgesHeap: false })[0]).toBe(
      "platform.getConfig answered no valid request with 2xx",
    );
  });

  // What a heap has grown by is measured: another try where the machine was busy.
  test("a leak", { retry: 2 }, async () => {
    const kept: number[][] = [];
    const leak = () => kept.push(Array.from({ length: 25_000 }, (_, at) => at + kept.length));
    const only = OPERATIONS.filter((one) => nameOf(one) === "control.status");
    const proxy = new PlantedProxy(world.port, undefined, leak);
    const report = await campaignThrough(proxy, { only, requests: 800, perLane: 10 });
    expect(report.heap.length).toBeGreaterThan(5);
    const complaints = complaintsOf(report, { judgesHeap: true });
    expect(complaints).toEqual([expect.stringMatching(/^the heap grew by \d/)]);
    expect(kept.length).toBeGreaterThan(500);
  });
});

/** Finds a planted bug, and shrinks what found it. */
const shrunkThrough = async (plant: Plant, options: Partial<CampaignOptions>) => {
  const proxy = new PlantedProxy(world.port, plant);
  const target = { ...world, port: await proxy.start() };
  try {
    const few = { seed: 1, requests: 200, deadlineMs: 1_000, mostFindings: 1, ...options };
    const { tally } = await runCampaign(target, few);
    const shrunk = await shrunkFindings(target, tally.findings, { deadlineMs: 1_000, most: 1 });
    return shrunk.map(({ bytes }) => bytes.map((each) => each.toString("latin1")));
  } finally {
    await proxy.stop();
  }
};

const only = (...names: string[]) => OPERATIONS.filter((one) => names.includes(nameOf(one)));
const [SURROGATE] = PLANTS as [Plant];

describe("a finding is shrunk", () => {
  test("to the bytes that matter", async () => {
    const few = { only: only("platform.createCustomer"), kinds: ["hostile" as const] };
    const [found] = await shrunkThrough(SURROGATE, { ...few, requests: 400 });
    expect(found).toHaveLength(2);
    expect(found?.[0]).toContain("POST /_sim/worlds HTTP/1.1");
    expect(found?.[1]).toMatch(
      /^POST \/2025-10-13\/customers HTTP\/1.1\r\n\r\n.{0,4}\\ud[89a-f].{0,4}$/,
    );
  });

  test("to the earlier call that it needs", async () => {
    let isArmed = false;
    const plant: Plant = {
      ...SURROGATE,
      strikes: (request) => {
        if (request.startsWith("POST /_sim/worlds ")) isArmed = false;
        if (request.startsWith("POST /2025-10-13/customers ")) isArmed = true;
        return isArmed && request.startsWith("GET /2025-10-13/config ");
      },
    };
    const few = { only: only("platform.createCustomer", "platform.getConfig", "control.status") };
    const [found] = await shrunkThrough(plant, { ...few, kinds: ["valid"] });
    expect(found?.map((text) => text.split("\r\n")[0])).toEqual([
      "POST /_sim/worlds HTTP/1.1",
      "POST /2025-10-13/customers HTTP/1.1",
      "GET /2025-10-13/config HTTP/1.1",
    ]);
  });

  test("not where it does not come again", async () => {
    let count = 0;
    const plant: Plant = {
      ...SURROGATE,
      strikes: (request) => request.includes("/config ") && ++count === 1,
    };
    const few = { only: only("platform.getConfig"), kinds: ["valid" as const] };
    expect(await shrunkThrough(plant, few)).toEqual([]);
  });
});
