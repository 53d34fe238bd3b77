import { existsSync, fstatSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import type { Storage } from "unstorage";
import { type JournalFiles, machineFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { type Durability, keyFiles } from "../../../src/storage/file/state/key-files.ts";
import {
  type FolderCalls,
  machineFolders,
} from "../../../src/storage/file/timeline/folder-calls.ts";

/** File calls that a fault can strike. */
export type CallName =
  | "journal open"
  | "journal write"
  | "journal sync"
  | "journal truncate"
  | "make folder"
  | "link"
  | "copy"
  | "write"
  | "rename"
  | "remove"
  | "sync name"
  | "store";

/** A kind of fault. */
export interface FaultKind {
  name: string;
  strikes: readonly CallName[];
  code: string;
  /** Strikes every such call from the first one on. */
  stays?: true;
  /** Ends the history with the act that is under way. */
  halts?: true;
  /** Writes a part of the bytes before the failure. */
  short?: "fails" | "continues";
}

const WRITES: readonly CallName[] = [
  "journal write",
  "make folder",
  "link",
  "copy",
  "write",
  "store",
];

/** Kinds of faults of a disk. */
export const FAULT_KINDS: readonly FaultKind[] = [
  { name: "a full disk for one call", strikes: WRITES, code: "ENOSPC" },
  { name: "a full disk", strikes: WRITES, code: "ENOSPC", stays: true },
  { name: "EIO on write", strikes: ["journal write", "write", "store"], code: "EIO" },
  { name: "EIO on fsync", strikes: ["journal sync", "sync name"], code: "EIO" },
  { name: "a short write", strikes: ["journal write"], code: "", short: "continues" },
  { name: "a short write and EIO", strikes: ["journal write"], code: "EIO", short: "fails" },
  { name: "a file that cannot be opened", strikes: ["journal open"], code: "EMFILE" },
  { name: "a failing rename", strikes: ["rename"], code: "EIO" },
  { name: "a failing delete", strikes: ["remove"], code: "EIO" },
  {
    name: "a write and its cut that fail",
    strikes: ["journal write", "journal truncate"],
    code: "EIO",
    stays: true,
  },
  {
    name: "a directory that becomes read-only",
    strikes: [...WRITES, "journal open", "journal truncate", "rename", "remove"],
    code: "EROFS",
    stays: true,
  },
  { name: "a power cut after the act", strikes: ["rename"], code: "", halts: true },
  { name: "a power cut after a write", strikes: ["journal write"], code: "", halts: true },
];

/** The file calls of a state directory, of which chosen ones fail. */
export class FaultLayer {
  /** Calls so far that the fault could strike. */
  made = 0;
  struck = 0;
  private readonly kind: FaultKind;
  /** Number of the first call that is struck. */
  private readonly at: number;
  private isOn = true;
  /** Bytes of each segment that a power cut leaves, by its descriptor. */
  private readonly synced = new Map<number, { path: string; bytes: number }>();
  /** Closed segments with bytes that were not synced. */
  private readonly lost: { path: string; bytes: number }[] = [];
  /** Renames whose names a power cut would undo. */
  private readonly unsynced: { from: string; to: string }[] = [];

  constructor(kind: FaultKind, at: number) {
    this.kind = kind;
    this.at = at;
  }

  /** The disk works again. */
  heal() {
    this.isOn = false;
  }

  readonly files: JournalFiles = {
    open: (path) =>
      this.on("journal open", () => {
        const fd = machineFiles.open(path);
        this.synced.set(fd, { path, bytes: fstatSync(fd).size });
        return fd;
      }),
    write: (fd, bytes, at) => {
      const half = at.from + Math.ceil((bytes.length - at.from) / 2);
      if (!this.strikes("journal write")) return machineFiles.write(fd, bytes, at);
      if (this.kind.short) machineFiles.write(fd, bytes.subarray(0, half), at);
      if (this.kind.short === "continues") return half - at.from;
      throw this.error();
    },
    sync: (fd, done) => {
      if (this.strikes("journal sync")) setImmediate(() => done(this.error()));
      else this.syncBytes(fd, done);
    },
    truncate: (fd, length) => this.on("journal truncate", () => machineFiles.truncate(fd, length)),
    close: (fd) => {
      this.lost.push(...this.bytesOf(fd));
      this.synced.delete(fd);
      machineFiles.close(fd);
    },
    find: machineFiles.find,
    writeNote: (...note) => this.on("write", () => machineFiles.writeNote(...note)),
    renameNote: (from, to) => this.on("rename", () => machineFiles.renameNote(from, to)),
    removeNote: (path) => this.on("remove", () => machineFiles.removeNote(path)),
  };

  readonly folders: FolderCalls = {
    makeFolder: (path) => this.on("make folder", () => machineFolders.makeFolder(path)),
    link: (from, to) => this.on("link", () => machineFolders.link(from, to)),
    copy: async (from, to) => this.on("copy", () => machineFolders.copy(from, to)),
    write: async (path, bytes) => this.on("write", () => machineFolders.write(path, bytes)),
    rename: async (from, to) => {
      await this.on("rename", () => machineFolders.rename(from, to));
      this.unsynced.push({ from, to });
    },
    remove: async (path) => this.on("remove", () => machineFolders.remove(path)),
    syncName: async (path) => {
      await this.on("sync name", () => machineFolders.syncName(path));
      this.syncedBeside(path);
    },
    storage: (directory, durability) => this.keyValue(directory, durability),
  };

  /** The files of keys in a directory; each write of one can be struck. */
  private keyValue(directory: string, durability?: Durability): Storage {
    return new Proxy(keyFiles(directory, durability), {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (name !== "setItem" && name !== "setItemRaw") return member;
        return async (...args: never[]) =>
          this.on("store", () => (member as (...all: never[]) => unknown).apply(target, args));
      },
    });
  }

  /** Syncs the present bytes of a segment. */
  private syncBytes(fd: number, done: (error: Error | null) => void) {
    const bytes = fstatSync(fd).size;
    machineFiles.sync(fd, (error) => {
      const file = this.synced.get(fd);
      if (file && !error) file.bytes = bytes;
      done(error);
    });
  }

  /** Undoes bytes and names that were not synced, names newest first, as a power cut may. */
  async cutPower() {
    const open = [...this.synced.keys()].flatMap((fd) => this.bytesOf(fd));
    for (const { path, bytes } of [...this.lost, ...open])
      if (this.kind.halts && existsSync(path)) truncateSync(path, bytes);
    for (const { from, to } of this.unsynced.splice(0).reverse())
      await machineFolders.rename(to, from).catch(() => {});
  }

  /** The segment of a descriptor, when it has bytes that were not synced. */
  private bytesOf(fd: number) {
    const file = this.synced.get(fd);
    return file && fstatSync(fd).size > file.bytes ? [file] : [];
  }

  private syncedBeside(path: string) {
    const kept = this.unsynced.filter(({ to }) => dirname(to) !== dirname(path));
    this.unsynced.splice(0, this.unsynced.length, ...kept);
  }

  private on<Done>(call: CallName, work: () => Done): Done {
    if (this.strikes(call)) throw this.error(call);
    return work();
  }

  private strikes(call: CallName): boolean {
    const { strikes, stays, code, short } = this.kind;
    if (!this.isOn || !strikes.includes(call)) return false;
    this.made += 1;
    const isStruck = stays ? this.made >= this.at : this.made === this.at;
    if (isStruck) this.struck += 1;
    return isStruck && (code !== "" || short !== undefined);
  }

  private error(call: CallName = "journal write") {
    const { code } = this.kind;
    return Object.assign(new Error(`${code}: injected, ${call}`), { code });
  }
}
