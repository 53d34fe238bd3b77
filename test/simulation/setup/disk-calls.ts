import { basename, join } from "node:path";
import {
  DiskFile,
  DiskFolder,
  type DiskNode,
  diskError,
  Killed,
  type SimulatedDisk,
} from "./simulated-disk.ts";

/** Descriptors of the disk: no file of this machine has one so high. */
const FIRST_DESCRIPTOR = 1_000_000;

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

interface Opened {
  path: string;
  node: DiskNode;
  at: number;
}

type Options = { recursive?: boolean; force?: boolean; encoding?: string; flag?: string };
type Given = Options | string | undefined;

const optionsOf = (given: Given): Options =>
  typeof given === "string" ? { encoding: given } : (given ?? {});

const statOf = (node: DiskNode) => ({
  dev: 1,
  ino: node.ino,
  mtimeMs: node.kind === "file" ? node.touchedMs : 0,
  size: node.kind === "file" ? node.size : 0,
  nlink: node.kind === "file" ? node.links : 1,
  isDirectory: () => node.kind === "folder",
  isFile: () => node.kind === "file",
});

/**
 * The calls of `node:fs` on a disk in memory, for one process. Its calls end at once; those of
 * `node:fs/promises` when the history says so.
 */
export class DiskCalls {
  private readonly disk: SimulatedDisk;
  private readonly life: number;
  private readonly later: (run: () => void) => void;
  private readonly opened = new Map<number, Opened>();
  private next = FIRST_DESCRIPTOR;

  /** @param later has something happen when the history says so */
  constructor(disk: SimulatedDisk, life: number, later: (run: () => void) => void) {
    this.disk = disk;
    this.life = life;
    this.later = later;
  }

  /** Whether a call with this first argument is for the disk. */
  readonly takes = (first: unknown) =>
    typeof first === "number"
      ? first >= FIRST_DESCRIPTOR
      : typeof first === "string" && /^\/(simulated|proc)(\/|$)/.test(first);

  readonly sync = {
    existsSync: (path: string) => this.disk.find(path) !== undefined,
    statSync: (path: string, { throwIfNoEntry = true } = {}) => {
      const node = this.disk.find(path);
      if (!node && throwIfNoEntry) throw diskError("ENOENT", "stat", path);
      return node && statOf(node);
    },
    fstatSync: (fd: number) => statOf(this.of(fd).node),
    readFileSync: (path: string, given?: Given) => this.read(path, optionsOf(given)),
    readlinkSync: (path: string) => {
      throw diskError("ENOENT", "readlink", path);
    },
    realpathSync: (path: string) => path,
    readdirSync: (path: string, given?: Options & { withFileTypes?: boolean }) =>
      this.list(path, given ?? {}),
    openSync: (path: string, flags = "r") => this.open(path, flags),
    closeSync: (fd: number) => {
      if (this.disk.isKilled) throw new Killed("close");
      this.opened.delete(fd);
    },
    readSync: (fd: number, into: Buffer, ...[offset, length]: [number, number]) => {
      const opened = this.of(fd);
      const bytes = this.file(opened).bytes();
      const part = bytes.subarray(opened.at, opened.at + length);
      part.copy(into, offset);
      opened.at += part.length;
      return part.length;
    },
    writeSync: (fd: number, bytes: Buffer, ...[from, length]: [number, number]) =>
      this.write(this.of(fd), bytes.subarray(from, from + length)),
    fdatasync: (fd: number, done: (error: Error | null) => void) =>
      this.later(() => done(this.attempt(() => this.syncOpened(this.of(fd), "fdatasync")))),
    fsyncSync: (fd: number) => this.syncOpened(this.of(fd), "fsync"),
    ftruncateSync: (fd: number, length: number) => this.truncate(this.of(fd), length),
    truncateSync: (path: string, length: number) =>
      this.truncate({ path, node: this.must(path, "truncate"), at: 0 }, length),
    mkdirSync: (path: string, given?: Options) => this.makeFolder(path, given ?? {}),
    linkSync: (from: string, to: string) => {
      this.disk.meet("link", to);
      const { folder, name } = this.disk.folderOf(to, "link");
      if (folder.entries.has(name)) throw diskError("EEXIST", "link", to);
      this.disk.setNames({ folder, name, node: this.must(from, "link") });
    },
    utimesSync: (path: string, _seen: number, changed: number) => {
      this.file({ path, node: this.must(path, "utimes"), at: 0 }).touchedMs = changed * 1_000;
    },
    renameSync: (from: string, to: string) => this.rename(from, to),
    rmSync: (path: string, given?: Options) => this.remove(path, given ?? {}),
    unlinkSync: (path: string) => this.remove(path, {}),
    rmdirSync: (path: string) => this.removeFolder(path),
    copyFileSync: (from: string, to: string) =>
      this.writeWhole(to, this.read(from, {}) as Buffer, { flag: "w" }),
    writeFileSync: (
      path: string,
      content: string | Buffer,
      given?: Options & { flush?: boolean },
    ) => this.writeWhole(path, Buffer.from(content as string), given ?? {}),
  };

