import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { machineWall } from "../../../src/runtime/ports.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";
import { folderItems } from "../../../src/storage/file/state/folder-items.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { type KeepableLog, KeptRequests } from "../../../src/storage/world/kept-requests.ts";
import { act, type Step, turns } from "../../runtime/setup/random-world.ts";
import { inFirstWorld } from "../setup/places.ts";

const directoryOf = () => {
  const directory = mkdtempSync(join(tmpdir(), "kept-requests-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
};

/** A log of numbered requests, each of about the given size. */
const logOf = (count: number, characters = 10): KeepableLog => ({
  version: 1,
  *lines() {
    for (let n = count; n > 0; n -= 1)
      yield JSON.stringify({ id: `req-1-${n}`, text: "x".repeat(characters) });
  },
});

const keptAt = async (directory: string) => {
  const kept = new KeptRequests(folderItems(directory));
  await kept.load();
  return kept;
};

const noDamage = (message: string) => {
  throw new Error(message);
};

test("a checkpoint keeps the requests up to it, while the world continues", async () => {
  const directory = directoryOf();
  const world = await openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
    checkpointAfterBytes: 2_000,
  });
  world.reset();
  world.requests?.attach(logOf(3));
  const { engine } = world;
  const kept = async () => (await keptAt(inFirstWorld(directory))).read(engine.state, noDamage);
  for (let at = 0; at < 5000 && (await kept()).length === 0; at += 1) {
    const step: Step = { slot: at % 13, act: "put", waits: 0 };
    const { seq } = engine.commit(act, step, { cause: "test", by: "test" });
    await engine.journal.reached(seq);
    await turns(1);
  }
  expect(await kept()).toMatchObject([{ id: "req-1-1" }, { id: "req-1-2" }, { id: "req-1-3" }]);
  await world.close();
});

test("8 MiB are kept at most, the newest ones", async () => {
  const directory = directoryOf();
  const kept = await keptAt(directory);
  const state = new WorldState();
  kept.attach(logOf(3_000, 4_000));
  await kept.write(state);
  expect(statSync(join(directory, "requests.json")).size).toBeLessThan(8 * 1024 * 1024 + 200);
  const read = (await keptAt(directory)).read(state, noDamage) as { id: string }[];
  expect(read.length).toBeGreaterThan(2_000);
  expect(read.at(-1)?.id).toBe("req-1-3000");
  expect(read[0]?.id).toBe(`req-1-${3_001 - read.length}`);
});

test("requests of another branch of the world are not read", async () => {
  const directory = directoryOf();
  const kept = await keptAt(directory);
  const state = new WorldState();
  kept.attach(logOf(1));
  await kept.write(state);
  const later = Object.assign(new WorldState(), { branch: 2 });
  expect((await keptAt(directory)).read(later, noDamage)).toEqual([]);
});

test("what a kill cut off while it was written is removed with the next write", async () => {
  const directory = directoryOf();
  writeFileSync(join(directory, "requests.json.tmp-4711"), "service-sim image 3 requ");
  const kept = await keptAt(directory);
  kept.attach(logOf(1));
  await kept.write(new WorldState());
  expect(readdirSync(directory)).toEqual(["requests.json"]);
});
