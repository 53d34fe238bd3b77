import type { Storage } from "unstorage";
import { OWN_BRAND } from "../contract/core/brand-words.ts";
import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import { applyOpening } from "../domain/platform/platform.ts";
import type { InitialSettings } from "../domain/records/initial-settings.ts";
import { Engine } from "../runtime/engine.ts";
import { NoJournal } from "../runtime/journal.ts";
import { MemoryPoints } from "../runtime/past/memory-points.ts";
import type { Wall } from "../runtime/ports.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { JournalFiles } from "./file/journal/journal-file.ts";
import { takeStateLock } from "./file/lock/lock-aging.ts";
import { detachSegments } from "./file/state/detached-segments.ts";
import { DurableWorld } from "./file/state/durable-world.ts";
import { openFiles, openKeyValue, pathOfKey } from "./file/state/key-files.ts";
import { moveAside, moveBack } from "./file/state/set-aside.ts";
import { StateHome } from "./file/state/state-home.ts";
import { snapshotsOf } from "./file/state/world-files.ts";
import { WorldsOnDisk } from "./file/state/worlds-on-disk.ts";
import { DiskPoints, type PointFolder, pointFolders } from "./file/timeline/disk-points.ts";
import { type FolderCalls, machineFolders } from "./file/timeline/folder-calls.ts";
import { guardedFolders } from "./file/timeline/guarded-calls.ts";
import { openTimeline, removeLeftovers } from "./file/timeline/timeline-folders.ts";
import { writeTimeline } from "./file/timeline/write-timeline.ts";
import { FileStore } from "./world/file-store.ts";
import { forkInMemory } from "./world/forked-world.ts";
import {
  type GivenIdentity,
  type Identity,
  type IdentityOwner,
  KeptIdentity,
  keepIdentity,
  keptIdentity,
  storeIdentity,
} from "./world/identity.ts";
import { openingInput, startStateOf } from "./world/start-state.ts";
import type { StorageUrl } from "./world/storage-url.ts";
import type { WorldHandle } from "./world/world-handle.ts";

export type { WorldHandle as OpenWorld };

/** Location of the files beside a journal. */
export interface KeptPlace {
  storage: Storage;
  directory: string;
}

export interface WorldOptions {
  storage: StorageUrl;
  wall: Wall;
  fsync: boolean;
  /** Parts of the identity that this start names; the others are kept from the first start. */
  identity: GivenIdentity;
  /** Credentials of a new world, where none are given. */
  seeded?: GivenIdentity;
  /** The webhook endpoint and the settings that this start names. */
  opening?: InitialSettings;
  /** Throws when the existing world began differently; called before anything is changed. */
  requireFit?: (kept: KeptPlace) => Promise<void>;
  /** Moves an existing world's state aside and begins a new world. */
  fresh?: boolean;
  /** Called by a `fresh` start that has locked the directory; if it throws, nothing is moved. */
  beforeMovingAside?: () => Promise<void>;
  /** Takes over a state directory whose owner cannot be checked. */
  force?: boolean;
  /** Throws when the directory may no longer be changed. */
  requireHeld?: () => void;
  files?: JournalFiles;
  /** Bytes of journal past which a checkpoint is due; for tests. */
  checkpointAfterBytes?: number;
  /** Replaces the calls that change folders; for tests that cut acts off. */
  folders?: FolderCalls;
  /** Replaces the key-value part of the storage; for tests that make it fail. */
  keyValue?: Storage;
}

/** Raised when a start names another seed, instant or fixture than the state began with. */
export class WorldExists extends Error {
  override readonly name = "WorldExists";
}

