import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDirectory } from "../../../../src/cli/tasks/doctor-state.ts";
import { machineWall } from "../../../../src/runtime/ports.ts";
import { convertState } from "../../../../src/storage/file/convert/convert-format.ts";
import { repairState } from "../../../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../../../src/storage/file/doctor/state-check.ts";
import { machineFolders } from "../../../../src/storage/file/timeline/folder-calls.ts";
import { openWorld } from "../../../../src/storage/open-world.ts";
import { change, directoryFor, openDisk, seen, stepsOf } from "../../setup/disk-world.ts";
import { contents, everything, filledBefore, namesIn } from "../../setup/filled-before.ts";
import { recordOf } from "../../setup/format-before.ts";

/** The last segment of the first world that has a record. */
const lastSegment = (root: string): string => {
  const journal = join(root, "journal");
  const segments = readdirSync(journal)
    .filter((name) => /^[0-9]/.test(name))
    .sort()
    .map((name) => join(journal, name));
  return segments.findLast((segment) => statSync(segment).size > 0) ?? "";
};

test.each([
  ["line 0", {}, false],
  ["line 0 with a checkpoint", { rounds: 1 }, true],
  ["line 0 after several checkpoints", { rounds: 3 }, true],
  ["a later line", { isRewound: true }, false],
  ["a later line with checkpoints", { isRewound: true, rounds: 3 }, true],
])("%s is the same world in this format, and the old folder stays as it was", async (...row) => {
  const [, given, hasCheckpoint] = row;
  const { directory, before } = await filledBefore(given);
  const old = contents(directory);
  const manifests = Object.keys(old).filter((name) =>
    /^(line-[0-9]+\/)?checkpoint\/[^/]+\/manifest\.json$/.test(name),
  );
  expect(manifests.length > 0).toBe(hasCheckpoint);
  const world = await openDisk(directory);
  expect(await everything(world)).toEqual(before);
  expect(world.earlierOwner).toBe(
    `the state was converted from format 4 to 5; as it was it stands in ${join(directory, "old-1")}`,
  );
  await change(world, stepsOf(2));
  const after = await everything(world);
  await world.close();
  expect(namesIn(directory)).toEqual(["old-1", "worlds"]);
  expect(contents(join(directory, "old-1"))).toEqual(old);
  const again = await openDisk(directory);
  expect(again.earlierOwner).toBeUndefined();
  expect(await everything(again)).toEqual(after);
  await again.close();
});

test("worlds and kept states share their segments as before", async () => {
  const { directory } = await filledBefore();
  await (await openDisk(directory)).close();
  const inFirst = join(directory, "worlds", "sandbox");
  const shared = [
    join(inFirst, "line-0", "journal", "1-1"),
    join(inFirst, "snapshots", "a~1", "origin", "journal", "0"),
    join(directory, "worlds", "fork", "start", "origin", "journal", "0"),
  ].map((file) => statSync(file).ino);
  expect(new Set(shared).size).toBe(1);
});

test("uploaded files are linked, and worlds at rest keep their lists of them", async () => {
  const { directory } = await filledBefore();
  const name = `${"0".repeat(64)}.bin`;
  mkdirSync(join(directory, "files"));
  writeFileSync(join(directory, "files", name), "a document");
  const { ino } = statSync(join(directory, "files", name));
  const placing = { calls: machineFolders, fsync: false, lock: { number: 7 } };
  const asideIn = await convertState(directory, { ...placing, tellCopies: () => {} });
  expect(asideIn).toBe(join(directory, "old-1"));
  for (const root of [directory, join(directory, "old-1")])
    expect(statSync(join(root, "files", name)).ino).toBe(ino);
  expect(existsSync(join(directory, "old-1", "lock.7"))).toBe(true);
  expect(existsSync(join(directory, "worlds", "fork", "summary.json"))).toBe(true);
});

test("a torn tail is cut off, as it was before", async () => {
  const { directory, before } = await filledBefore();
  const torn = '0a1b2c3d 400 {"v":4,"seq":';
  appendFileSync(lastSegment(directory), torn);
  const world = await openDisk(directory);
  expect(world.recovery.tornBytes).toBe(torn.length);
  expect(await everything(world)).toEqual(before);
  await world.close();
});

