import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { chanceOf } from "../simulation/setup/chance.ts";
import { DESCRIBED_OPERATIONS, nameOf, servedOperations } from "./described-operations.ts";
import { fewest } from "./fewest.ts";
import { FORMS, formCalled, seedOfForm, sharesOf } from "./forms.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "./fuzzed-world.ts";
import { hostileTry } from "./hostile-requests.ts";
import { PLANTS, type Plant, PlantedProxy } from "./plants.ts";
import { findingLines, linesOf } from "./report.ts";
import { shrunkFindings } from "./shrink.ts";
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

/** A campaign in full is `npm run fuzz`; these are a part of it. */
test("no request out of 600 is answered otherwise than documented", async () => {
  const report = await runCampaign(world, { seed: 20_260_105, requests: 600 });
  expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
  expect(report.unreached).toEqual([]);
  const { valid, boundary, invalid, hostile } = report.tally.byKind;
  expect(Math.min(valid, boundary, invalid, hostile)).toBeGreaterThan(60);
  expect(report.tally.reached.size).toBe(DESCRIBED_OPERATIONS.length);
  expect([...report.tally.byStatus.keys()]).toEqual(
    expect.arrayContaining(["200", "201", "202", "204", "400", "401", "403", "404", "405", "409"]),
  );
});

test("nor out of 250 with a brand, a later revision, files and a control token", async () => {
  const form = formCalled("all");
  const other = await openFuzzedWorld(createSimulator, form);
  try {
    const operations = await servedOperations(other, form.base);
    const only = operations.filter((one, at) => at % 4 === 0 || one.operationId === "revealCard");
    const few = { seed: 20_260_105, requests: 250, operations, only };
    const report = await runCampaign(other, few);
    expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
    expect(report.tally.reached).toContain("platform.revealCard");
    expect(await other.reopen()).toEqual([]);
  } finally {
    await other.close();
  }
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
    const few = { only: OPERATIONS, requests: 400, deadlineMs: 1_000, mostFindings: 2 };
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

  test("a leak", async () => {
    const kept: number[][] = [];
    const leak = () => kept.push(Array.from({ length: 25_000 }, (_, at) => at + kept.length));
    const only = OPERATIONS.filter((one) => nameOf(one) === "control.status");
    const proxy = new PlantedProxy(world.port, undefined, leak);
    const report = await campaignThrough(proxy, { only, requests: 480, perLane: 10 });
    expect(report.heap.length).toBeGreaterThan(5);
    const complaints = complaintsOf(report, { judgesHeap: true });
    expect(complaints).toEqual([expect.stringMatching(/^the heap grew by \d/)]);
    expect(kept.length).toBeGreaterThan(300);
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

test.each([
  { items: [1, 2, 3, 4, 5, 6, 7, 8], needs: [3, 7], left: [3, 7] },
  { items: [1, 2, 3], needs: [], left: [] },
  { items: [1, 2, 3], needs: [1, 2, 3], left: [1, 2, 3] },
  { items: [5], needs: [5], left: [5] },
])("the fewest of $items that need $needs are $left", async ({ items, needs, left }) => {
  const fails = async (some: readonly number[]) => needs.every((one) => some.includes(one));
  expect(await fewest(items, fails)).toEqual(left);
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
  const shrunk = [
    { finding, bytes: ["world", "first", "last"].map((text) => Buffer.from(text)), earlier: 2 },
  ];
  const told = { seed: 7, form: "brand", operations: 199, growth: heapGrowth(REPORT.heap), shrunk };
  const lines = linesOf(report, told);
  expect(lines).toContain("findings  1");
  expect(lines).toContain("  shrunk  to 4 bytes, behind 1 of 2 earlier calls");
  expect(lines).toContain("  replay  npm run fuzz -- --seed 7 --form brand --lane 12");
});

test("each form has its share of a campaign, the first by the seed", () => {
  const names = (seed: number, requests: number) =>
    sharesOf({ seed, requests }).map(({ form }) => form.name);
  expect(FORMS.map(({ name }) => name)).toEqual([
    "plain",
    "brand",
    "revision",
    "disk",
    "token",
    "worlds",
    "all",
  ]);
  expect(names(7, 200_000)).toEqual(FORMS.map(({ name }) => name));
  expect(names(9, 4_000)).toEqual(["revision", "disk"]);
  expect(names(3, 100)).toEqual(["disk"]);
  expect(sharesOf({ seed: 1, requests: 7_000 }).map(({ requests }) => requests)).toEqual([
    2_334, 2_334, 2_334,
  ]);
  expect(new Set(FORMS.map((form) => seedOfForm(5, form))).size).toBe(FORMS.length);
});
