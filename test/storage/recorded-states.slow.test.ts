import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FORMAT_BEFORE, FORMAT_VERSION } from "../../src/runtime/change.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { recordedText, recordedVersions } from "../setup/recorded.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "./setup/reopen.ts";
import { StateDirectory } from "./setup/state-directory.ts";

/** State directories as programs of each format left them, written by record-state.mjs. */
const FOLDER = fileURLToPath(new URL("./setup/recorded/", import.meta.url));
const VERSIONS = recordedVersions(FOLDER, /^format-(\d+)\.json\.br$/);

/** Those that this version reads. */
const READ = VERSIONS.filter((version) => version >= 4);

const ADA = "Customer:019b8d6a-42b0-7000-8001-9cf9c52aa2a6";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

const openRecorded = (version: number) => {
  const files: Record<string, string> = JSON.parse(
    recordedText(FOLDER, `format-${version}.json.br`),
  );
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(directory.file(name)), { recursive: true });
    writeFileSync(directory.file(name), text);
  }
  return reopen(directory);
};

const paymentsOf = async ({ call }: TestSimulator) => {
  const { body } = await call("GET", "/transactions?limit=100");
  const rows: string[] = body.data.map(
    ({ id, status, refund }: { id: string; status: string; refund?: { status: string } }) =>
      [id.slice(-6), status, refund?.status ?? "-"].join(" "),
  );
  return rows.sort();
};

const SETTLED = [
  "150d37 FAILED COMPLETED",
  "243510 FAILED COMPLETED",
  "6c9e1e COMPLETED COMPLETED",
  "7d1c12 EXPIRED -",
  "9d1b51 COMPLETED -",
  "a3d6af COMPLETED -",
  "aff583 COMPLETED -",
  "b72124 FAILED COMPLETED",
  "ba9057 FAILED FAILED",
  "f800fb EXPIRED -",
];

test("the format and the one before have a recording; that of 3 is from before the first release", () => {
  expect(VERSIONS).toEqual([3, FORMAT_BEFORE, FORMAT_VERSION]);
});

test("a state directory of format 3 is refused by name, and nothing is changed", async () => {
  await expect(openRecorded(3)).rejects.toThrow(
    /^Expected format version 5 but found 3 in .*: it is from before the first release$/,
  );
  const { otherFormat } = await checkState(directory.path);
  expect(otherFormat?.isNewer).toBe(false);
});

describe.each(READ)("a state directory of format %i", (version) => {
  test("is read, and its payments continue where they were", async () => {
    const world = await openRecorded(version);
    const converted = world.sim.opened.told.filter((note) => /^the state was converted/.test(note));
    expect(converted).toHaveLength(version === FORMAT_BEFORE ? 1 : 0);
    expect((await world.call("GET", `/customers/${ADA}`)).body).toMatchObject({
      fullName: "Ada Byron",
    });
    await world.sim.advance("7m");
    expect(await paymentsOf(world)).toEqual(SETTLED);
    const { body: ledger } = await world.control("GET", "/ledger");
    expect(ledger.totals).toEqual({ BRL: 0, EUR: 0, PHP: 0, USD: 0 });
    expect((await world.control("GET", "/timers")).body.data).toEqual([]);
    await world.sim.close();
    expect(world.alarms).toEqual([]);
  });

  test("is written again, and read again", async () => {
    const first = await openRecorded(version);
    const payments = await paymentsOf(first);
    const { body: clock } = await first.control("GET", "/clock");
    await first.sim.close();
    const second = await reopen(directory);
    expect(await paymentsOf(second)).toEqual(payments);
    expect((await second.control("GET", "/clock")).body.now).toBe(clock.now);
    await second.sim.close();
  });
});

describe.each(READ)("worlds of format %i", (version) => {
  test("a fork has its records, its clock and its credentials", async () => {
    const world = await openRecorded(version);
    const { body } = await world.control("GET", "/worlds");
    expect(body.data).toMatchObject([
      { name: "sandbox", records: 145, now: "2026-01-05T09:09:00.000Z" },
      { name: "refunds", from: "sandbox", now: "2026-01-05T09:08:30.000Z", isLoaded: false },
    ]);
    const { sim } = world;
    const authorization = `Basic ${btoa(`sandbox+refunds:${sim.clientSecret}`)}`;
    const asked = new Request(`${sim.apiUrl}/customers`, { headers: { authorization } });
    const { data } = await (await sim.fetch(asked)).json();
    const names = data.map(({ fullName }: { fullName?: string }) => fullName);
    expect(names).toContain("Only There");
    await sim.close();
  });

  test("snapshots and what a rewind undid can be loaded", async () => {
    const world = await openRecorded(version);
    const { body: kept } = await world.control("GET", "/snapshots");
    expect(kept.data).toEqual([
      { name: "paid", records: 138, now: "2026-01-05T09:08:30.000Z" },
      { name: "before-rewind-1", records: 145, now: "2026-01-05T09:09:30.000Z" },
    ]);
    for (const { name, records, now } of kept.data) {
      const { body } = await world.control("POST", `/snapshots/${name}/restore`);
      expect(body).toMatchObject({ name, records, now });
    }
    await world.sim.close();
  });

  test("an exported snapshot is taken in by a new simulator", async () => {
    const world = await startTestSimulator();
    const file = recordedText(FOLDER, `snapshot-${version}.br`);
    const { body } = await world.control("POST", "/snapshots/import", { file });
    expect(body).toEqual({ name: "paid", records: 138, now: "2026-01-05T09:08:30.000Z" });
    await world.control("POST", "/snapshots/paid/restore");
    await world.sim.advance("7m");
    expect(await paymentsOf(world)).toEqual(SETTLED);
    await world.sim.close();
  });
});
