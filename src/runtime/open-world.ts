import { hash } from "node:crypto";
import { join } from "node:path";
import { openPlatform } from "../domain/platform.ts";
import type { ClockState } from "./clock.ts";
import { Engine } from "./engine.ts";
import { type Identity, keepIdentity } from "./identity.ts";
import { JournalDirectory, type RecoveryReport } from "./journal-directory.ts";
import { type JournalFiles, NoJournal } from "./journal-file.ts";
import type { Journal, Wall } from "./ports.ts";
import { StateLock } from "./state-lock.ts";
import { openKeyValue, type StorageUrl } from "./storage.ts";
import { WorldState } from "./world-state.ts";

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
const STORAGE_RETRY_MS = 1000;

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
    recovery: { records: 0, tornBytes: 0 },
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

/** Reads a journal folder into a world; the same code at start and after a failed append. */
const readWorld = (journals: JournalDirectory) => {
  const state = new WorldState();
  const recovery = journals.recover((change) => state.apply(change));
  return { state, recovery };
};

/**
 * Keeps a world and its journal together. When an append fails, what is on disk is the truth: the
 * world is loaded from it again, serves reads, and takes writes when storage does (MECHANISMS 3).
 */
class DurableWorld {
  private readonly journals: JournalDirectory;
  private readonly lock: StateLock;
  private readonly options: WorldOptions;
  private engine: Engine | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(journals: JournalDirectory, lock: StateLock, options: WorldOptions) {
    this.journals = journals;
    this.lock = lock;
    this.options = options;
  }

  append(afterSeq: number): Journal {
    return this.journals.append(this.lock.number, {
      fsync: this.options.fsync,
      afterSeq,
      onFailure: ({ error, cut }) => this.lost(error, cut),
      ...(this.options.files && { files: this.options.files }),
    });
  }

  watch(engine: Engine) {
    this.engine = engine;
  }

  close() {
    this.closed = true;
    if (this.retry) clearTimeout(this.retry);
    this.lock.release();
  }

  private lost(error: Error, cut: boolean) {
    const { engine } = this;
    if (!engine) return;
    // A failed trial changed nothing that would have to be read again.
    if (engine.readOnlyBecause && cut) return;
    const why = `storage failed: ${error.message}`;
    for (const listener of engine.listeners) listener.alarm?.(why);
    engine.readOnlyBecause = why;
    try {
      if (!cut) throw error;
      engine.load(readWorld(this.journals).state, engine.journal);
      this.tryAgainLater();
    } catch {
      engine.stopped = { why: `${why}; restart when storage works`, by: "journal", values: {} };
    }
  }

  private tryAgainLater() {
    if (this.closed) return;
    this.retry = setTimeout(() => void this.tryAgain(), STORAGE_RETRY_MS);
    this.retry.unref();
  }

  private async tryAgain() {
    const { engine } = this;
    if (!engine || engine.stopped) return;
    try {
      await engine.tryJournal(this.append(engine.state.seq));
    } catch {
      this.tryAgainLater();
    }
  }
}

const openFile = async (options: WorldOptions, directory: string): Promise<OpenWorld> => {
  const lock = StateLock.take(directory, options.force ? { force: true } : {});
  try {
    const keyValue = openKeyValue(options.storage);
    const journals = new JournalDirectory(join(directory, "journal"));
    const { state, recovery } = readWorld(journals);
    const isNew = state.seq === 0;
    if (!isNew && (options.seed !== undefined || options.nowMs !== undefined))
      throw new WorldExists(
        `Expected new state for --seed or --now but found ${state.seq} records in ${directory}`,
      );
    const { identity } = await keepIdentity(keyValue, options.seed);
    const world = new DurableWorld(journals, lock, options);
    const clock = state.clock ?? startClock(options);
    const journal = world.append(state.seq);
    const engine = new Engine({ wall: options.wall, journal, clock });
    world.watch(engine);
    if (!isNew) engine.load(state, journal);
    return {
      engine,
      identity,
      isNew,
      recovery,
      start: lock.number,
      reset: resetter(engine, identity, options),
      close: async () => {
        engine.close();
        try {
          await engine.journal.close();
        } finally {
          world.close();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};

/**
 * Opens the world of a storage URL: new, or as its journal says.
 * @throws StateLocked, JournalDamage, WorldExists; nothing was changed then
 */
export const openWorld = (options: WorldOptions): Promise<OpenWorld> =>
  options.storage.kind === "memory"
    ? openMemory(options)
    : openFile(options, options.storage.directory);
