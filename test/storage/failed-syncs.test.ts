import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { directoryEntries } from "../../src/machine/directory-entries.ts";
import { JournalFailure } from "../../src/runtime/ports.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { folderItems } from "../../src/storage/file/state/folder-items.ts";
import { keyFiles } from "../../src/storage/file/state/key-files.ts";
import {
  pruneCheckpoints,
  storeCheckpoint,
  storeState,
} from "../../src/storage/file/timeline/checkpoint-files.ts";
import { checkpointKeys, manifests } from "../../src/storage/file/timeline/checkpoint-manifest.ts";
import { type FolderCalls, machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { removeFolder } from "../../src/storage/file/timeline/timeline-folders.ts";
import { foundInPlace } from "../../src/storage/format/checked-file.ts";
import { Overtaken, partsOfState, partsOfWorld } from "../../src/storage/format/checkpoint.ts";
import {
  drawIdentity,
  KeptIdentity,
  readIdentity,
  storeIdentity,
} from "../../src/storage/world/identity.ts";

const folder = () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

const error = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

test("a listing of checkpoints misses none while folders beside them come and go", async () => {
  const directory = folder();
  const storage = keyFiles(directory);
  await storage.setItemRaw("checkpoint:000000000001-ab:manifest", Buffer.from("x"));
  const worlds = join(directory, "worlds");
  for (let at = 0; at < 20; at += 1)
    mkdirSync(join(worlds, `w${at}`, "journal"), { recursive: true });
  let isOver = false;
  const comeAndGo = async () => {
    for (let at = 0; !isOver; at = (at + 1) % 20) {
      await machineFolders.rename(join(worlds, `w${at}`), join(directory, `.gone-${at}`));
      await machineFolders.rename(join(directory, `.gone-${at}`), join(worlds, `w${at}`));
    }
  };
  const going = [comeAndGo()];
  const found: number[] = [];
  for (let times = 0; times < 300; times += 1) found.push((await checkpointKeys(storage)).length);
  isOver = true;
  await Promise.all(going);
  expect(found.filter((length) => length !== 1)).toEqual([]);
});

/** Storage whose calls fail when they are told to. */
const failing = (directory: string, fails: (call: string, key: string) => boolean) => {
  const storage = keyFiles(directory);
  return new Proxy(storage, {
    get: (target, name) => {
      const call = Reflect.get(target, name);
      if (name !== "getItemRaw" && name !== "setItemRaw") return call;
      return async (key: string, ...more: unknown[]) => {
        if (fails(name, key)) throw error("EIO");
        return call.call(target, key, ...more);
      };
    },
  });
};

test("a checkpoint whose manifest cannot be read now is not deleted", async () => {
  const directory = folder();
  let isBroken = false;
  const storage = failing(directory, (_call, key) => isBroken && key.endsWith(":manifest"));
  for (let times = 0; times < 2; times += 1) await storeState(storage, new WorldState());
  const before = await checkpointKeys(storage);
  expect(before.length).toBeGreaterThan(0);
  isBroken = true;
  expect(await pruneCheckpoints(storage)).toBe(0);
  expect(await checkpointKeys(storage)).toEqual(before);
});

test("a checkpoint that cannot be written takes its own files with it, and no others", async () => {
  const directory = folder();
  let isBroken = false;
  const storage = failing(
    directory,
    (call, key) => isBroken && (call === "getItemRaw" || key.endsWith(":manifest")),
  );
  await storeState(storage, new WorldState());
  const before = await checkpointKeys(storage);
  isBroken = true;
  const state = new WorldState();
  state.seq = 7;
  const writing = storeCheckpoint(storage, partsOfState(state), { seq: 7, segment: "1-2" });
  await expect(writing).rejects.toThrow("EIO");
  isBroken = false;
  expect(await checkpointKeys(storage)).toEqual(before);
  expect(await manifests(storage)).toHaveLength(1);
});

test("a checkpoint that another load overtakes waits for nothing more of its journal", async () => {
  const storage = keyFiles(folder());
  const reached = vi.fn();
  const state = new WorldState();
  const engine = { state, generation: 1, journal: { reached } };
  const parts = partsOfWorld({ engine: engine as never, state, generation: 1 });
  const writing = storeCheckpoint(storage, parts, { seq: 0, segment: "1-2" });
  engine.generation = 2;
  await expect(writing).rejects.toThrow(Overtaken);
  expect(reached).not.toHaveBeenCalled();
});

/** Calls on folders, and their names in order. */
const recorded = (fails: (call: string) => boolean) => {
  const done: string[] = [];
  const calls: FolderCalls = {
    ...machineFolders,
    rename: async (from, to) => {
      done.push("rename");
      await machineFolders.rename(from, to);
    },
    syncName: async () => {
      done.push("sync");
      if (fails("sync") && done.length === 2) throw error("EIO");
    },
    remove: async (path) => {
      done.push("remove");
      if (fails("remove")) throw error("EIO");
      await machineFolders.remove(path);
    },
  };
  return { calls, done };
};

test("a removal that is refused with fsync makes the name that came back survive too", async () => {
  const root = folder();
  const path = join(root, "a");
  mkdirSync(path);
  const { calls, done } = recorded((call) => call === "sync");
  await expect(removeFolder(root, path, { calls, fsync: true })).rejects.toThrow("EIO");
  expect(done).toEqual(["rename", "sync", "rename", "sync", "sync"]);
});

test("a removal whose files stay is done all the same: a start deletes them", async () => {
  const root = folder();
  const path = join(root, "a");
  mkdirSync(path);
  const { calls, done } = recorded((call) => call === "remove");
  await removeFolder(root, path, { calls, fsync: true });
  expect(done).toEqual(["rename", "sync", "remove"]);
});

test("a rotation that is refused leaves the key that signs on the disk", async () => {
  const directory = folder();
  const items = folderItems(directory);
  const identity = drawIdentity({ seed: "s" });
  await storeIdentity(items, identity);
  const kept = new KeptIdentity(items, identity);
  const { putItem } = items;
  // The new file is there when the sync of its name fails.
  vi.spyOn(items, "putItem").mockImplementationOnce(async (item, bytes) => {
    await putItem(item, bytes);
    throw error("EIO");
  });
  await expect(kept.rotateWebhookKey()).rejects.toThrow("EIO");
  expect(kept.now).toBe(identity);
  expect(await readIdentity(items)).toMatchObject({ body: identity });
});

test("a copy in place of a link is on disk when it is there", async () => {
  const directory = folder();
  const from = join(directory, "from");
  writeFileSync(from, "bytes");
  const handle = await open(from, "r");
  const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync");
  onTestFinished(() => sync.mockRestore());
  await handle.close();
  await machineFolders.copy(from, join(directory, "to"));
  expect(sync).toHaveBeenCalledTimes(1);
});

test("with fsync the names of a line's checkpoints survive a power cut", async () => {
  const directory = folder();
  const keep = vi.spyOn(directoryEntries, "keep").mockResolvedValue();
  onTestFinished(() => keep.mockRestore());
  await machineFolders.storage(directory).setItemRaw("checkpoint:a:0", Buffer.from("x"));
  expect(keep).not.toHaveBeenCalled();
  const storage = machineFolders.storage(directory, { fsync: true });
  await storage.setItemRaw("checkpoint:a:1", Buffer.from("x"));
  expect(keep.mock.calls[0]?.[0]).toBe(join(directory, "checkpoint", "a", "1.json"));
});

test("an error that passes is no damage", () => {
  expect(foundInPlace(error("ENOENT"))).toBe("no file");
  expect(foundInPlace(error("EIO"))).toBe("EIO");
  for (const code of ["EMFILE", "EACCES", "ENOMEM"])
    expect(() => foundInPlace(error(code))).toThrow(JournalFailure);
});
