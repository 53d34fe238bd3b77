import { join } from "node:path";
import type { Storage } from "unstorage";
import { instant } from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { applyOpening } from "../../domain/platform/platform.ts";
import type { Opening } from "../../domain/records/records.ts";
import { Engine } from "../engine.ts";
import type { Wall } from "../ports.ts";
import type { WorldState } from "../world-state.ts";
import { DurableWorld } from "./durable-world.ts";
import { FileStore } from "./file-store.ts";
import {
  type GivenIdentity,
  type Identity,
  type IdentityOwner,
  KeptIdentity,
  keepIdentity,
  keptIdentity,
} from "./identity.ts";
import { JournalDirectory, type RecoveryReport } from "./journal-directory.ts";
import { type JournalFiles, NoJournal } from "./journal-file.ts";
import type { PassedOver } from "./read-state.ts";
import { sealImages } from "./seal-state.ts";
import { moveAside } from "./set-aside.ts";
import { StateLock } from "./state-lock.ts";
import { openFiles, openKeyValue, pathOfKey, type StorageUrl } from "./storage.ts";
import { beginningsOf, openingInput } from "./world-beginning.ts";

/** Place of the files beside a journal. */
export interface KeptPlace {
  storage: Storage;
  directory: string;
  /** The journal says that files had no checksum yet. */
  takesPlain: boolean;
}

export interface WorldOptions {
  storage: StorageUrl;
  wall: Wall;
  fsync: boolean;
  /** What is said of it at this start; the rest is kept from the first one. */
  identity: GivenIdentity;
  /** Credentials of a world that is opened for the first time, unless they are given. */
  seeded?: GivenIdentity;
  /** The webhook endpoint and the settings, as far as this start gives them. */
  opening?: Opening;
  /** Throws when a world that goes on began differently; called before anything is changed. */
  requireFit?: (kept: KeptPlace) => Promise<void>;
  /** Moves the state of an earlier world aside and begins a new one. */
  fresh?: boolean;
  /** Called by a `fresh` start once the directory is locked; when it throws, nothing is moved. */
  beforeMovingAside?: () => Promise<void>;
  /** Takes over a state directory whose owner cannot be checked. */
  force?: boolean;
  files?: JournalFiles;
  /** A checkpoint is due past so many bytes of journal; for tests. */
  checkpointAfterBytes?: number;
  /** Stands in for the key-value side of the storage; for tests that make it fail. */
  keyValue?: Storage;
}

export interface OpenWorld {
  engine: Engine;
  /** Bytes that its records name; a copy of it shares them. */
  files: FileStore;
  identity: Identity;
  /** The same, and how it changes while the simulator runs. */
  kept: KeptIdentity;
  /** False when state was found and goes on. */
  isNew: boolean;
  recovery: RecoveryReport;
  /** Damaged files of checkpoints that something else stood in for. */
  passedOver: readonly PassedOver[];
  /** How often this state was opened, this time included. */
  start: number;
  /** Folder that the state of an earlier world was moved into. */
  asideIn?: string;
  /** Back to the start: records, timers, outbox and clock. */
  reset(): number;
  /**
   * The same, done to a copy of it.
   * @returns lets the copy's clock run, which stands still while a fixture is put in
   */
  beginOn(copy: Engine): () => void;
  /** What this start says of a world that goes on; called when what fell due has fired. */
  applyStart(): void;
  close(): Promise<void>;
}

/** A start says another seed, instant or fixture than the one that the state began with. */
export class WorldExists extends Error {
  override readonly name = "WorldExists";
}

const openMemory = async (options: WorldOptions): Promise<OpenWorld> => {
  const storage = openKeyValue({ kind: "memory" });
  const { wall, opening = { settings: {} } } = options;
  const identity = await keepIdentity(storage, firstIdentity(options), {
    file: "memory",
    isNew: true,
    takesPlain: false,
  });
  const clock = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
  const engine = new Engine({ wall, journal: new NoJournal(), clock });
  const files = new FileStore(openFiles(options.storage, options), engine);
  return {
    engine,
    files,
    identity,
    kept: new KeptIdentity(storage, identity),
    isNew: true,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    passedOver: [],
    start: 1,
    ...beginningsOf(engine, { wall, identity, opening }),
    applyStart: () => {},
    close: async () => {
      await files.close();
      engine.close();
    },
  };
};

