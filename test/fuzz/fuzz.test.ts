import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { chanceOf } from "../simulation/setup/chance.ts";
import { DESCRIBED_OPERATIONS, nameOf } from "./described-operations.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "./fuzzed-world.ts";
import { hostileTry } from "./hostile-requests.ts";
import { PLANTS, PlantedProxy } from "./plants.ts";
import { findingLines, linesOf } from "./report.ts";
import {
  type CampaignOptions,
  complaintsOf,
  heapGrowth,
  type Report,
  runCampaign,
} from "./wire-campaign.ts";

let world: OpenFuzzedWorld;

beforeAll(async () => {
  world = await openFuzzedWorld(createSimulator);
});

afterAll(() => world.close());

/** A campaign in full is `npm run fuzz`; this is a fiftieth of it. */
test("no request out of 4,000 is answered otherwise than documented", async () => {
  const report = await runCampaign(world, { seed: 20_260_105, requests: 4_000 });
  expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
  expect(report.unreached).toEqual([]);
  const { valid, boundary, invalid, hostile } = report.tally.byKind;
  expect(Math.min(valid, boundary, invalid, hostile)).toBeGreaterThan(400);
  expect(report.tally.reached.size).toBe(DESCRIBED_OPERATIONS.length);
  expect([...report.tally.byStatus.keys()]).toEqual(
    expect.arrayContaining(["200", "201", "202", "204", "400", "401", "403", "404", "405", "409"]),
  );
});

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
    return await runCampaign(target, { seed: 1, ...few, ...options });
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

  test("a leak", async () => {
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

const REPORT: Report = {
  tally: {
    requests: 10,
    byKind: { valid: 10, boundary: 0, invalid: 0, hostile: 0 },
    byStatus: new Map([["200", 10]]),
    reached: new Set(),
    findings: [],
  },
  unreached: [],
  heap: [100, 104, 104, 108, 104].map((bytes, at) => ({ requests: at, bytes })),
  alarms: [],
  polluted: [],
  seconds: 1,
};

test.each([
  { says: "an alarm", report: { alarms: ["req-1 met a bug"] }, found: "alarm: req-1 met a bug" },
  {
    says: "a member of every object",
    report: { polluted: ["polluted"] },
    found: "every object has the member polluted",
  },
  {
    says: "a heap that grew by a tenth",
    report: { heap: [100, 100, 100, 105, 110].map((bytes, at) => ({ requests: at, bytes })) },
    found: "the heap grew by 10.0 % in the second half",
  },
])("$says is a complaint", ({ report, found }) => {
  expect(complaintsOf(REPORT, { judgesHeap: true })).toEqual([]);
  expect(complaintsOf({ ...REPORT, ...report }, { judgesHeap: true })).toEqual([found]);
});

test("the same seed makes the same requests, and another one others", () => {
  const hostile = (seed: number) => {
    const { ids, clientId, clientSecret } = world;
    const credentials = { clientId, clientSecret, ownsCredentials: false };
    const source = { chance: chanceOf(seed), ids, ...credentials, world: "w" };
    const tries = OPERATIONS.map((one) => hostileTry(one, source));
    return tries.map(({ sending }) => Buffer.concat(sending.chunks as Buffer[]).toString("latin1"));
  };
  expect(hostile(7)).toEqual(hostile(7));
  expect(hostile(7)).not.toEqual(hostile(8));
});

test("a finding is told with its bytes and the command that repeats it", () => {
  const finding = {
    operation: "platform.getConfig",
    kind: "hostile" as const,
    how: "a path with %",
    problem: "x-sim-request-id is missing",
    lane: 12,
    at: 3,
    bytes: Buffer.from("GET /% HTTP/1.1\r\n\r\n\xff", "latin1"),
    steps: [],
  };
  expect(findingLines(finding, { seed: 7, form: "brand", count: 2 })).toEqual([
    "platform.getConfig: x-sim-request-id is missing",
    "  2 times, first as hostile a path with %, request 3 of lane 12",
    "  bytes   printf 'GET /\\x25 HTTP/1.1\\x0d\\x0a\\x0d\\x0a\\xff' | nc 127.0.0.1 <port>",
    "  shrunk  not: it did not come again in a new world",
    "  server  npm run fuzz -- --form brand --serve",
    "  replay  npm run fuzz -- --seed 7 --form brand --lane 12",
  ]);
  const report = { ...REPORT, tally: { ...REPORT.tally, findings: [finding] } };
  const shrunk = [{ finding, bytes: ["world", "first", "last"].map((text) => Buffer.from(text)), earlier: 2 }];
  const told = { seed: 7, form: "brand", operations: 199, growth: heapGrowth(REPORT.heap), shrunk };
  const lines = linesOf(report, told);
  expect(lines).toContain("findings  1");
  expect(lines).toContain("  shrunk  to 4 bytes, behind 1 of 2 earlier calls");
  expect(lines).toContain("  replay  npm run fuzz -- --seed 7 --form brand --lane 12");
});
