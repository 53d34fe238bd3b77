import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Change, encodeChange } from "../../../runtime/change.ts";
import { StateDamage } from "../../../runtime/damage.ts";
import type { Engine } from "../../../runtime/engine.ts";
import { NoJournal } from "../../../runtime/journal.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { encodeChecked } from "../../format/checked-file.ts";
import type { FileStore, WorldFiles } from "../../world/file-store.ts";
import { forkedEngine, identityOf } from "../../world/forked-world.ts";
import { type Identity, KeptIdentity, keptIdentity } from "../../world/identity.ts";
import type { RecoveryReport, SkippedFile } from "../../world/recovery-report.ts";
import type {
  DamagedWorld,
  ForkOptions,
  OtherWorlds,
  WorldHandle,
  WorldOnDisk,
} from "../../world/world-handle.ts";
import { DiskPoints, pointFolders } from "../timeline/disk-points.ts";
import { FolderInPlace, placeFolder } from "../timeline/folder-placing.ts";
import type { StateFiles } from "../timeline/read-state.ts";
import { openTimeline, removeFolder, unfinishedIn } from "../timeline/timeline-folders.ts";
import {
  asFailure,
  type Folders,
  TimelineLinks,
  type TimelinePoint,
} from "../timeline/timeline-links.ts";
import { DurableWorld } from "./durable-world.ts";
import type { DurableWorldParts, WorldLock } from "./durable-world-parts.ts";
import { openKeyValue, pathOfKey } from "./key-files.ts";
import type { StateHome } from "./state-home.ts";
import {
  documentsElsewhere,
  encodeWorld,
  readSummary,
  readWorldFile,
  snapshotsOf,
  startOf,
  summaryFileOf,
  summaryOf,
  type WorldFile,
  worldFileOf,
  worldFolderOf,
  worldNames,
} from "./world-files.ts";
import { writeWorld } from "./write-world.ts";

/** Parts that all worlds of a state directory share. */
export interface SharedParts {
  root: string;
  folders: Folders;
  /** The directory and its lock, which counts for all of them. */
  home: StateHome;
  options: DurableWorldParts["options"];
  /** Documents of all worlds. */
  files: FileStore;
}

/** An open world that another one is forked from. */
export interface ForkOrigin {
  name: string;
  engine: Engine;
  world: DurableWorld;
  points: DiskPoints;
  kept: KeptIdentity;
}

/** A world's folder, with the credentials and keys in it, and which world it is. */
interface WorldPlace {
  name: string;
  identity: Identity;
  directory: string;
  facts: Omit<WorldFile, "format">;
}

const LINE = "line-0";

/** Keeps the timeline of a journal that has no file yet. */
class Captured extends NoJournal {
  text = "";
  override buffer(change: Change) {
    super.buffer(change);
    this.text += encodeChange(change);
  }
}

/** A folder of a world and what was read from it. */
interface LoadedFolder {
  files: StateFiles;
  state: WorldState;
  recovery: RecoveryReport;
  passedOver: SkippedFile[];
}

/** Worlds of a state directory that were forked (decisions/timelines.md). */
export class WorldsOnDisk implements OtherWorlds {
  private readonly parts: SharedParts;
  private readonly openNames = new Set<string>();
  /** Names of folders that are no world: whoever wanted it was told that there is none. */
  private readonly unfinished = new Set<string>();
  /** Highest order of a world so far; unknown until it is asked for. */
  private lastOrder: number | undefined;

  constructor(parts: SharedParts) {
    this.parts = parts;
  }

  isOpen(name: string) {
    return this.openNames.has(name);
  }

  /** Hashes of the documents that kept states and closed worlds name; nothing if unknown. */
  documents(): ReadonlySet<string> | undefined {
    return documentsElsewhere(this.parts.root, (name) => this.isOpen(name));
  }

  async list() {
    const { root } = this.parts;
    const worlds: (WorldOnDisk & { order: number })[] = [];
    const damaged: DamagedWorld[] = [];
    for (const name of worldNames(root))
      try {
        const { from, order, isLate } = this.imageOf(name);
        const summary = readSummary(worldFolderOf(root, name));
        worlds.push({ name, from, order, summary, ...(isLate && { isLate }) });
      } catch (error) {
        damaged.push({ name, damage: error as Error });
      }
    worlds.sort((a, b) => a.order - b.order);
    this.lastOrder = worlds.at(-1)?.order ?? 0;
    return { worlds, damaged };
  }

  async stopped(name: string) {
    return readSummary(worldFolderOf(this.parts.root, name));
  }

