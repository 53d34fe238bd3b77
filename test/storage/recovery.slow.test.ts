import { readFileSync, statSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Kind } from "../../src/domain/records/records.ts";
import { KINDS } from "../../src/domain/records/tables.ts";
import { type Change, readSegment } from "../../src/runtime/change.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { createSimulator } from "../../src/simulator.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { recordShortRun, type ShortRun, wholeRecords } from "../runtime/setup/short-run.ts";
import { isCampaign } from "../setup/campaign.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let run: ShortRun;
let directory: StateDirectory;

beforeAll(async () => {
  run = await recordShortRun();
  directory = new StateDirectory();
});

beforeEach(() => {
  directory.remove();
  new JournalDirectory(directory.journal);
});

afterAll(() => directory.remove());

const jsonOf = (line: string): Change => JSON.parse(line.slice(line.indexOf("{")));

/** A second, simple reading of the journal: the records of a prefix, and its balances. */
const replay = (records: number) => {
  const found = new Map<string, unknown>();
  const balances = new Map<string, bigint>();
  for (const line of run.lines.slice(0, records)) {
    const { put = [], del = [], post = [], emit = [] } = jsonOf(line);
    for (const [kind, record] of put) found.set(`${kind} ${record.id}`, record);
    for (const { id, body } of emit) found.set(`Event ${id}`, { id, body });
    for (const [kind, id] of del) found.delete(`${kind} ${id}`);
    for (const [account, currency, minor] of post) {
      const key = `${account} ${currency}`;
      balances.set(key, (balances.get(key) ?? 0n) + BigInt(minor));
    }
  }
  return { found, balances };
};

const recordsOf = (state: WorldState) => {
  const read = (kind: Kind) =>
    [...state.ids(kind, "all", "")].map((id) => [`${kind} ${id}`, state.get(kind, id)] as const);
  // Deliveries have no records of their own in the journal: they follow from emitted events.
  return new Map(KINDS.filter((kind) => kind !== "Delivery").flatMap(read));
};

const recovered = (bytes: Buffer) => {
  const state = new WorldState();
  const segment = { file: "1-1", bytes };
  const read = readSegment(segment, { seq: 1, isLast: true }, (change) => state.apply(change));
  return { state, ...read };
};

const totalsOf = (state: WorldState) => {
  const totals: Record<string, bigint> = {};
  for (const { currency, minor } of state.allBalances())
    totals[currency] = (totals[currency] ?? 0n) + minor;
  return totals;
};

test("a journal cut at any byte gives the records before the cut, balanced", () => {
  // All are tried beside each line's end, every fifth one elsewhere; a campaign tries them all.
  const isNear = (length: number) => run.ends.some((end) => Math.abs(length - end) < 40);
  for (let length = 0; length <= run.bytes.length; length += 1) {
    if (!isCampaign && length % 5 !== 0 && !isNear(length)) continue;
    const { state, wholeBytes, nextSeq } = recovered(run.bytes.subarray(0, length));
    const records = wholeRecords(run, length);
    const isPrefix =
      state.seq === records &&
      nextSeq === records + 1 &&
      wholeBytes === (run.ends[records - 1] ?? 0);
    if (!isPrefix)
      throw new Error(`Expected ${records} records at byte ${length} but found ${state.seq}`);
    const amounts = state.allBalances().filter(({ account }) => !account.startsWith("Ledger:"));
    if (Object.values(totalsOf(state)).some((total) => total !== 0n))
      throw new Error(`Expected a balanced ledger at byte ${length} but found one that is not`);
    if (amounts.some(({ minor }) => minor < 0n))
      throw new Error(`Expected no overdrawn account at byte ${length} but found one`);
  }
});

test("each prefix holds exactly the records and balances that its lines say", () => {
  for (const [at, end] of run.ends.entries()) {
    const { state } = recovered(run.bytes.subarray(0, end + 10));
    const expected = replay(at + 1);
    expect(recordsOf(state)).toEqual(expected.found);
    for (const { account, currency, minor } of state.allBalances())
      expect(minor).toBe(expected.balances.get(`${account} ${currency}`));
    expect(state.allBalances()).toHaveLength(expected.balances.size);
    expect(state.counter).toBe(jsonOf(run.lines[at]!).n);
  }
});

