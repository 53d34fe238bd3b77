import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Change, encodeChange, FORMAT_VERSION } from "../../src/runtime/change.ts";
import { repairState } from "../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { createPayer } from "../setup/platform.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { inFirstLine, inFirstWorld } from "./setup/places.ts";

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "service-sim-wrong-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
};

/** Writes a change behind all others: its checksum fits, and no rule has made it. */
const append = (journal: string, of: { seq: number; at: number }, change: Partial<Change>) => {
  const whole = { v: FORMAT_VERSION, seq: of.seq + 1, at: of.at, cause: "x", by: "x", n: 99 };
  const last = readdirSync(journal)
    .filter((name) => /^[0-9]+-[0-9]+$/.test(name))
    .sort()
    .at(-1);
  appendFileSync(join(journal, last as string), encodeChange({ ...whole, ...change }));
};

const START_MS = Date.parse("2026-01-05T09:00:00.000Z");

const stateWith = async (changeOf: (configId: string) => Partial<Change>) => {
  const directory = folder();
  const options = { storage: `file:${directory}` };
  const { sim, control, call } = await startTestSimulator(options);
  await createPayer({ sim, control, call } as never);
  const { body } = await control("GET", "/status");
  const config = (await call("GET", "/config")).body.id;
  await sim.close();
  const of = { seq: body.storage.records, at: START_MS };
  append(inFirstLine(directory, "journal"), of, changeOf(config));
  return { directory, open: () => startTestSimulator(options) };
};

const CASES: { what: string; change: (config: string) => Partial<Change>; says: string }[] = [
  {
    what: "no configuration",
    change: (id) => ({ del: [["PlatformConfig", id]] }),
    says: "Expected one configuration of the platform but found none",
  },
  {
    what: "an instant beyond dates",
    change: () => ({ at: 9e15 }),
    says: "Expected the instant of the last change from 0 to 253402300799999",
  },
  {
    what: "a clock beyond dates",
    change: () => ({ clock: { mode: "manual", offsetMs: 0, instantMs: 9e15 } }),
    says: "Expected an instant of the clock from 0 to 253402300799999",
  },
];

test.each(CASES)("a state with $what is refused by its name, and moved aside", async (row) => {
  const { directory, open } = await stateWith(row.change);
  const wrong = `${row.says}`;
  await expect(open()).rejects.toThrow(wrong);
  await expect(open()).rejects.toThrow(`the state in ${inFirstWorld(directory)} cannot be used`);
  const { lost } = await checkState(directory);
  expect(lost?.message).toContain(wrong);
  const repaired = await repairState(directory);
  expect(repaired?.changes).toContain("the world is lost: the next start begins a new one");
  expect((await checkState(directory)).lost).toBeUndefined();
  const world = await open();
  expect((await world.call("GET", "/customers")).body.totalCount).toBe(0);
  await world.sim.close();
});

test("money from nowhere is found by a look at the state, though a start opens it", async () => {
  const { directory, open } = await stateWith(() => ({ post: [["Ledger:fees", "USD", "5"]] }));
  const { sim } = await open();
  await sim.close();
  const report = await checkState(directory);
  expect(report.wrong).toBe("Expected balances in USD that sum to 0 but found a sum of 5");
  expect(report.lost).toBeUndefined();
  expect(await repairState(directory)).toBeUndefined();
});
