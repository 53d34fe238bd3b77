import { statSync } from "node:fs";
import { FORMAT_BEFORE, FORMAT_VERSION } from "../../../runtime/change.ts";
import { isDamage } from "../../../runtime/damage.ts";
import { WorldState } from "../../../runtime/world-state.ts";
import type { HeldWorld, StoppedWorld, WorldFacts, WorldOwner } from "../../port/held-world.ts";
import type { Item } from "../../port/items.ts";
import type { DamagedWorld, ListedWorld, Session, StoredFiles } from "../../port/session.ts";
import { convertState } from "../convert/convert-format.ts";
import { completePlacing, tellAgain } from "../convert/placed-state.ts";
import type { JournalFiles } from "../journal/journal-file.ts";
import { takeStateLock } from "../lock/lock-aging.ts";
import { type FolderCalls, machineFolders } from "../timeline/folder-calls.ts";
import { guardedFolders } from "../timeline/guarded-calls.ts";
import { removeFolder, removeLeftovers } from "../timeline/timeline-folders.ts";
import { type Folders, TimelineLinks } from "../timeline/timeline-links.ts";
import { detachSegments } from "./detached-segments.ts";
import { type Filling, type FolderParts, makeWorld } from "./folder-parts.ts";
import { FolderWorld } from "./folder-world.ts";
import { uploadFiles } from "./key-files.ts";
import { moveAside, moveBack } from "./set-aside.ts";
import { StateHome } from "./state-home.ts";
import {
  documentsElsewhere,
  readSummary,
  type WorldFile,
  worldFileNamed,
  worldFolderOf,
  worldNames,
} from "./world-files.ts";

/** Options of a process that takes a state directory. */
export interface FolderOptions {
  fsync: boolean;
  /** Moves an existing state aside. */
  fresh?: boolean;
  /** Called by a `fresh` start that has locked the directory; if it throws, nothing is moved. */
  beforeMovingAside?: () => Promise<void>;
  /** Takes over a directory whose owner cannot be checked. */
  force?: boolean;
  files?: JournalFiles;
  /** Replaces the calls that change folders; for tests that cut acts off. */
  folders?: FolderCalls;
}

/** Facts about a directory that a start found there. */
interface FoundBefore {
  /** Folder with the state that it set aside. */
  asideIn: string | undefined;
  /** Tells of the simulator that had the directory before. */
  notice: string | undefined;
  /** Folder with the state of the format before that it converted. */
  convertedFrom: string | undefined;
}

const noticeOf = ({ notice, convertedFrom }: FoundBefore): string | undefined => {
  const converted =
    convertedFrom === undefined
      ? []
      : [
          `the state was converted from format ${FORMAT_BEFORE} to ${FORMAT_VERSION}; ` +
            `as it was it stands in ${convertedFrom}`,
        ];
  const all = [...(notice === undefined ? [] : [notice]), ...converted];
  return all.length === 0 ? undefined : all.join("; ");
};

/** A state directory while a process has it (decisions/timelines.md). */
export class FolderSession implements Session {
  readonly files: StoredFiles;
  readonly asideIn: string | undefined;
  /** Tells of the simulator that had the directory before, and of a conversion. */
  readonly notice: string | undefined;
  /** Folder with the state of the format before, if it was converted. */
  private readonly convertedFrom: string | undefined;
  private readonly parts: FolderParts;
  /** Worlds whose records are at hand. */
  private readonly held = new Set<string>();
  /** Highest order of a world so far; unknown until it is asked for. */
  private lastOrder: number | undefined;
  private failure: { of: unknown } | undefined;
  private owner: WorldOwner | undefined;
  private hasToldCopies = false;

  constructor(home: StateHome, options: FolderOptions, facts: FoundBefore) {
    const { fsync, files, folders: machine = machineFolders } = options;
    const root = home.directory;
    const requireHeld = () => home.requireHeld();
    const calls = guardedFolders(machine, requireHeld);
    const durability = { fsync, requireHeld };
    const folders: Folders = { calls, ...durability, tellCopies: (code) => this.tellCopies(code) };
    this.asideIn = facts.asideIn;
    this.convertedFrom = facts.convertedFrom;
    this.notice = noticeOf(facts);
    this.parts = {
      ...{ root, folders, home, requireHeld },
      storageOf: (directory) => calls.storage(directory, durability),
      options: { fsync, ...(files && { files }) },
      tells: (owner) => {
        this.owner = owner;
      },
      fork: (fork, filling) => this.make(fork, filling),
      remove: (name) => this.remove(name),
      released: (name) => void this.held.delete(name),
    };
    this.files = this.storedFiles();
  }

  get place() {
    return this.parts.home.directory;
  }

  trouble() {
    return this.parts.home.told();
  }

  /** Calls a function each time the directory was lost and made again. */
  onRemade(listener: () => unknown) {
    this.parts.home.furnish.add(listener);
  }

  /** Says that the first world could not begin: leaving brings back what this start set aside. */
  giveUp(failure: unknown) {
    this.failure = { of: failure };
  }

