import type { Chance } from "./chance.ts";

let nodes = 0;

/** Number of a file or folder, which no other one ever had. */
const nextNode = () => {
  nodes += 1;
  return nodes;
};

/** A file: its bytes now, and those that a power cut leaves. */
export class DiskFile {
  readonly kind = "file";
  readonly ino = nextNode();
  touchedMs = 0;
  data = Buffer.alloc(0);
  size = 0;
  synced: { data: Buffer; size: number } = { data: this.data, size: 0 };
  links = 0;

  bytes() {
    return this.data.subarray(0, this.size);
  }

  append(bytes: Uint8Array) {
    const size = this.size + bytes.length;
    if (size > this.data.length) {
      const grown = Buffer.alloc(Math.max(256, size * 2));
      this.bytes().copy(grown);
      this.data = grown;
    }
    this.data.set(bytes, this.size);
    this.size = size;
  }

  /** Cuts the file; the synced bytes stay what they were. */
  truncate(size: number) {
    this.data = Buffer.from(this.data.subarray(0, size));
    this.size = size;
  }

  sync() {
    this.synced = { data: this.data, size: this.size };
  }

  /** Loses what was not synced, but for a prefix that chance picks. */
  losePower(chance: Chance) {
    const { data, size } = this.synced;
    const kept = data.subarray(0, size);
    const isLonger = this.size > size && this.bytes().subarray(0, size).equals(kept);
    if (!isLonger && this.size === size && this.bytes().equals(kept)) return;
    const more = isLonger ? chance.below(this.size - size + 1) : 0;
    const left = isLonger ? this.bytes().subarray(0, size + more) : kept;
    this.data = Buffer.from(left);
    this.size = left.length;
    this.sync();
  }
}

export class DiskFolder {
  readonly kind = "folder";
  readonly ino = nextNode();
  readonly entries = new Map<string, DiskNode>();
}

export type DiskNode = DiskFile | DiskFolder;

/** Error codes of a disk. */
export type DiskError = "ENOENT" | "EEXIST" | "ENOTDIR" | "EISDIR" | "ENOTEMPTY" | DiskFault;

/** Errors of a disk that is full, broken or read-only. */
export const DISK_FAULTS = ["ENOSPC", "EIO", "EACCES"] as const;

export type DiskFault = (typeof DISK_FAULTS)[number];

export const diskError = (code: DiskError, call: string, path: string) =>
  Object.assign(new Error(`${code}: ${call} '${path}'`), { code, syscall: call, path });

/** Raised out of each call of a process that has been killed. */
export class Killed extends Error {
  override readonly name = "Killed";
}

interface Entry {
  folder: DiskFolder;
  name: string;
  node: DiskNode | undefined;
}

/** Ways in which a process ends: its written bytes stay, or what was not synced is lost. */
export type CrashMode = "kill" | "power";

const partsOf = (path: string) => path.split("/").filter(Boolean);

/**
 * A disk in memory. It keeps the order of changed names, as a journaling file system does: a power
 * cut loses the last of those that no sync of a folder has covered.
 */
export class SimulatedDisk {
  readonly root = new DiskFolder();
  /** Calls that change something, over all lives. */
  changes = 0;
  /** Faults that calls have met. */
  faultsMet = 0;
  private readonly unsynced: Entry[][] = [];
  private killIn: number | undefined;
  private fault: { code: DiskFault; from: number; calls: number } | undefined;
  /** Is told of each fault and kill: the call that met it, and its file. */
  struck: (what: string, call: string, path: string) => void = () => {};
  /** True from the moment at which the process was killed in the middle of a call. */
  isKilled = false;

  find(path: string): DiskNode | undefined {
    let node: DiskNode | undefined = this.root;
    for (const part of partsOf(path)) {
      if (node?.kind !== "folder") return undefined;
      node = node.entries.get(part);
    }
    return node;
  }

  /** The folder that a path's last name stands in. */
  folderOf(path: string, call: string): { folder: DiskFolder; name: string } {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    const folder = this.find(parts.join("/"));
    if (folder?.kind !== "folder") throw diskError("ENOENT", call, path);
    return { folder, name };
  }

  /** Changes names together; nothing or all of it survives a power cut. */
  setNames(...entries: Entry[]) {
    const undo = entries.map(({ folder, name }) => ({
      folder,
      name,
      node: folder.entries.get(name),
    }));
    for (const entry of entries) this.setName(entry);
    this.unsynced.push(undo.reverse());
  }

  syncNames() {
    this.unsynced.length = 0;
  }

  /** Has the process killed when it makes its n-th change from now; 0 for never. */
  killAfter(changes: number) {
    this.killIn = changes > 0 ? changes : undefined;
  }