const cuts = [
  { name: "within the first header", at: () => 5, keeps: 0 },
  { name: "just after the first record", at: () => run.ends[0]!, keeps: 1 },
  { name: "one byte into the second record", at: () => run.ends[0]! + 1, keeps: 1 },
  { name: "in the middle of the fifth record", at: () => run.ends[3]! + 1000, keeps: 4 },
  { name: "before the line end of the last record", at: () => run.bytes.length - 1, keeps: 7 },
  { name: "nowhere", at: () => run.bytes.length, keeps: 8 },
];

test.each(cuts)("a tail torn $name is cut off the file", ({ at, keeps }) => {
  const end = run.ends[keeps - 1] ?? 0;
  directory.write("1-1", run.bytes.subarray(0, at()));
  const state = new WorldState();
  const report = new JournalDirectory(directory.journal).recover((change) => state.apply(change));
  const tornBytes = at() - end;
  expect(report).toMatchObject({
    records: keeps,
    tornBytes,
    ...(tornBytes > 0 && { tornFile: directory.segment("1-1") }),
  });
  expect(state.seq).toBe(keeps);
  expect(statSync(directory.segment("1-1")).size).toBe(end);
});

test("a torn tail of the last segment leaves the segments before it alone", () => {
  const [a = "", b = "", c = ""] = run.lines;
  directory.write("1-1", a);
  directory.write("2-1", b + c.slice(0, 40));
  const report = new JournalDirectory(directory.journal).recover(() => {});
  expect(report).toMatchObject({ records: 2, tornBytes: 40, tornFile: directory.segment("2-1") });
  expect(directory.contents()).toEqual([
    ["1-1", a],
    ["2-1", b],
  ]);
});

test("a simulator opened on a torn journal continues after what was committed", async () => {
  directory.write("1-1", run.bytes.subarray(0, run.ends[5]! + 50));
  writeFileSync(directory.world("identity.json"), run.identity);
  const options = { storage: directory.url, clock: "manual" } as const;
  const first = await createSimulator(options);
  expect(first.opened).toMatchObject({ isNew: false, records: 6, tornBytes: 50 });
  await first.advance("6m");
  await first.close();

  const second = await createSimulator(options);
  expect(second.opened).toMatchObject({ isNew: false, records: 8, tornBytes: 0 });
  await second.close();
  const states = directory.segments().map((name) => readFileSync(directory.segment(name), "utf8"));
  expect(states.join("")).toContain('"status":"COMPLETED"');
});

test("a simulator refuses a damaged journal, leaves it as it is, and lets the lock go", async () => {
  const damaged = Buffer.from(run.bytes);
  damaged[run.ends[2]! + 200] = 0x7e;
  directory.write("1-1", damaged);
  await expect(createSimulator({ storage: directory.url })).rejects.toMatchObject({
    name: "JournalDamage",
    file: directory.segment("1-1"),
    offset: run.ends[2],
  });
  expect(directory.contents()).toEqual([["1-1", damaged.toString("latin1")]]);

  directory.write("1-1", run.bytes);
  writeFileSync(directory.world("identity.json"), run.identity);
  const repaired = await createSimulator({ storage: directory.url });
  expect(repaired.opened).toMatchObject({ isNew: false, records: 8 });
  await repaired.close();
});

test("what was answered before a stop is answered the same after it", async () => {
  directory.remove();
  const before = await startTestSimulator({ storage: directory.url });
  const created = await before.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const seen = await before.call("GET", `/customers/${created.body.id}`);
  await before.sim.advance("1h");
  const clock = await before.control("GET", "/clock");
  await before.sim.close();

  const { sim } = before;
  const after = await createSimulator({ storage: directory.url });
  expect(after).toMatchObject({
    clientId: sim.clientId,
    clientSecret: sim.clientSecret,
    webhookPublicKey: sim.webhookPublicKey,
  });
  const authorization = `Basic ${btoa(`${after.clientId}:${after.clientSecret}`)}`;
  const url = `${after.apiUrl}/customers/${created.body.id}`;
  const again = await after.fetch(new Request(url, { headers: { authorization } }));
  expect(await again.json()).toEqual(seen.body);
  const now = await after.fetch(new Request(`${after.controlUrl}/clock`));
  expect(await now.json()).toMatchObject({ now: clock.body.now, mode: "manual" });
  await after.close();
});