  async list() {
    const { root } = this.parts;
    const worlds: (ListedWorld & { order: number })[] = [];
    const damaged: DamagedWorld[] = [];
    for (const name of worldNames(root))
      try {
        const { format: _, ...facts } = worldFileNamed(root, name);
        worlds.push({ ...facts, summary: this.summaryOf(facts) });
      } catch (error) {
        damaged.push({ name, damage: error as Error });
      }
    worlds.sort((a, b) => a.order - b.order);
    this.lastOrder = worlds.at(-1)?.order ?? 0;
    return { worlds, damaged };
  }

  /** Facts of a world's last stop; the first world is opened without them, so damage hinders none. */
  private summaryOf({ name, from }: WorldFacts) {
    try {
      return readSummary(worldFolderOf(this.parts.root, name));
    } catch (error) {
      if (from === undefined && isDamage(error)) return undefined;
      throw error;
    }
  }

  async stopped(name: string): Promise<StoppedWorld | undefined> {
    return readSummary(worldFolderOf(this.parts.root, name));
  }

  async take(name: string): Promise<HeldWorld | undefined> {
    const { root } = this.parts;
    if (!worldNames(root).includes(name)) return undefined;
    const { format: _, ...facts } = worldFileNamed(root, name);
    this.summaryOf(facts);
    return this.hold(facts);
  }

  create(name: string): Promise<HeldWorld> {
    return this.make(
      { name },
      {
        items: new Map(),
        fill: (line) => new TimelineLinks(this.parts.folders).ofNothing(new WorldState(), line),
      },
    );
  }

  async remove(name: string) {
    const { root, folders } = this.parts;
    const { calls, fsync } = folders;
    const directory = worldFolderOf(root, name);
    const isThere = () => statSync(directory, { throwIfNoEntry: false }) !== undefined;
    // The next start deletes files that have lost their name, unless a power cut gives it back.
    const keepGone = () => (fsync ? calls.syncName(directory) : undefined);
    this.held.delete(name);
    if (!isThere()) return keepGone();
    await removeFolder(root, directory, folders).catch((error) => {
      if (isThere()) throw error;
      return keepGone();
    });
  }

  async leave() {
    const { home } = this.parts;
    const { failure } = this;
    this.failure = undefined;
    try {
      if (failure && this.asideIn !== undefined)
        moveBack(this.asideIn, failure.of, this.parts.options);
      else if (failure && this.convertedFrom !== undefined) tellAgain(this.convertedFrom);
    } finally {
      home.release();
    }
  }

  private async make(facts: WorldFacts, filling: Filling): Promise<HeldWorld> {
    if (this.lastOrder === undefined) await this.list();
    this.lastOrder = (this.lastOrder ?? 0) + 1;
    const order = this.lastOrder;
    const directory = worldFolderOf(this.parts.root, facts.name);
    const folder = { directory, facts: { ...facts, order } };
    return makeWorld(this.parts, folder, {
      ...filling,
      use: () => this.hold(folder.facts, filling.items),
    });
  }

  private hold(
    facts: Omit<WorldFile, "format">,
    items: ReadonlyMap<Item, Buffer> = new Map(),
  ): FolderWorld {
    const directory = worldFolderOf(this.parts.root, facts.name);
    const world = new FolderWorld(this.parts, { directory, facts }, items);
    this.held.add(facts.name);
    return world;
  }

  private storedFiles(): StoredFiles {
    const { root, requireHeld, options } = this.parts;
    const storage = uploadFiles(root, { fsync: options.fsync, requireHeld });
    return {
      put: (sha256, bytes) => storage.setItemRaw(sha256, bytes),
      read: async (sha256) => ((await storage.getItemRaw(sha256)) as Buffer | null) ?? undefined,
      list: () => storage.getKeys(),
      remove: (sha256) => storage.removeItem(sha256),
      namedAtRest: async () => documentsElsewhere(root, (name) => this.held.has(name)),
    };
  }

  /** Says once that files are copied, which takes time and space. */
  private tellCopies(code: string) {
    if (!this.hasToldCopies)
      this.owner?.alarm(
        `this file system links no files (${code}): snapshots copy them, which takes longer`,
      );
    this.hasToldCopies = true;
  }
}

/**
 * Takes a state directory.
 * @throws StateLocked, LeftAside; nothing was changed then
 */
export const joinFolder = async (
  directory: string,
  options: FolderOptions,
): Promise<FolderSession> => {
  const { fsync, force = false, fresh = false } = options;
  const { lock, notice } = await takeStateLock(directory, { force, fsync });
  const home = new StateHome(lock, { fsync });
  const calls = guardedFolders(options.folders ?? machineFolders, () => home.requireHeld());
  const placing = { calls, fsync, lock };
  let asideIn: string | undefined;
  let completed: string | undefined;
  try {
    completed = await completePlacing(directory, placing);
    if (fresh) await options.beforeMovingAside?.();
    if (lock.mayBeShared) detachSegments(directory, { fsync });
    asideIn = moveAside(directory, { lock, fsync, fresh });
    await removeLeftovers(directory, calls);
    const converting = { ...placing, tellCopies: () => {} };
    const convertedFrom = completed ?? (await convertState(directory, converting));
    return new FolderSession(home, options, { asideIn, notice, convertedFrom });
  } catch (error) {
    try {
      if (completed !== undefined) tellAgain(completed);
      if (asideIn !== undefined) moveBack(asideIn, error, { fsync });
    } finally {
      home.release();
    }
    throw error;
  }
};