  readonly promises = {
    stat: (path: string) => this.soon(() => this.sync.statSync(path)),
    readFile: (path: string, given?: Given) => this.soon(() => this.read(path, optionsOf(given))),
    readdir: (path: string, given?: Options) => this.soon(() => this.list(path, given ?? {})),
    mkdir: (path: string, given?: Options) => this.soon(() => this.makeFolder(path, given ?? {})),
    rename: (from: string, to: string) => this.soon(() => this.rename(from, to)),
    rm: (path: string, given?: Options) => this.soon(() => this.remove(path, given ?? {})),
    rmdir: (path: string) => this.soon(() => this.removeFolder(path)),
    copyFile: (from: string, to: string) => this.soon(() => this.sync.copyFileSync(from, to)),
    open: (path: string, flags = "r") =>
      this.soon(() => {
        const fd = this.open(path, flags);
        return {
          writeFile: (content: string | Buffer) =>
            this.soon(() => void this.write(this.of(fd), Buffer.from(content as string))),
          sync: () => this.soon(() => this.syncOpened(this.of(fd), "fsync")),
          close: () => this.soon(() => void this.opened.delete(fd)),
        };
      }),
  };

  /** Ends a call later, with what it returned or threw. */
  private soon<Done>(work: () => Done): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.later(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private attempt(work: () => void): Error | null {
    try {
      work();
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  private of(fd: number): Opened {
    const opened = this.opened.get(fd);
    if (!opened) throw new Error(`Expected an open descriptor but found ${fd}`);
    return opened;
  }

  private must(path: string, call: string): DiskNode {
    const node = this.disk.find(path);
    if (!node) throw diskError("ENOENT", call, path);
    return node;
  }

  private file({ node, path }: Opened): DiskFile {
    if (node.kind !== "file") throw diskError("EISDIR", "write", path);
    return node;
  }

  private read(path: string, { encoding }: Options): Buffer | string {
    if (path === BOOT_ID) return `boot-${this.life}`;
    const bytes = Buffer.from(this.file({ path, node: this.must(path, "open"), at: 0 }).bytes());
    return encoding ? bytes.toString(encoding as BufferEncoding) : bytes;
  }

  private list(path: string, given: Options & { withFileTypes?: boolean }): unknown[] {
    const folder = this.must(path, "scandir");
    if (folder.kind !== "folder") throw diskError("ENOTDIR", "scandir", path);
    const names = [...folder.entries.keys()].sort();
    if (given.withFileTypes)
      return names.map((name) => ({ name, ...statOf(folder.entries.get(name) as DiskNode) }));
    if (!given.recursive) return names;
    return names.flatMap((name) => {
      const isFolder = folder.entries.get(name)?.kind === "folder";
      const below = isFolder ? (this.list(join(path, name), given) as string[]) : [];
      return [name, ...below.map((one) => join(name, one))];
    });
  }

  private open(path: string, flags: string): number {
    let node = this.disk.find(path);
    if (flags !== "r" && flags !== "r+") {
      if (flags.includes("x") && node) throw diskError("EEXIST", "open", path);
      this.disk.meet("open", path);
      if (!node) node = this.create(path);
      else if (flags.startsWith("w")) this.truncate({ path, node, at: 0 }, 0);
    }
    if (!node) throw diskError("ENOENT", "open", path);
    const fd = this.next;
    this.next += 1;
    this.opened.set(fd, { path, node, at: 0 });
    return fd;
  }

  private create(path: string): DiskFile {
    const { folder, name } = this.disk.folderOf(path, "open");
    const node = new DiskFile();
    this.disk.setNames({ folder, name, node });
    return node;
  }

  /** A call that is cut short by a full disk or a kill leaves the beginning of its bytes. */
  private write(opened: Opened, bytes: Uint8Array): number {
    const file = this.file(opened);
    if (this.disk.isKilled) throw new Killed("write");
    try {
      this.disk.meet("write", opened.path);
    } catch (error) {
      file.append(bytes.subarray(0, Math.floor(bytes.length / 2)));
      throw error;
    }
    file.append(bytes);
    return bytes.length;
  }

  private writeWhole(
    path: string,
    bytes: Buffer,
    { flag = "w", flush = false }: Options & { flush?: boolean },
  ) {
    const fd = this.open(path, flag);
    this.write(this.of(fd), bytes);
    if (flush) this.syncOpened(this.of(fd), "fsync");
    this.opened.delete(fd);
  }

  private syncOpened({ node, path }: Opened, call: string) {
    this.disk.meet(call, path);
    if (node.kind === "file") node.sync();
    else this.disk.syncNames();
  }

  private truncate(opened: Opened, length: number) {
    this.disk.meet("truncate", opened.path);
    this.file(opened).truncate(length);
  }

  private makeFolder(path: string, { recursive = false }: Options): string | undefined {
    if (this.disk.find(path)) {
      if (recursive) return undefined;
      throw diskError("EEXIST", "mkdir", path);
    }
    const above = join(path, "..");
    const made = recursive ? this.makeFolder(above, { recursive }) : undefined;
    this.disk.meet("mkdir", path);
    const { folder, name } = this.disk.folderOf(path, "mkdir");
    this.disk.setNames({ folder, name, node: new DiskFolder() });
    return made ?? path;
  }

  private rename(from: string, to: string) {
    this.disk.meet("rename", to);
    const node = this.must(from, "rename");
    const target = this.disk.find(to);
    if (target?.kind === "folder" && target.entries.size > 0)
      throw diskError("ENOTEMPTY", "rename", to);
    const left = this.disk.folderOf(from, "rename");
    this.disk.setNames({ ...left, node: undefined }, { ...this.disk.folderOf(to, "rename"), node });
  }

  private remove(path: string, { recursive = false, force = false }: Options) {
    const node = this.disk.find(path);
    if (!node && force) return;
    if (!node) throw diskError("ENOENT", "rm", path);
    if (node.kind === "folder") {
      if (!recursive) throw diskError("EISDIR", "rm", path);
      for (const name of [...node.entries.keys()]) this.remove(join(path, name), { recursive });
    }
    this.disk.meet("unlink", path);
    const { folder } = this.disk.folderOf(path, "rm");
    this.disk.setNames({ folder, name: basename(path), node: undefined });
  }

  private removeFolder(path: string) {
    const node = this.must(path, "rmdir");
    if (node.kind !== "folder") throw diskError("ENOTDIR", "rmdir", path);
    if (node.entries.size > 0) throw diskError("ENOTEMPTY", "rmdir", path);
    this.remove(path, { recursive: true });
  }
}