  async remove(name: string) {
    const { root, folders } = this.parts;
    const { calls, fsync } = folders;
    const directory = worldFolderOf(root, name);
    const isThere = () => statSync(directory, { throwIfNoEntry: false }) !== undefined;
    // The next start deletes files that have lost their name, unless a power cut gives it back.
    const keepGone = () => (fsync ? calls.syncName(directory) : undefined);
    try {
      if (!isThere()) await keepGone();
      else
        await removeFolder(root, directory, folders).catch((error) => {
          if (isThere()) throw error;
          return keepGone();
        });
    } catch (error) {
      throw asFailure(error);
    }
    this.unfinished.delete(name);
  }

  async open(name: string): Promise<WorldHandle | undefined> {
    const { root } = this.parts;
    if (!worldNames(root).includes(name)) return undefined;
    const directory = worldFolderOf(root, name);
    const { format: _, ...facts } = this.imageOf(name);
    readSummary(directory);
    const storage = openKeyValue({ kind: "file", directory });
    const file = pathOfKey(directory, "identity");
    const identity = await keptIdentity(storage, file);
    const files = openTimeline({ directory, isFirst: false }, this.parts.folders);
    const world = this.durable(directory, files);
    const read = await world.read();
    const { calls, fsync } = this.parts.folders;
    await calls.remove(summaryFileOf(directory));
    // After a power cut it would describe the world without what comes now, documents too.
    if (fsync) await calls.syncName(summaryFileOf(directory));
    return this.opened({ name, identity, directory, facts }, world, read);
  }

  /** Makes a world that begins as an open one is now, or with a state that the birth names. */
  async fork(origin: ForkOrigin, birth: ForkOptions): Promise<WorldHandle> {
    const { root, files } = this.parts;
    const identity = identityOf(origin.kept.now, birth);
    const directory = worldFolderOf(root, birth.name);
    const { name } = birth;
    const release = await files.hold();
    try {
      if (this.unfinished.has(name)) await this.remove(name);
      // Otherwise the fork would fire what was due before it was made.
      origin.engine.catchUp();
      const place = { name, identity, directory, facts: await this.factsOf(origin, birth) };
      const state = await origin.world.atPoint((point) =>
        this.make({ origin, birth, place }, point),
      );
      const fork = await this.begun(place, state);
      this.unfinished.delete(name);
      return fork;
    } catch (error) {
      if (this.unfinished.has(name)) await this.unmake(name, origin.engine);
      throw error;
    } finally {
      release();
    }
  }

  /** Opens a new world. */
  private async begun(place: WorldPlace, state: WorldState): Promise<WorldHandle> {
    const { directory } = place;
    try {
      const world = this.durable(
        directory,
        openTimeline({ directory, isFirst: false }, this.parts.folders),
      );
      world.take(state);
      const recovery = { records: state.seq, tornBytes: 0, readBytes: 0 };
      return await this.opened(place, world, { state, recovery, passedOver: [] });
    } catch (error) {
      throw asFailure(error);
    }
  }

  /** Makes the folder of a new world, which exists from its rename on. */
  private async make(
    { origin, birth, place }: { origin: ForkOrigin; birth: ForkOptions; place: WorldPlace },
    point: TimelinePoint,
  ): Promise<WorldState> {
    const { root, folders, options } = this.parts;
    const { calls, fsync } = folders;
    const { name, directory, identity, facts } = place;
    const made = unfinishedIn(root);
    const from = birth.state ?? point.state;
    if (!birth.state) from.clock = point.clock;
    const journal = new Captured();
    const forkOptions = { ...birth, state: from.fork() };
    const engine = forkedEngine(origin.engine, forkOptions, { wall: options.wall, journal });
    engine.close();
    const { state } = engine;
    const reach = { seq: state.seq, atMs: state.atMs };
    const details = { order: 0, reach, first: { line: journal.text, state } };
    try {
      const line = join(made, LINE);
      const isNow = { ...point, isOwnPast: !birth.state };
      const image = await origin.points.fill(from, isNow, { folder: line, details });
      const { meta } = image;
      const kept = { directory: line, image };
      await new TimelineLinks(folders).ofKept(kept, startOf(made), { meta, order: 0 });
      await calls.write(pathOfKey(made, "identity"), encodeChecked("identity", identity));
      await calls.write(worldFileOf(made), encodeWorld(facts));
      if (fsync) await calls.syncName(worldFileOf(made));
      calls.makeFolder(dirname(directory));
      return await placeFolder({ made, directory, above: [dirname(directory)] }, folders, () => {
        this.unfinished.add(name);
        return state;
      });
    } catch (error) {
      if (error instanceof FolderInPlace) this.unfinished.add(name);
      await calls.remove(made).catch(() => {});
      throw error;
    }
  }

