import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { type FolderCalls, machineFolders } from "../../src/storage/file/timeline/folder-calls.ts";
import { removeFolder } from "../../src/storage/file/timeline/timeline-folders.ts";
import { directoryFor } from "./setup/disk-world.ts";

const EIO = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

/** A folder with a file, and calls that are noted. */
const prepared = (fails: Partial<FolderCalls> = {}) => {
  const root = directoryFor("removed-");
  const folder = join(root, "world");
  mkdirSync(folder);
  writeFileSync(join(folder, "file"), "");
  const made: string[] = [];
  const noted = (name: "rename" | "syncName" | "remove") => ({
    [name]: async (...paths: [string, string]) => {
      made.push(`${name} ${basename(paths[0]).replace(/^\.gone-.*/, "gone")}`);
      await (fails[name] ?? machineFolders[name])(...paths);
    },
  });
  const calls = { ...machineFolders, ...noted("rename"), ...noted("syncName"), ...noted("remove") };
  return { root, folder, made, calls };
};

// spec/promises.md#durability
test.each([
  { fsync: true, made: ["rename world", "syncName world", "remove gone"] },
  { fsync: false, made: ["rename world", "remove gone"] },
])("with fsync $fsync a folder is removed by $made", async ({ fsync, made }) => {
  const removal = prepared();
  await removeFolder(removal.root, removal.folder, { calls: removal.calls, fsync });
  expect(removal.made).toEqual(made);
  expect(existsSync(removal.folder)).toBe(false);
});

test("a folder whose removal may not survive a power cut keeps its name", async () => {
  const syncName = () => Promise.reject(EIO);
  const { root, folder, calls } = prepared({ syncName });
  await expect(removeFolder(root, folder, { calls, fsync: true })).rejects.toBe(EIO);
  expect(existsSync(join(folder, "file"))).toBe(true);
});
