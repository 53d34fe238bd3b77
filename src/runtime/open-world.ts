import { hash } from "node:crypto";
import { join } from "node:path";
import { openPlatform } from "../domain/platform.ts";
import type { ClockState } from "./clock.ts";
import { DurableWorld } from "./durable-world.ts";
import { Engine } from "./engine.ts";
import { type Identity, keepIdentity } from "./identity.ts";
import { JournalDirectory, type RecoveryReport } from "./journal-directory.ts";
import { type JournalFiles, NoJournal } from "./journal-file.ts";
import type { Wall } from "./ports.ts";
import { StateLock } from "./state-lock.ts";
import { openKeyValue, type StorageUrl } from "./storage.ts";

export interface WorldOptions {
  storage: StorageUrl;
  wall: Wall;
  fsync: boolean;
  clockMode?: ClockState["mode"];
  /** Starting instant of a new world, epoch milliseconds. */
  nowMs?: number;
  seed?: string;
  /** Takes over a state directory whose owner cannot be checked. */
  force?: boolean;
  files?: JournalFiles;
  /** A checkpoint is due past so many bytes of journal; for tests. */
  checkpointAfterBytes?: number;
}

export interface OpenWorld {
  engine: Engine;
  identity: Identity;
  /** False when state was found and goes on. */
  isNew: boolean;
  recovery: RecoveryReport;
  /** How often this state was opened, this time included. */
  start: number;
  /** Back to the start: records, timers, outbox and clock (decisions, Reset). */
  reset(): number;
  close(): Promise<void>;
}

/** `--now` and `--seed` say how a world starts; one that exists has started already. */
export class WorldExists extends Error {
  override readonly name = "WorldExists";
}

const WORLD_NAME = "sandbox";

const startClock = ({ clockMode, nowMs, wall }: WorldOptions): ClockState => {
  const wallMs = wall.nowMs();
  const instantMs = nowMs ?? wallMs;
  const mode = clockMode ?? "real";
  return { mode, offsetMs: mode === "real" ? instantMs - wallMs : 0, instantMs };
};

const opener = ({ clientId, clientSecret }: Identity) => {
  const secretHash = hash("sha256", clientSecret, "hex");
  return (...[draft, , moment]: Parameters<Parameters<Engine["open"]>[0]>) =>
    openPlatform(draft, { clientId, secretHash }, moment);
};

const openMemory = async (options: WorldOptions): Promise<OpenWorld> => {
  const { identity } = await keepIdentity(openKeyValue({ kind: "memory" }), options.seed);
  const clock = startClock(options);
  const engine = new Engine({ wall: options.wall, journal: new NoJournal(), clock });
  return {
    engine,
    identity,
    isNew: true,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    start: 1,
    reset: resetter(engine, identity, options),
    close: async () => engine.close(),
  };
};

const resetter = (engine: Engine, identity: Identity, options: WorldOptions) => () =>
  engine.open(
    opener(identity),
    { world: WORLD_NAME, seed: identity.seed, branch: engine.state.branch + 1 },
    startClock(options),
  );

/**
 * Opens the world of a storage URL: new, or as its journal says.
 * @throws StateLocked, JournalDamage, WorldExists; nothing was changed then
 */
export const openWorld = (options: WorldOptions): Promise<OpenWorld> =>
  options.storage.kind === "memory"
    ? openMemory(options)
    : openFile(options, options.storage.directory);

const openFile = async (options: WorldOptions, directory: string): Promise<OpenWorld> => {
  const lock = StateLock.take(directory, options.force ? { force: true } : {});
  try {
    const storage = openKeyValue(options.storage);
    const journals = new JournalDirectory(join(directory, "journal"));
    const world = new DurableWorld({ journals, storage, lock, options });
    const { state, recovery } = await world.read();
    const isNew = state.seq === 0;
    if (!isNew && (options.seed !== undefined || options.nowMs !== undefined))
      throw new WorldExists(
        `Expected new state for --seed or --now but found ${state.seq} records in ${directory}`,
      );
    const { identity } = await keepIdentity(storage, options.seed);
    const engine = world.open(state, recovery, state.clock ?? startClock(options));
    return {
      engine,
      identity,
      isNew,
      recovery,
      start: lock.number,
      reset: resetter(engine, identity, options),
      close: () => world.close(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};