/** The identity of a new world: given values, seeded ones, and its first instant. */
const firstIdentity = ({ wall, seeded, identity }: WorldOptions): GivenIdentity => ({
  ...seeded,
  openedAtMs: identity.startMs ?? wall.nowMs(),
  ...identity,
});

/**
 * The identity of a world that goes on. Its seed and its first instant may be said again.
 * @throws WorldExists when they are said to be others
 */
const laterIdentity = async (
  storage: Storage,
  state: WorldState,
  { directory, options, owner }: { directory: string; options: WorldOptions; owner: IdentityOwner },
): Promise<Identity> => {
  const { seed, startMs, ...others } = options.identity;
  const kept = await keptIdentity(storage, owner);
  const openedAtMs = kept.startMs ?? kept.openedAtMs ?? platformConfig(state).createdAtMs;
  const refuseOther = (option: string, has: string, found: string | undefined) => {
    if (found !== undefined && found !== has)
      throw new WorldExists(
        `Expected ${option} ${has}, which the state in ${directory} began with, but found ${found}`,
      );
  };
  refuseOther("--seed", state.seed, seed);
  refuseOther("--now", instant(openedAtMs), startMs === undefined ? undefined : instant(startMs));
  await options.requireFit?.({ storage, directory, takesPlain: owner.takesPlain });
  const given = { ...others, ...(!kept.openedAtMs && { openedAtMs }) };
  return keepIdentity(storage, given, owner);
};

/** Applies the options of this start to a world that goes on: credentials, endpoint, settings, clock. */
const startApplier = (engine: Engine, identity: Identity, options: WorldOptions) => () => {
  const cause = { cause: "start", by: "start" };
  // A timer that threw is for whoever looks at this world, not a reason to have none.
  if (engine.stopped) return;
  engine.commit(applyOpening, openingInput(identity, options.opening ?? {}), cause);
  const { clockMode } = options.identity;
  if (clockMode && clockMode !== engine.clock.mode)
    engine.keepClock(engine.clock.stateFromNow(clockMode), cause);
};

/**
 * Opens the world of a storage URL: new, or as its journal says.
 * @throws StateLocked, JournalDamage, StateDamage, WorldExists; nothing was changed then
 */
export const openWorld = (options: WorldOptions): Promise<OpenWorld> =>
  options.storage.kind === "memory"
    ? openMemory(options)
    : openFile(options, options.storage.directory);

const openFile = async (options: WorldOptions, directory: string): Promise<OpenWorld> => {
  const { wall, fsync, force = false, fresh = false, opening = { settings: {} } } = options;
  const lock = StateLock.take(directory, { force, fsync });
  try {
    if (fresh) await options.beforeMovingAside?.();
    const asideIn = moveAside(directory, { lock, fsync, fresh });
    const storage = options.keyValue ?? openKeyValue(options.storage, { fsync });
    const journals = new JournalDirectory(join(directory, "journal"));
    const world = new DurableWorld({ files: { directory, storage, journals }, lock, options });
    const { state, recovery, passedOver } = await world.read();
    const takesPlain = !journals.isSealed();
    const isNew = state.seq === 0;
    const owner = { file: pathOfKey(directory, "identity"), isNew, takesPlain };
    const identity = isNew
      ? await keepIdentity(storage, firstIdentity(options), owner)
      : await laterIdentity(storage, state, { directory, options, owner });
    const isUpgrade = takesPlain && !isNew;
    if (isUpgrade) await sealImages(storage, pathOfKey(directory, "fixture"));
    const now = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
    const engine = world.open(state, recovery, state.clock ?? now);
    if (isUpgrade) await world.sealJournal();
    const files = new FileStore(openFiles(options.storage, options), engine);
    return {
      engine,
      files,
      identity,
      kept: new KeptIdentity(storage, identity),
      isNew,
      recovery,
      passedOver,
      start: lock.number,
      ...(asideIn !== undefined && { asideIn }),
      ...beginningsOf(engine, { wall, identity, opening }),
      applyStart: startApplier(engine, identity, options),
      close: async () => {
        await files.close();
        await world.close();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};
