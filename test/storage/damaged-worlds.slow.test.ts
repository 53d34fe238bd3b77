import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../src/runtime/past/restore-points.ts";
import { repairState } from "../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { imageOf } from "../runtime/setup/random-world.ts";
import { change, directoryFor, openDisk, stepsOf, turned } from "./setup/disk-world.ts";
import { inFirstLine, inFirstWorld } from "./setup/places.ts";

const flip = (path: string) => {
  const bytes = readFileSync(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0x01;
  writeFileSync(path, bytes);
};

/** A directory with two worlds and kept states. */
const filled = async () => {
  const directory = directoryFor("damaged-worlds-");
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  const points = world.points as RestorePoints;
  await points.save("a");
  await points.save("b");
  for (const name of ["bad", "good"]) {
    const fork = await world.fork({ name, clientId: name });
    await change(fork, stepsOf(3));
    await (fork.points as RestorePoints).save("own");
    await fork.close();
  }
  await change(world, stepsOf(2));
  await points.switchTo(turned(world, world.engine.state.fork()));
  const before = imageOf(world.engine.state);
  await world.close();
  return { directory, before };
};

test("a whole directory has no damage, and inspecting it changes nothing", async () => {
  const { directory, before } = await filled();
  const files = readdirSync(directory, { recursive: true }).sort();
  const report = await checkState(directory);
  expect(report).toMatchObject({ damagedFolders: [], passedOver: [], records: before.meta.seq });
  expect(report.lost).toBeUndefined();
  expect(readdirSync(directory, { recursive: true }).sort()).toEqual(files);
  expect(await repairState(directory)).toBeUndefined();
});

test("a damaged world and a damaged snapshot are named and moved aside; the others stay", async () => {
  const { directory, before } = await filled();
  const [segment = ""] = readdirSync(join(directory, "worlds", "bad", "line-0", "journal"));
  flip(join(directory, "worlds", "bad", "line-0", "journal", segment));
  flip(inFirstWorld(directory, "snapshots", "a~1", "line.json"));
  flip(join(directory, "worlds", "good", "snapshots", "own~1", "line.json"));
  const { damagedFolders } = await checkState(directory);
  expect(damagedFolders.map(({ what }) => what)).toEqual([
    "snapshot a",
    "world bad",
    "snapshot own of world good",
  ]);
  expect(damagedFolders[1]?.found).toContain(join("worlds", "bad", "line-0", "journal", segment));

  const repaired = await repairState(directory);
  expect(repaired?.changes).toEqual([
    "the snapshot a is lost: its folder was moved aside",
    "the world bad is lost: its folder was moved aside",
    "the snapshot own of world good is lost: its folder was moved aside",
  ]);
  expect(readdirSync(repaired?.asideIn ?? "").sort()).toEqual(["a~1", "bad", "own~1"]);
  expect((await checkState(directory)).damagedFolders).toEqual([]);
  const world = await openDisk(directory);
  expect(imageOf(world.engine.state)).toEqual(before);
  expect((world.points as RestorePoints).list().map(({ name }) => name)).toEqual(["b"]);
  expect((await world.others?.list())?.worlds.map(({ name }) => name)).toEqual(["good"]);
  await world.close();
});

test("a default world whose line is damaged is refused by name, and repaired as lost", async () => {
  const { directory } = await filled();
  const file = inFirstWorld(directory, "line-1", "line.json");
  flip(file);
  await expect(openDisk(directory)).rejects.toMatchObject({ name: "StateDamage", file });
  expect((await checkState(directory)).lost).toMatchObject({ part: "line", file });
  const repaired = await repairState(directory);
  expect(repaired?.changes).toEqual(["the world is lost: the next start begins a new one"]);
  expect(existsSync(join(repaired?.asideIn ?? "", "line-1"))).toBe(true);
  const world = await openDisk(directory);
  expect(world.isNew).toBe(true);
  expect((await world.others?.list())?.worlds.map(({ name }) => name)).toEqual(["bad", "good"]);
  await world.close();
});

test("a repair of the journal leaves what a kept state links", async () => {
  const directory = directoryFor("damaged-linked-");
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  await (world.points as RestorePoints).save("a");
  await world.close();
  const linked = inFirstWorld(directory, "snapshots", "a~1", "origin", "journal", "0");
  const whole = readFileSync(linked);
  writeFileSync(linked, Buffer.concat([whole, Buffer.from("no record\n")]));
  const repaired = await repairState(directory);
  expect(repaired?.changes).toEqual(["the snapshot a is lost: its folder was moved aside"]);
  const aside = join(repaired?.asideIn ?? "", "a~1", "origin", "journal", "0");
  expect(readFileSync(aside).length).toBe(whole.length + 10);
  const [segment = ""] = readdirSync(inFirstLine(directory, "journal"));
  expect(readFileSync(inFirstLine(directory, "journal", segment))).toEqual(whole);
});
