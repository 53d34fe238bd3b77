import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatSnapshots } from "../../../src/cli/commands/snapshot/list.ts";
import { styleOn } from "../../cli/setup/styles.ts";
import type { TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

let directory: StateDirectory;
let world: TestSimulator;

beforeEach(async () => {
  directory = new StateDirectory();
  world = await reopen(directory);
  for (const name of ["a", "b", "c"]) await world.control("PUT", `/snapshots/${name}`);
});

afterEach(async () => {
  await world.sim.close();
  directory.remove();
});

const kept = (name: string, ...path: string[]) =>
  directory.world("snapshots", `${name}~1`, ...path);

const flip = (file: string, at: number) => {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

/** The first file that a snapshot reads its records from. */
const segmentOf = (name: string) => {
  const folder = kept(name, "origin", "journal");
  return join(folder, readdirSync(folder)[0] ?? "");
};

const listed = async () => (await world.control("GET", "/snapshots")).body;

test("whole snapshots are listed, and no damage is", async () => {
  expect((await listed()).data).toHaveLength(3);
  expect((await listed()).damaged).toBeUndefined();
});

test.each([
  {
    what: "description is damaged",
    damage: () => {
      flip(kept("b", "line.json"), 200);
      return kept("b", "line.json");
    },
  },
  {
    what: "description is gone",
    damage: () => {
      writeFileSync(kept("b", "line.json"), "");
      return kept("b", "line.json");
    },
  },
])("a snapshot whose $what is listed with its file after the next start", async ({ damage }) => {
  await world.sim.close();
  const file = damage();
  world = await reopen(directory);
  const { data, damaged } = await listed();
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["a", "c"]);
  expect(damaged).toEqual([{ name: "b", found: expect.stringContaining(file) }]);
});

test("a snapshot whose file is shorter is listed as damaged, refused by name and removed", async () => {
  await world.sim.close();
  const file = segmentOf("b");
  // A copy of the file is cut: the other snapshots link the file itself.
  const bytes = readFileSync(file);
  rmSync(file);
  writeFileSync(file, bytes.subarray(0, -1));
  world = await reopen(directory);
  const { data, damaged } = await listed();
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["a", "c"]);
  expect(damaged).toEqual([{ name: "b", found: expect.stringContaining(file) }]);
  for (const [method, path] of [
    ["POST", "/snapshots/b/restore"],
    ["GET", "/snapshots/b/export"],
    ["GET", "/diff?from=snapshot:b"],
    ["POST", "/worlds"],
  ] as const) {
    const body = path === "/worlds" ? { from: "snapshot:b" } : undefined;
    const answer = await world.control(method, path, body);
    expect(answer.status).toBe(503);
    const text = JSON.stringify(answer.body);
    expect(text).toContain("the snapshot b is damaged");
    expect(text).toContain(file);
    expect(text).toContain("service-sim snapshot remove b");
  }
  expect((await world.control("POST", "/snapshots/a/restore")).status).toBe(200);
  expect((await world.control("DELETE", "/snapshots/b")).status).toBe(204);
  expect((await listed()).damaged).toBeUndefined();
});

test("a snapshot with a flipped bit is listed as damaged once somebody has tried to load it", async () => {
  const file = segmentOf("b");
  const bytes = readFileSync(file);
  rmSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect((await world.control("POST", "/snapshots/b/restore")).status).toBe(503);
  expect((await listed()).damaged).toEqual([
    { name: "b", found: expect.stringContaining("a wrong checksum") },
  ]);
});

test("the command line shows damage below the whole snapshots", async () => {
  const data = [{ name: "a", records: 3, now: "2026-01-05T09:00:00.000Z" }];
  const damaged = [{ name: "b", found: "no file in b" }];
  const lines = formatSnapshots({ data, damaged }, await styleOn(false));
  expect(lines.at(-1)).toBe("✗ b is damaged: no file in b");
});
