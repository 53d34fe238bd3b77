import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { FolderWorld } from "../../src/storage/file/state/folder-world.ts";
import { machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import type { OpenWorld } from "../../src/storage/open-world.ts";
import { turns } from "../runtime/setup/random-world.ts";
import { CAUSE, change, directoryFor, openDisk, stepsOf, turned } from "./setup/disk-world.ts";
import { inFirstLine } from "./setup/places.ts";

afterEach(() => vi.restoreAllMocks());

const documentOf = (sha256: string) => ({
  id: `Document:${sha256.slice(0, 8)}`,
  documentHolder: "Customer:1",
  documentType: "PASSPORT" as const,
  country: "US",
  fileName: "a.pdf",
  file: { sha256, mediaType: "application/pdf" as const, sizeBytes: 4 },
  createdAtMs: 1,
  updatedAtMs: 1,
});

const upload = ({ engine, files }: OpenWorld, text: string) =>
  files.keepFor(Buffer.from(text), (sha256) => {
    engine.commit((draft) => draft.put("Document", documentOf(sha256)), undefined, CAUSE);
    return sha256;
  });

test("a look while the timeline that was left is being deleted finds nothing lost", async () => {
  const directory = directoryFor("at-once-switch-");
  let looks = 0;
  const folders = {
    ...machineFolders,
    remove: async (path: string) => {
      await machineFolders.remove(path);
      if (!path.includes(".gone-")) return;
      looks += 1;
      (world.items as FolderWorld).look();
    },
  };
  const world = await openDisk(directory, { folders });
  const alarms: string[] = [];
  world.engine.listeners.add({ alarm: (message) => alarms.push(message) });
  await change(world, stepsOf(4));
  await world.points.switchTo(turned(world, world.engine.state.fork()));
  await change(world, stepsOf(2));
  const { seq } = world.engine.state;
  await world.close();
  expect({ looks, alarms }).toEqual({ looks: 1, alarms: [] });
  const again = await openDisk(directory);
  expect(again.engine.state.seq).toBe(seq);
  await again.close();
});

test("of two closes at once none ends before the world is written down", async () => {
  const directory = directoryFor("at-once-close-");
  const world = await openDisk(directory);
  await change(world, stepsOf(4));
  void world.close();
  await world.close();
  expect(existsSync(inFirstLine(directory, "journal", "end"))).toBe(true);
});

test("an upload of a world that is being opened outlives a sweep", async () => {
  const directory = directoryFor("at-once-sweep-");
  const world = await openDisk(directory);
  const fork = await world.fork({ name: "one", clientId: "one" });
  const kept = await upload(fork, "of the fork");
  await fork.close();
  const { read } = FolderWorld.prototype;
  let isSwept = false;
  vi.spyOn(FolderWorld.prototype, "read").mockImplementationOnce(async function (
    this: FolderWorld,
  ) {
    const dropped = await upload(world, "of the other world");
    world.engine.commit((draft) => draft.del("Document", documentOf(dropped).id), undefined, CAUSE);
    for (let turn = 0; turn < 200; turn += 1) await turns(1);
    isSwept = true;
    return read.call(this);
  });
  const again = await world.others?.open("one");
  expect(isSwept).toBe(true);
  await turns(300);
  expect(existsSync(join(directory, "files", `${kept}.bin`))).toBe(true);
  await again?.close();
  await world.close();
});