  /** Ends the process now: none of its calls reaches the disk. */
  kill() {
    this.isKilled = true;
  }

  /** Has changes fail, from one on, for a number of them. */
  failWith(code: DiskFault, { from, calls }: { from: number; calls: number }) {
    this.fault = { code, from, calls };
  }

  lift() {
    this.fault = undefined;
  }

  get isFaulty() {
    return this.fault !== undefined;
  }

  /** Takes note of a change that is about to happen; throws what the call is to throw. */
  meet(call: string, path: string) {
    if (this.isKilled) throw new Killed(call);
    this.changes += 1;
    if (this.killIn !== undefined) {
      this.killIn -= 1;
      if (this.killIn <= 0) {
        this.isKilled = true;
        this.struck("crash", call, path);
        throw new Killed(call);
      }
    }
    const { fault } = this;
    if (!fault) return;
    fault.from -= 1;
    if (fault.from > 0) return;
    fault.calls -= 1;
    if (fault.calls <= 0) this.fault = undefined;
    this.faultsMet += 1;
    this.struck(fault.code, call, path);
    throw diskError(fault.code, call, path);
  }

  /** Leaves what the next process will find. */
  restart(mode: CrashMode, chance: Chance) {
    this.isKilled = false;
    this.killIn = undefined;
    this.fault = undefined;
    if (mode === "kill") return;
    for (const file of this.files(this.root, new Set())) file.losePower(chance);
    const lost = chance.below(this.unsynced.length + 1);
    for (const undo of this.unsynced.slice(this.unsynced.length - lost).reverse())
      for (const entry of undo) this.setName(entry);
    this.syncNames();
  }

  /** Every file and folder as they are, for `restore`. */
  copy(): DiskFolder {
    return copied(this.root, new Map()) as DiskFolder;
  }

  /** Takes a folder away with everything in it, as a program beside the process would. */
  takeAway(path: string): DiskNode | undefined {
    const node = this.find(path);
    const { folder, name } = this.folderOf(path, "rm");
    this.setNames({ folder, name, node: undefined });
    this.faultsMet += 1;
    return node;
  }

  /** Puts a folder somewhere, as a program beside the process would. */
  put(path: string, node: DiskNode) {
    this.setNames({ ...this.folderOf(path, "rename"), node });
  }

  /** Puts files and folders back as they were, all of them on disk. */
  restore({ entries }: DiskFolder) {
    this.isKilled = false;
    this.fault = undefined;
    this.killIn = undefined;
    this.unsynced.length = 0;
    this.root.entries.clear();
    for (const [name, node] of entries) this.root.entries.set(name, node);
  }

  /** Flips one bit of one file; the path of the file, nothing where all are empty. */
  flip(chance: Chance): string | undefined {
    const files = [...pathsIn(this.root, "")].filter(([, { size }]) => size > 0);
    if (files.length === 0) return undefined;
    const [path, file] = chance.pick(files);
    const at = chance.below(file.size);
    file.data = Buffer.from(file.bytes());
    file.data[at] = (file.data[at] as number) ^ (1 << chance.below(8));
    file.sync();
    return path;
  }

  private setName({ folder, name, node }: Entry) {
    const before = folder.entries.get(name);
    if (before?.kind === "file") before.links -= 1;
    if (node?.kind === "file") node.links += 1;
    if (node) folder.entries.set(name, node);
    else folder.entries.delete(name);
  }

  /** Files that have a name, or would have one if the last names were lost. */
  private files(folder: DiskFolder, found: Set<DiskFile>): Set<DiskFile> {
    const take = (node: DiskNode | undefined) => {
      if (node?.kind === "file") found.add(node);
      else if (node) this.files(node, found);
    };
    for (const node of folder.entries.values()) take(node);
    if (folder === this.root)
      for (const undo of this.unsynced) for (const { node } of undo) take(node);
    return found;
  }
}

/** A copy of a node; names of one file stay names of one file. */
const copied = (node: DiskNode, made: Map<DiskNode, DiskNode>): DiskNode => {
  const known = made.get(node);
  if (known) return known;
  const twin = node.kind === "file" ? new DiskFile() : new DiskFolder();
  made.set(node, twin);
  if (node.kind === "file" && twin.kind === "file") {
    twin.data = Buffer.from(node.bytes());
    twin.size = node.size;
    twin.links = node.links;
    twin.sync();
  }
  if (node.kind === "folder" && twin.kind === "folder")
    for (const [name, one] of node.entries) twin.entries.set(name, copied(one, made));
  return twin;
};

function* pathsIn({ entries }: DiskFolder, above: string): Generator<[string, DiskFile]> {
  for (const [name, node] of entries)
    if (node.kind === "file") yield [`${above}/${name}`, node];
    else yield* pathsIn(node, `${above}/${name}`);
}