const openMemory = async (options: WorldOptions): Promise<WorldHandle> => {
  const storage = openKeyValue({ kind: "memory" });
  const { wall, opening = { settings: {} } } = options;
  const identity = await keepIdentity(storage, firstIdentity(options), {
    file: "memory",
    isNew: true,
  });
  const clock = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
  const engine = new Engine({ wall, journal: new NoJournal(), clock });
  const files = new FileStore(openFiles(options.storage, options), engine);
  const world: WorldHandle = {
    engine,
    files,
    identity,
    kept: new KeptIdentity(storage, identity),
    isNew: true,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    passedOver: [],
    start: 1,
    points: new MemoryPoints(engine),
    ...startStateOf(engine, { wall, identity, opening }),
    applyStart: () => {},
    giveUp: () => {},
    fork: async (birth) => forkInMemory(world, birth, wall),
    close: async () => {
      await files.close();
      engine.close();
    },
  };
  return world;
};

/** Identity of a new world: given values, seeded ones, and its first instant. */
const firstIdentity = ({ wall, seeded, identity }: WorldOptions): GivenIdentity => ({
  ...seeded,
  openedAtMs: identity.startMs ?? wall.nowMs(),
  ...identity,
});

/**
 * Identity of an existing world, whose seed and first instant may be named again.
 * @throws WorldExists when the names differ
 */
const laterIdentity = async (
  storage: Storage,
  state: WorldState,
  { directory, options, owner }: { directory: string; options: WorldOptions; owner: IdentityOwner },
): Promise<Identity> => {
  const { seed, startMs, ...others } = options.identity;
  const kept = await keptIdentity(storage, owner.file);
  const openedAtMs = kept.startMs ?? kept.openedAtMs ?? platformConfig(state).createdAtMs;
  const refuseOther = (option: string, has: string, found: string | undefined) => {
    if (found !== undefined && found !== has)
      throw new WorldExists(
        `Expected ${option} ${has}, which the state in ${directory} began with, but found ${found}`,
      );
  };
  refuseOther("--seed", state.seed, seed);
  refuseOther("--now", instant(openedAtMs), startMs === undefined ? undefined : instant(startMs));
  const brand = platformConfig(state).brand?.word ?? OWN_BRAND;
  refuseOther("--brand", brand, options.opening?.brand?.word);
  await options.requireFit?.({ storage, directory });
  const parts = { ...others, ...(!kept.openedAtMs && { openedAtMs }) };
  return keepIdentity(storage, parts, owner);
};

/** Applies this start's options to an existing world: credentials, endpoint, settings, clock. */
const startApplier = (engine: Engine, identity: Identity, options: WorldOptions) => () => {
  const cause = { cause: "start", by: "start" };
  // A timer that threw leaves a stopped world, which users can still inspect.
  if (engine.stopped) return;
  engine.commit(applyOpening, openingInput(identity, options.opening ?? {}), cause);
  const { clockMode: mode, clockSpeed: speed } = options.identity;
  if (mode && (mode !== engine.clock.mode || speed !== engine.clock.speed))
    engine.keepClock(engine.clock.stateFromNow({ mode, speed }), cause);
};

/**
 * Opens the world at a storage URL: a new one, or the one in its journal.
 * @throws StateLocked, JournalDamage, StateDamage, WorldExists; nothing was changed then
 */
export const openWorld = (options: WorldOptions): Promise<WorldHandle> =>
  options.storage.kind === "memory"
    ? openMemory(options)
    : openFile(options, options.storage.directory);

/** Says once that files are copied, which takes time and space. */
const tellOnce = (engine: Engine) => {
  let isTold = false;
  return (code: string) => {
    if (!isTold)
      engine.alarm(
        `this file system links no files (${code}): snapshots copy them, which takes longer`,
      );
    isTold = true;
  };
};