  /** Deletes a new world that could not be opened: its caller is told that there is none. */
  private async unmake(name: string, engine: Engine) {
    await this.remove(name).catch(({ message }: Error) => {
      engine.alarm(
        `the world ${name} was refused and could not be deleted: ${message}; ` +
          "it is there after a restart, unless the name is used again before",
      );
    });
  }

  private async factsOf(
    origin: ForkOrigin,
    { name, isLate }: ForkOptions,
  ): Promise<WorldPlace["facts"]> {
    if (this.lastOrder === undefined) await this.list();
    this.lastOrder = (this.lastOrder ?? 0) + 1;
    const order = this.lastOrder;
    return { name, from: origin.name, order, ...(isLate && { isLate }) };
  }

  /** The description of a world, which tells its name. */
  private imageOf(name: string): WorldFile {
    const directory = worldFolderOf(this.parts.root, name);
    const image = readWorldFile(directory);
    if (image.name !== name)
      throw new StateDamage(
        { part: "line", expected: `the world ${name}` },
        { file: worldFileOf(directory), found: `the world ${image.name}`, why: "it was moved" },
      );
    return image;
  }

  private durable(directory: string, files: StateFiles) {
    const { home, options } = this.parts;
    const storage = openKeyValue({ kind: "file", directory }, options);
    // The lock is that of the whole directory, which the default world releases.
    const lock: WorldLock = {
      get number() {
        return home.number;
      },
      taken: () => home.taken(),
      isOverdue: () => home.isOverdue(),
      join: (resident) => home.join(resident),
      release: () => {},
    };
    return new DurableWorld({ files, home: { directory, storage }, lock, options });
  }

  private async opened(
    place: WorldPlace,
    world: DurableWorld,
    { state, recovery, passedOver }: Omit<LoadedFolder, "files">,
  ): Promise<WorldHandle> {
    const { root, folders, home, options } = this.parts;
    const { name, identity, directory, facts } = place;
    const snapshots = snapshotsOf(directory);
    const keptFolders = pointFolders(snapshots);
    const now = { mode: "real", offsetMs: 0, instantMs: options.wall.nowMs() } as const;
    const engine = world.open(state, recovery, state.clock ?? now);
    this.openNames.add(name);
    const files = this.parts.files.forFork(engine);
    const close = this.closing(place, { world, engine, files });
    const folder = { directory, isFirst: false };
    const holdFiles = () => files.hold();
    const points = new DiskPoints(
      world,
      { root, folder, snapshots, folders, holdFiles },
      keptFolders,
    );
    try {
      await points.removeOldTimelines();
    } catch (error) {
      // Left alone, its engine would write beside that of the next call that opens the world.
      await close().catch(() => {});
      throw error;
    }
    const storage = openKeyValue({ kind: "file", directory }, options);
    const kept = new KeptIdentity(storage, identity, (write) =>
      world.startFiles.rewriting(pathOfKey(directory, "identity"), write),
    );
    world.makeAgain = async (state) => {
      await home.stand();
      const fork = { root, directory, identity: kept.now, facts };
      const line = await writeWorld(state, fork, folders);
      points.forgetGone();
      return line;
    };
    return {
      engine,
      files,
      identity,
      kept,
      isNew: false,
      recovery,
      passedOver,
      start: home.number,
      home,
      requests: world.requests,
      points,
      reset: () => engine.state.seq,
      resetState: () => undefined,
      stateAtFork: () => points.stateIn(startOf(directory)),
      startCopy: () => () => {},
      applyStart: () => {},
      giveUp: () => {},
      fork: (birth) => this.fork({ name, engine, world, points, kept }, birth),
      close: () => close(),
      remove: async () => {
        await close({ isLast: true });
        await this.remove(name);
      },
    };
  }

  /** A function that ends an open world once; its engine acts no more, however that goes. */
  private closing(
    { name, identity, directory }: WorldPlace,
    { world, engine, files }: { world: DurableWorld; engine: Engine; files: WorldFiles },
  ) {
    const storage = openKeyValue({ kind: "file", directory }, this.parts.options);
    let isClosed = false;
    return async ({ isLast = false } = {}) => {
      // A second close must not describe a world that another process may have changed by then.
      if (isClosed) return;
      isClosed = true;
      const clock = engine.clock.stateFromNow();
      try {
        await world.close(() => {}, { isLast });
        // A world whose storage failed may differ in memory from its files.
        if (!isLast && engine.readOnlyBecause === undefined) {
          const summary = summaryOf(engine.state, { clientId: identity.clientId, clock });
          await storage.setItemRaw("summary", encodeChecked("summary", summary));
        }
      } finally {
        this.openNames.delete(name);
        await files.close();
      }
    };
  }
}
