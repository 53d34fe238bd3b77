import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type JournalFiles, machineFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { ownerOf, textOf } from "../../../src/storage/file/lock/lock-owner.ts";
import { joinFolder } from "../../../src/storage/file/state/folder-session.ts";
import type { Session } from "../../../src/storage/port/session.ts";
import { inFirstWorld } from "../setup/places.ts";
import type { Damaged, StoreKind, TestStore } from "./test-store.ts";

/** All files below a folder, by their whole paths, in order. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();

const change = (path: string) => {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};

const partsBelow = (world: string) =>
  filesBelow(world).filter(
    (path) => path.includes("/checkpoint/") && basename(path) !== "manifest.json",
  );

const changeLine = (path: string) => {
  const lines = readFileSync(path, "utf8").split("\n");
  const at = Math.floor(lines.length / 2) - 1;
  lines[at] = lines[at]?.replace('"by"', '"bx"') ?? "";
  writeFileSync(path, lines.join("\n"));
};

const changeManifest = (world: string, at: number) => {
  const manifests = filesBelow(world).filter((path) =>
    /line-\d+\/checkpoint\/.*manifest\.json$/.test(path),
  );
  change(manifests.at(at) ?? "");
};

/** Damages of the files in the folder of the first world. */
const DAMAGES: Record<Damaged, (world: string) => void> = {
  "newest checkpoint": (world) => changeManifest(world, -1),
  "older checkpoint": (world) => changeManifest(world, -2),
  "all parts": (world) => {
    for (const path of partsBelow(world)) change(path);
  },
  "missing parts": (world) => {
    for (const path of partsBelow(world)) rmSync(path);
  },
  journal: (world) => {
    const segments = filesBelow(world).filter((path) => /line-\d+\/journal\/\d/.test(path));
    const largest = segments.sort((a, b) => statSync(b).size - statSync(a).size)[0];
    changeLine(largest ?? "");
  },
  "restore point": (world) => change(join(world, "snapshots", "kept~1", "line.json")),
};

/** Makes the owner of a lock one that has ended: no process has this number. */
const endOwner = (lock: string) => {
  const owner = ownerOf(lock);
  if (owner) writeFileSync(lock, textOf({ ...owner, pid: 2 ** 22 + 1 }));
};

const folderStore = (): TestStore => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-contract-"));
  let mayFail = false;
  let session: Session | undefined;
  const files: JournalFiles = {
    ...machineFiles,
    write: (fd, bytes, at) => {
      if (!mayFail) return machineFiles.write(fd, bytes, at);
      mayFail = false;
      throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
    },
  };
  return {
    async open() {
      session = await joinFolder(directory, { fsync: false, files });
      return session;
    },
    files: async () => new Set(await session?.files.list()),
    async kill(_session, worlds) {
      for (const { engine, points } of worlds) {
        engine.close();
        // A checkpoint that is being written ends first: here the process continues.
        await points.remove("none").catch(() => {});
        engine.readOnlyBecause = "it was killed";
      }
      for (const name of readdirSync(directory).filter((one) => one.startsWith("lock.")))
        endOwner(join(directory, name));
    },
    damage: async (part) => DAMAGES[part](inFirstWorld(directory)),
    failAppend: () => {
      mayFail = true;
    },
    close: async () => rmSync(directory, { recursive: true, force: true }),
  };
};

/** Stores in real folders. */
export const folderStores = async (): Promise<StoreKind> => ({
  can: new Set(["failing writes"] as const),
  make: async () => folderStore(),
  close: async () => {},
});