/** Things beside a world's journal: documents, kept states and the worlds forked from it. */
const filesOf = (
  world: DurableWorld,
  engine: Engine,
  {
    directory: root,
    home,
    options,
    kept,
  }: {
    directory: string;
    home: StateHome;
    options: WorldOptions;
    kept: readonly PointFolder[];
  },
) => {
  const { fsync, folders: machine = machineFolders } = options;
  const requireHeld = () => home.requireHeld();
  const calls = guardedFolders(machine, requireHeld);
  const files = new FileStore(openFiles(options.storage, options), engine, () =>
    others.documents(),
  );
  const folders = { calls, fsync, requireHeld, tellCopies: tellOnce(engine) };
  const others = new WorldsOnDisk({ root, folders, home, options, files });
  const place = {
    root,
    folder: { directory: root, isFirst: true },
    snapshots: snapshotsOf(root),
    folders,
    holdFiles: () => files.hold(),
  };
  const points = new DiskPoints(world, place, kept);
  world.makeAgain = async (state) => {
    await home.stand();
    await home.furnishAgain();
    const line = await writeTimeline(state, place, folders);
    points.forgetGone();
    return line;
  };
  return { documents: files, others, points };
};

const openFile = async (worldOptions: WorldOptions, directory: string): Promise<WorldHandle> => {
  const { wall, fsync, force = false, fresh = false, opening = { settings: {} } } = worldOptions;
  const { lock, notice: toldBefore } = await takeStateLock(directory, { force, fsync });
  const home = new StateHome(lock, { fsync });
  const options = { ...worldOptions, requireHeld: () => home.requireHeld() };
  let undo = (_failure: unknown) => {};
  let end = async (last: () => void) => last();
  try {
    if (fresh) await options.beforeMovingAside?.();
    if (lock.mayBeShared) detachSegments(directory, { fsync });
    const asideIn = moveAside(directory, { lock, fsync, fresh });
    if (asideIn !== undefined) undo = (failure) => moveBack(asideIn, failure, { fsync });
    await removeLeftovers(directory, options.folders ?? machineFolders);
    const storage = options.keyValue ?? openKeyValue(options.storage, options);
    const files = openTimeline(
      { directory, isFirst: true },
      { firstStorage: storage, fsync, requireHeld: options.requireHeld },
    );
    const place = { directory, storage };
    const world = new DurableWorld({ files, home: place, lock: home, options });
    const { state, recovery, passedOver } = await world.read();
    const isNew = state.seq === 0;
    const owner = { file: pathOfKey(directory, "identity"), isNew };
    const identity = isNew
      ? await keepIdentity(storage, firstIdentity(options), owner)
      : await laterIdentity(storage, state, { directory, options, owner });
    const now = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
    const parts = { directory, home, options, kept: pointFolders(snapshotsOf(directory)) };
    const engine = world.open(state, recovery, state.clock ?? now);
    // It acts from here on: left alone, it would write beside the engine of the next start.
    end = (last) => world.close(last);
    const { documents, others, points } = filesOf(world, engine, parts);
    await points.removeOldTimelines();
    const kept = new KeptIdentity(storage, identity, (write) =>
      world.startFiles.rewriting(owner.file, write),
    );
    home.furnish.add(() => storeIdentity(storage, kept.now));
    let beforeRelease = () => {};
    const opened: WorldHandle = {
      engine,
      files: documents,
      identity,
      kept,
      isNew,
      recovery,
      passedOver,
      start: lock.number,
      writeFixture: (write) => world.startFiles.rewriting(pathOfKey(directory, "fixture"), write),
      ...defined({ asideIn, earlierOwner: toldBefore }),
      home,
      requests: world.requests,
      points,
      ...startStateOf(engine, { wall, identity, opening }),
      applyStart: startApplier(engine, identity, options),
      fork: (birth) =>
        others.fork({ name: engine.state.world, engine, world, points, kept }, birth),
      others,
      giveUp: (failure) => {
        beforeRelease = () => undo(failure);
      },
      close: async () => {
        await documents.close();
        await world.close(() => beforeRelease());
      },
    };
    return opened;
  } catch (error) {
    try {
      await end(() => undo(error));
    } finally {
      home.release();
    }
    throw error;
  }
};
