import { hash } from "node:crypto";
import { join } from "node:path";
import type { Storage } from "unstorage";
import {
  applyOpening,
  type OpeningInput,
  openPlatform,
  type WorldSettings,
} from "../domain/platform.ts";
import type { ClockState } from "./clock.ts";
import { DurableWorld } from "./durable-world.ts";
import { Engine } from "./engine.ts";
import { FileStore } from "./file-store.ts";
import { type GivenIdentity, type Identity, KeptIdentity, keepIdentity } from "./identity.ts";
import { JournalDirectory, type RecoveryReport } from "./journal-directory.ts";
import { type JournalFiles, NoJournal } from "./journal-file.ts";
import type { Wall } from "./ports.ts";
import type { PassedOver } from "./read-state.ts";
import { sealImages } from "./seal-state.ts";
import { StateLock } from "./state-lock.ts";
import { openFiles, openKeyValue, pathOfKey, type StorageUrl } from "./storage.ts";

export interface WorldOptions {
  storage: StorageUrl;
  wall: Wall;
  fsync: boolean;
  /** What is said of it at this start; the rest is kept from the first one. */
  identity: GivenIdentity;
  /** Where webhooks go from the start, set by the operator: no event tells of it. */
  webhookEndpoint?: string;
  /** How the service behaves from this start on. */
  settings?: WorldSettings;
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
  /** Back to the start: records, timers, outbox and clock (decisions, Reset). */
  reset(): number;
  /** The same, done to a copy of it. */
  resetCopy(engine: Engine): number;
  /** What this start says of a world that goes on; called when what fell due has fired. */
  applyStart(): void;
  close(): Promise<void>;
}

/** `--now` and `--seed` say how a world starts; one that exists has started already. */
export class WorldExists extends Error {
  override readonly name = "WorldExists";
}

const WORLD_NAME = "sandbox";

const startClock = (wall: Wall, { clockMode = "real", startMs }: GivenIdentity): ClockState => {
  const wallMs = wall.nowMs();
  const instantMs = startMs ?? wallMs;
  return { mode: clockMode, offsetMs: clockMode === "real" ? instantMs - wallMs : 0, instantMs };
};

const openingInput = (
  { clientId, clientSecret }: Identity,
  { webhookEndpoint, settings }: WorldOptions,
): OpeningInput => ({
  clientId,
  secretHash: hash("sha256", clientSecret, "hex"),
  ...(webhookEndpoint !== undefined && { webhookEndpoint }),
  ...(settings && { settings }),
});

const openMemory = async (options: WorldOptions): Promise<OpenWorld> => {
  const storage = openKeyValue({ kind: "memory" });
  const owner = { file: "memory", isNew: true, takesPlain: false };
  const identity = await keepIdentity(storage, options.identity, owner);
  const clock = startClock(options.wall, identity);
  const engine = new Engine({ wall: options.wall, journal: new NoJournal(), clock });
  const resetCopy = resetter(identity, options);
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
    reset: () => resetCopy(engine),
    resetCopy,
    applyStart: () => {},
    close: async () => {
      await files.close();
      engine.close();
    },
  };
};

const resetter = (identity: Identity, options: WorldOptions) => (engine: Engine) =>
  engine.open(
    (draft, _input, moment) => openPlatform(draft, openingInput(identity, options), moment),
    { world: WORLD_NAME, seed: identity.seed, branch: engine.state.branch + 1 },
    startClock(options.wall, identity),
  );

/** What this start says of a world that goes on: credentials, endpoint, UMA domains, clock mode. */
const startApplier = (engine: Engine, identity: Identity, options: WorldOptions) => () => {
  const cause = { cause: "start", by: "start" };
  // A timer that threw is for whoever looks at this world, not a reason to have none.
  if (engine.stopped) return;
  engine.commit(applyOpening, openingInput(identity, options), cause);
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
  const { fsync, force = false } = options;
  const lock = StateLock.take(directory, { force, fsync });
  try {
    const storage = options.keyValue ?? openKeyValue(options.storage, { fsync });
    const journals = new JournalDirectory(join(directory, "journal"));
    const world = new DurableWorld({ files: { directory, storage, journals }, lock, options });
    const { state, recovery, passedOver } = await world.read();
    const takesPlain = !journals.isSealed();
    const isNew = state.seq === 0;
    const { seed, startMs } = options.identity;
    if (!isNew && (seed !== undefined || startMs !== undefined))
      throw new WorldExists(
        `Expected new state for --seed or --now but found ${state.seq} records in ${directory}`,
      );
    const file = pathOfKey(directory, "identity");
    const identity = await keepIdentity(storage, options.identity, { file, isNew, takesPlain });
    const isUpgrade = takesPlain && !isNew;
    if (isUpgrade) await sealImages(storage, pathOfKey(directory, "fixture"));
    const clock = state.clock ?? startClock(options.wall, identity);
    const engine = world.open(state, recovery, clock);
    if (isUpgrade) await world.sealJournal();
    const resetCopy = resetter(identity, options);
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
      reset: () => resetCopy(engine),
      resetCopy,
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
