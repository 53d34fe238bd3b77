import { afterAll, beforeAll, expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";
import { chanceOf } from "../simulation/setup/chance.ts";
import { DESCRIBED_OPERATIONS } from "./described-operations.ts";
import { fewest } from "./fewest.ts";
import { FORMS, seedOfForm, sharesOf } from "./forms.ts";
import { type OpenFuzzedWorld, openFuzzedWorld } from "./fuzzed-world.ts";
import { hostileTry } from "./hostile-requests.ts";
import { findingLines, linesOf } from "./report.ts";
import { complaintsOf, heapGrowth, type Report, runCampaign } from "./wire-campaign.ts";

let world: OpenFuzzedWorld;

beforeAll(async () => {
  world = await openFuzzedWorld(createSimulator);
});

afterAll(() => world.close());

/** A campaign in full is `npm run fuzz`; `wire.apart.test.ts` has more. */
test("no request out of 30 is answered otherwise than documented", async () => {
  const only = DESCRIBED_OPERATIONS.filter((_, at) => at % 8 === 0);
  const report = await runCampaign(world, { seed: 20_260_105, requests: 30, only });
  expect(complaintsOf(report, { judgesHeap: false })).toEqual([]);
  expect(report.unreached).toEqual([]);
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
    const tries = DESCRIBED_OPERATIONS.map((one) => hostileTry(one, source));
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
