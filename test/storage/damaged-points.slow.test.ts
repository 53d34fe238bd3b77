import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RestorePoints } from "../../src/runtime/past/restore-points.ts";
import type { WorldState } from "../../src/runtime/world-state.ts";
import { readTimelineFile } from "../../src/storage/file/timeline/timeline-file.ts";
import type { OpenWorld } from "../../src/storage/open-world.ts";
import { imageOf, turns } from "../runtime/setup/random-world.ts";
import { abandon, change, directoryFor, openDisk, stepsOf, turned } from "./setup/disk-world.ts";
import { inFirstLine, inFirstWorld } from "./setup/places.ts";

const pointsOf = ({ points }: OpenWorld) => points as RestorePoints;

const loaded = async (world: OpenWorld, name: string) =>
  (await pointsOf(world).load(name)) as WorldState;

/** Opens a directory; its state, or the name of the file that is refused. */
const outcomeOf = async (directory: string) => {
  try {
    const world = await openDisk(directory);
    const state = imageOf(world.engine.state);
    await world.close();
    return state;
  } catch (error) {
    return (error as { file?: string }).file ?? String(error);
  }
};

test("each byte of line.json counts: flipped or cut it is refused by name", async () => {
  const directory = directoryFor("points-bytes-");
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  await pointsOf(world).save("a");
  await change(world, stepsOf(3));
  await pointsOf(world).switchTo(turned(world, await loaded(world, "a")));
  await world.close();
  const file = inFirstWorld(directory, "line-1", "line.json");
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += 1) {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 0x01;
    for (const bytes of [flipped, whole.subarray(0, at)]) {
      writeFileSync(file, bytes);
      expect(() => readTimelineFile(inFirstWorld(directory, "line-1"))).toThrow(file);
    }
  }
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  expect(await outcomeOf(directory)).toBe(file);
  writeFileSync(file, whole);
  expect(await outcomeOf(directory)).toMatchObject({ meta: { branch: 2 } });
});

/** The files of the only kept state. */
const originFiles = (directory: string) => {
  const origin = inFirstWorld(directory, "snapshots", "a~1", "origin");
  return readdirSync(origin, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
};

test("damage to a linked file is told by its name", async () => {
  const directory = directoryFor("points-linked-");
  const world = await openDisk(directory, { checkpointAfterBytes: 300 });
  await change(world, stepsOf(12));
  await turns(200);
  await change(world, stepsOf(3));
  await pointsOf(world).save("a");
  const files = originFiles(directory);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const whole = readFileSync(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0x01;
    for (const bytes of [flipped, whole.subarray(0, -1)]) {
      writeFileSync(file, bytes);
      await expect(pointsOf(world).load("a")).rejects.toMatchObject({ name: "StateDamage", file });
    }
    writeFileSync(file, whole);
  }
  await pointsOf(world).load("a");
  await world.close();
});

test("a torn tail of a linked segment is cut from the world's own copy alone", async () => {
  const directory = directoryFor("points-torn-");
  const world = await openDisk(directory);
  await change(world, stepsOf(6));
  await pointsOf(world).save("a");
  await abandon(world, directory);
  const journal = inFirstLine(directory, "journal");
  const [name = "", empty = ""] = readdirSync(journal).sort();
  rmSync(join(journal, empty));
  const [linked = ""] = originFiles(directory);
  const whole = readFileSync(linked);
  const torn = Buffer.concat([whole, Buffer.from("0badc0de 40 {")]);
  writeFileSync(join(journal, name), torn);

  const again = await openDisk(directory);
  expect(again.recovery.tornBytes).toBe(13);
  expect(readFileSync(linked)).toEqual(torn);
  expect(readFileSync(join(journal, name))).toEqual(whole);
  await again.close();
});
