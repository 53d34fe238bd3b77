import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorage, type Storage } from "unstorage";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { repairState } from "../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { keyFiles, pathOfKey } from "../../src/storage/file/state/key-files.ts";
import { readCheckpoint } from "../../src/storage/file/timeline/checkpoint-files.ts";
import {
  manifests,
  readManifests,
  storeManifest,
} from "../../src/storage/file/timeline/checkpoint-manifest.ts";
import { readState, type StateFiles } from "../../src/storage/file/timeline/read-state.ts";
import { imageOf } from "../runtime/setup/random-world.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { fillState, openSmall } from "./setup/filled-state.ts";
import { inFirstLine } from "./setup/places.ts";

const directoryOf = () => {
  const directory = mkdtempSync(join(tmpdir(), "state-damage-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** Two checkpoints, and a journal that reaches back to the older one only. */
let directory: string;
let expected: ReturnType<typeof imageOf>;
let newest: { manifest: string; chunk: string };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "state-damage-"));
  expected = imageOf(await fillState(directory));
  const storage = keyFiles(inFirstLine(directory));
  const last = (await manifests(storage)).at(-1);
  const sizes = (last?.chunks ?? []).map(({ key }) => ({
    key,
    size: readFileSync(pathOfKey(inFirstLine(directory), key)).length,
  }));
  const smallest = sizes.sort((a, b) => a.size - b.size)[0];
  newest = { manifest: `${last?.folder}:manifest`, chunk: smallest?.key ?? "" };
  const [oldest] = await manifests(storage);
  const begin = new JournalDirectory(inFirstLine(directory, "journal")).beginsAt() ?? 0;
  expect(begin).toBeLessThanOrEqual((oldest?.from ?? 0) + 1);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The same files with images in memory, where damaging them is fast. */
const inMemory = async (): Promise<StateFiles & { storage: Storage }> => {
  const storage = createStorage();
  const disk = keyFiles(inFirstLine(directory));
  for (const key of await disk.getKeys()) await storage.setItemRaw(key, await disk.getItemRaw(key));
  return {
    directory: inFirstLine(directory),
    storage,
    journals: new JournalDirectory(inFirstLine(directory, "journal")),
  };
};

const flipped = (whole: Buffer, bit: number) => {
  const bytes = Buffer.from(whole);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  return bytes;
};

const SAMPLES = 100;

/** Ways to damage a file: flipped bits, cuts, emptiness, zeros. */
function* damages(whole: Buffer) {
  const step = Math.max(1, Math.floor(whole.length / SAMPLES));
  for (let at = 0; at < whole.length; at += step) {
    const bit = at * 8 + (at % 8);
    yield { how: `bit ${bit}`, bytes: flipped(whole, bit) };
    yield { how: `cut at ${at}`, bytes: whole.subarray(0, at) };
  }
  yield { how: "zeros", bytes: Buffer.alloc(whole.length) };
}

const each = (count: number) => Array.from({ length: count }, (_, at) => at);

test("every flipped bit and every cut of a manifest is noticed", async () => {
  const { storage } = await inMemory();
  const whole = (await storage.getItemRaw(newest.manifest)) as Buffer;
  const notice = async (bytes: Buffer, how: string) => {
    await storage.setItemRaw(newest.manifest, bytes);
    const { unusable } = await readManifests(storage);
    if (unusable[0]?.key !== newest.manifest) throw new Error(`Expected ${how} to be noticed`);
  };
  for (const bit of each(whole.length * 8)) await notice(flipped(whole, bit), `bit ${bit}`);
  for (const at of each(whole.length)) await notice(whole.subarray(0, at), `a cut at ${at}`);
});

test("every flipped bit and every cut of a chunk is noticed", async () => {
  const { storage } = await inMemory();
  const whole = (await storage.getItemRaw(newest.chunk)) as Buffer;
  const notice = async (bytes: Buffer, how: string) => {
    await storage.setItemRaw(newest.chunk, bytes);
    const { passedOver } = await readCheckpoint(storage);
    if (passedOver[0]?.key !== newest.chunk) throw new Error(`Expected ${how} to be noticed`);
  };
  for (const bit of each(whole.length * 8)) await notice(flipped(whole, bit), `bit ${bit}`);
  for (const at of each(whole.length)) await notice(whole.subarray(0, at), `a cut at ${at}`);
});

describe.each(["manifest", "chunk"] as const)("a newest checkpoint's damaged %s", (part) => {
  test("is replaced by the one before and reported, whatever the damage", async () => {
    const files = await inMemory();
    const key = newest[part];
    const whole = (await files.storage.getItemRaw(key)) as Buffer;
    const text = JSON.stringify(expected, bigints);
    for (const { how, bytes } of damages(whole)) {
      await files.storage.setItemRaw(key, bytes);
      const { state, passedOver } = await readState(files, { isLookOnly: true });
      const isTold =
        state.seq === expected.meta.seq &&
        passedOver.length === 1 &&
        passedOver[0]?.file === pathOfKey(inFirstLine(directory), key);
      if (!isTold) throw new Error(`Expected ${how} to be told but found it passed in silence`);
      if (JSON.stringify(imageOf(state), bigints) !== text)
        throw new Error(`Expected the same world after ${how} but found another`);
    }
  });

  test("is refused by name where nothing can stand in for it", async () => {
    const files = await inMemory();
    const key = newest[part];
    for (const { folder } of (await manifests(files.storage)).slice(0, -1))
      await files.storage.removeItem(`${folder}:manifest`);
    const whole = (await files.storage.getItemRaw(key)) as Buffer;
    for (const { how, bytes } of damages(whole)) {
      await files.storage.setItemRaw(key, bytes);
      const error = await readState(files, { isLookOnly: true }).catch((thrown) => thrown);
      const isNamed =
        error?.name === "StateDamage" && error.file === pathOfKey(inFirstLine(directory), key);
      if (!isNamed) throw new Error(`Expected ${how} to be refused but found ${error}`);
    }
  });
});

const bigints = (_key: string, value: unknown) =>
  typeof value === "bigint" ? `${value}` : value instanceof Map ? [...value] : value;

/** A copy of the state that a test may damage. */
const copyOfState = async () => {
  const copy = directoryOf();
  await fillState(copy);
  return copy;
};

const pathOfNewest = async (copy: string) => {
  const last = (await manifests(keyFiles(inFirstLine(copy)))).at(-1);
  return pathOfKey(inFirstLine(copy), `${last?.folder}:manifest`);
};

const restart = (copy: string) =>
  startTestSimulator({
    ...({ seed: undefined, now: undefined } as object),
    storage: `file:${copy}`,
  });

test("a start and status report a damaged checkpoint, and the next start finds it repaired", async () => {
  const copy = await copyOfState();
  const file = await pathOfNewest(copy);
  writeFileSync(file, "");
  expect((await checkState(copy)).passedOver).toEqual([{ file, found: "an empty file" }]);

  const world = await restart(copy);
  expect(world.alarms).toEqual([
    `damaged checkpoint skipped: an empty file in ${file}; ` +
      "an older checkpoint or the journal stood in for it",
  ]);
  const { body } = await world.control("GET", "/status");
  expect(body.storage.passedOver).toEqual([{ file, found: "an empty file" }]);
  await world.sim.close();

  expect((await checkState(copy)).passedOver).toEqual([]);
  const again = await restart(copy);
  expect(again.alarms).toEqual([]);
  expect((await again.control("GET", "/status")).body.storage.passedOver).toBeUndefined();
  await again.sim.close();
});

const damageAll = async (copy: string) => {
  const storage = keyFiles(inFirstLine(copy));
  const all = await manifests(storage);
  for (const { folder } of all)
    writeFileSync(pathOfKey(inFirstLine(copy), `${folder}:manifest`), "{}");
  return pathOfKey(inFirstLine(copy), `${all.at(0)?.folder}:manifest`);
};

test("without a checkpoint that can be read a start is refused; a repair says what is lost", async () => {
  const copy = await copyOfState();
  const before = imageOf((await readState(filesAt(copy), { isLookOnly: true })).state);
  const file = await damageAll(copy);
  const begins = new JournalDirectory(inFirstLine(copy, "journal")).beginsAt();
  const message =
    `Expected a whole checkpoint in ${file} but found no header; the journal begins at ` +
    `change ${begins} and cannot replace it, nothing changed`;
  await expect(openSmall(copy)).rejects.toMatchObject({ name: "StateDamage", message });
  expect((await checkState(copy)).lost?.message).toBe(message);

  expect(await repairState(copy)).toEqual({
    kept: 0,
    givenUp: before.meta.seq,
    asideIn: expect.stringMatching(/damaged\/\d+$/),
    changes: ["the world is lost: the next start begins a new one"],
  });
  const world = await openSmall(copy);
  expect(world.isNew).toBe(true);
  await world.close();
});

const filesAt = (copy: string): StateFiles => ({
  directory: inFirstLine(copy),
  storage: keyFiles(inFirstLine(copy)),
  journals: new JournalDirectory(inFirstLine(copy, "journal")),
});

test("an unreadable checkpoint without a journal does not begin a new world", async () => {
  const copy = await copyOfState();
  await damageAll(copy);
  rmSync(inFirstLine(copy, "journal"), { recursive: true });
  await expect(openSmall(copy)).rejects.toMatchObject({
    name: "StateDamage",
    message: expect.stringContaining("the journal is empty and cannot replace it"),
  });
});

test("a checkpoint that shows changes which the journal has lost is not used", async () => {
  const copy = await copyOfState();
  const storage = keyFiles(inFirstLine(copy));
  const last = (await manifests(storage)).at(-1);
  const journals = new JournalDirectory(inFirstLine(copy, "journal"));
  if (last) await storeManifest(storage, { ...last, to: 100_000 });
  const { state, passedOver, recovery } = await readState(filesAt(copy), { isLookOnly: true });
  expect(passedOver).toEqual([
    {
      file: pathOfKey(inFirstLine(copy), `${last?.folder}:manifest`),
      found: `changes up to 100000, but only ${recovery.records} in the journal`,
    },
  ]);
  expect(state.seq).toBe(recovery.records);
  expect(journals.names().length).toBeGreaterThan(0);
});

test("files that are none of ours are passed by", async () => {
  const copy = await copyOfState();
  const before = imageOf((await readState(filesAt(copy), { isLookOnly: true })).state);
  for (const folder of ["zzz", "000000000001", "999999999999-x y", "folder:odd"])
    mkdirSync(inFirstLine(copy, "checkpoint", folder));
  for (const name of ["zzz/manifest.json", "999999999999-x y/manifest.json", "stray.json", ".json"])
    writeFileSync(inFirstLine(copy, "checkpoint", name), "{}");
  mkdirSync(inFirstLine(copy, "checkpoint", "999999999999-beef", "manifest.json"), {
    recursive: true,
  });
  mkdirSync(inFirstLine(copy, "journal", "99-1"));
  for (const name of ["1e9-1", "999999999999999999999-1", "3-1.bak"])
    writeFileSync(inFirstLine(copy, "journal", name), "garbage");
  for (const name of ["lock.99999999999999999999", "lock.007", "lock.bak"])
    writeFileSync(join(copy, name), "garbage");
  const { state, passedOver } = await readState(filesAt(copy), { isLookOnly: true });
  expect(imageOf(state)).toEqual(before);
  expect(passedOver).toEqual([
    {
      file: inFirstLine(copy, "checkpoint", "999999999999-beef", "manifest.json"),
      found: "EISDIR",
    },
  ]);
  const world = await openSmall(copy);
  expect(imageOf(world.engine.state)).toEqual(before);
  await world.close();
  expect(readdirSync(inFirstLine(copy, "checkpoint"))).toEqual(expect.arrayContaining(["zzz"]));
});