/** Ways to damage a state of format 4, and what a start says then. */
const DAMAGES: [what: string, damage: (root: string) => void, error: string, message: RegExp][] = [
  [
    "a damaged line",
    (root) => {
      const bytes = readFileSync(lastSegment(root));
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      writeFileSync(lastSegment(root), bytes);
    },
    "JournalDamage",
    /at byte 0 of \S+\/convert-[^/]+\/journal\/\S+ but found a wrong checksum/,
  ],
  [
    "a record of another format",
    (root) => {
      const [line = ""] = readFileSync(lastSegment(root), "utf8").split("\n");
      const json = line.slice(line.indexOf("{")).replace('"v":4', '"v":3');
      writeFileSync(lastSegment(root), recordOf(json));
    },
    "OtherFormat",
    /found 3 in \S+\/convert-[^/]+\/journal/,
  ],
  [
    "a lost identity",
    (root) => rmSync(join(root, "identity.json")),
    "StateDamage",
    /in \S+\/convert-[^/]+\/identity\.json but found no file/,
  ],
  [
    "a missing end",
    (root) => truncateSync(lastSegment(root), 0),
    "StateDamage",
    /\/convert-[^/]+\/journal/,
  ],
];

test.each(DAMAGES)("%s is refused by name, and nothing is changed", async (...given) => {
  const [, damage, name, message] = given;
  const { directory } = await filledBefore();
  damage(directory);
  const files = contents(directory);
  await expect(openDisk(directory)).rejects.toMatchObject({
    name,
    message: expect.stringMatching(message),
  });
  expect(contents(directory)).toEqual(files);
  expect(namesIn(directory)).not.toContain("old-1");
});

test("a repair converts a damaged state, and keeps what is whole", async () => {
  const { directory } = await filledBefore();
  const bytes = readFileSync(lastSegment(directory));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(lastSegment(directory), bytes);
  const old = contents(directory);
  const lines = bytes.toString("latin1").split("\n").length - 1;
  expect(await checkState(directory)).toMatchObject({ isConvertible: true });
  expect(await repairState(directory)).toMatchObject({ givenUp: lines });
  expect(contents(join(directory, "old-1"))).toEqual(old);
  const world = await openDisk(directory);
  expect(Object.keys((await seen(world)).kept)).toEqual(["a"]);
  await world.close();
});

test("a repair of a whole state converts it, and says so", async () => {
  const { directory, before } = await filledBefore();
  const asideIn = join(directory, "old-1");
  expect(await checkDirectory(directory, "")).toContainEqual({
    check: "state",
    ok: true,
    isWarning: true,
    found: `${directory} has a state of format 4; start converts it once, and keeps it aside as it is`,
  });
  expect(await repairState(directory)).toEqual({
    kept: before.state.meta.seq,
    givenUp: 0,
    asideIn,
    changes: [`the state was converted to this version; as it was it stands in ${asideIn}`],
  });
  expect(await repairState(directory)).toBeUndefined();
});

test("a damaged fork and a damaged snapshot stay damaged, and the others are there", async () => {
  const { directory } = await filledBefore();
  const kept = join(directory, "snapshots", "a~1", "origin", "journal", "0");
  rmSync(join(directory, "worlds", "fork", "world.json"));
  const bytes = readFileSync(kept);
  rmSync(kept);
  writeFileSync(kept, bytes.subarray(1));
  const world = await openDisk(directory);
  expect((await world.others?.list())?.damaged.map(({ name }) => name)).toEqual(["fork"]);
  await world.close();
  const { damagedFolders } = await checkState(directory);
  expect(damagedFolders.map(({ what }) => what)).toEqual(["snapshot a", "world fork"]);
});

test("a start that is refused tells the next one of the conversion", async () => {
  const { directory, before } = await filledBefore();
  const other = openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { seed: "another" },
  });
  await expect(other).rejects.toThrow(/^Expected --seed s, which the state in/);
  const world = await openDisk(directory);
  expect(world.earlierOwner).toMatch(/^the state was converted from format 4 to 5; as it was/);
  expect(await everything(world)).toEqual(before);
  await world.close();
  expect(namesIn(directory)).not.toContain("old-1.new");
});

test("a fresh start sets a state of format 4 aside as it is", async () => {
  const { directory } = await filledBefore();
  const old = contents(directory);
  const world = await openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    fresh: true,
    identity: {},
  });
  expect(world).toMatchObject({ isNew: true, asideIn: join(directory, "old-1") });
  expect(world.earlierOwner).toBeUndefined();
  await world.close();
  expect(contents(join(directory, "old-1"))).toEqual(old);
});

test("folders of the user's with names of format 4 are no state of it", async () => {
  const directory = directoryFor("convert-foreign-");
  mkdirSync(join(directory, "journal"));
  writeFileSync(join(directory, "journal", "monday.txt"), "rain");
  writeFileSync(join(directory, "identity.json"), "{}");
  const world = await openDisk(directory);
  await world.close();
  expect(namesIn(directory)).toEqual(["identity.json", "journal", "worlds"]);
});
