import type { InitialSettings } from "../../domain/records/initial-settings.ts";
import type { ClockState } from "../../runtime/clock.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { RestorePoints } from "../../runtime/past/restore-points.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { WorldFiles } from "./file-store.ts";
import type { Identity, KeptIdentity } from "./identity.ts";
import type { RecoveryReport, SkippedFile } from "./recovery-report.ts";
import type { RepeatedStart } from "./start-state.ts";

/** Name, credentials and seed of a world that is forked from another one. */
export interface ForkOptions {
  name: string;
  /** User name of HTTP Basic that means it. */
  clientId: string;
  /** Set when it has a secret or a client id of its own; otherwise it keeps those of its origin. */
  credentials?: { clientSecret: string };
  /** Another seed for the ids and draws to come. */
  seed?: string;
  /** Another brand, with its settings. */
  opening?: Partial<InitialSettings>;
  /** The state to begin with: the origin's present one, unless another is given. */
  state?: WorldState;
  /** Set when a call opened it from a later state than the default world. */
  isLate?: true;
}

/** Facts of a world's last clean stop. */
export interface StoppedWorld {
  /** User name of HTTP Basic that means it. */
  clientId: string;
  records: number;
  atMs: number;
  clock: ClockState;
  /** Keys of all that call it (domain/platform/caller-keys.ts). */
  keys: readonly string[];
}

/** A world on file storage, open or not. */
export interface WorldOnDisk {
  name: string;
  /** The world that it was forked from. */
  from: string;
  /** Set when a call opened it from a later state than the default world. */
  isLate?: true;
  /** Absent while it is open and after a kill. */
  summary: StoppedWorld | undefined;
}

/** A world whose files cannot be read; the others can be opened. */
export interface DamagedWorld {
  name: string;
  damage: Error;
}

/** Worlds that were forked and lie in the state directory. */
export interface OtherWorlds {
  /** All of them in the order in which they were made, as far as their descriptions tell. */
  list(): Promise<{ worlds: WorldOnDisk[]; damaged: DamagedWorld[] }>;
  /** Facts of one world's last clean stop. */
  stopped(name: string): Promise<StoppedWorld | undefined>;
  /** Opens one; nothing when there is none of that name. */
  open(name: string): Promise<WorldHandle | undefined>;
  /** Deletes one that is not open, damaged or not. */
  remove(name: string): Promise<void>;
}

/** The state directory of worlds that are open. */
export interface StateFolder {
  /** Whole path. */
  readonly directory: string;
  /** Tells the operator that the folder was removed or replaced; nothing where it was not. */
  told(): string | undefined;
  /** Writes again what worlds share beside their records, when the folder is made again. */
  readonly furnish: Set<() => unknown>;
}

/** A request log, as much of it as keeping it needs. */
export interface KeepableLog {
  /** Rises with each change of the log. */
  readonly version: number;
  /** The requests as JSON without secrets, newest first. */
  lines(): Iterable<string>;
}

/** The request log that a store keeps beside a world (decisions/request-log-on-disk.md). */
export interface EarlierRequests {
  /** Names the log that is kept from now on. */
  attach(log: KeepableLog): void;
  /**
   * Requests of earlier runs of this world, oldest first. A damaged log costs its requests only.
   * @param tellDamage is called when it cannot be used
   */
  read(state: WorldState, tellDamage: (message: string) => void): unknown[];
}

/** One world that is open: its engine, and what its storage knows of it. */
export interface WorldHandle {
  engine: Engine;
  /** Files that its records name; a copy of the world shares them. */
  files: WorldFiles;
  identity: Identity;
  /** The identity, with changes while the simulator runs. */
  kept: KeptIdentity;
  /** False when existing state was opened. */
  isNew: boolean;
  recovery: RecoveryReport;
  /** Damaged checkpoint files that were replaced by others. */
  passedOver: readonly SkippedFile[];
  /** Has its fixture written, a file that is watched while the world is open; none in memory. */
  writeFixture?: (write: () => Promise<void>) => Promise<void>;
  /** Number of starts of this state, this one included. */
  start: number;
  /** Folder with the state of an earlier world, if it was moved. */
  asideIn?: string;
  /** Tells the operator of the simulator that had the directory before. */
  earlierOwner?: string;
  /** The request log on disk; none in memory. */
  requests?: EarlierRequests;
  /** States of the world that can be returned to. */
  points: RestorePoints;
  /** Returns records, timers, outbox and clock to the start (spec/clock.md#reset). */
  reset(): number;
  /** The beginning that a reset would make now, where it repeats an earlier one. */
  resetState(): RepeatedStart | undefined;
  /** The state that a reset goes back to, where the world began as a copy of another. */
  stateAtFork?: () => Promise<WorldState>;
  /**
   * Begins a copy of the world in the same way.
   * @returns a function that starts the copy's clock, which is stopped while a fixture is loaded
   */
  startCopy(copy: Engine): () => void;
  /** Makes a world of its own that begins as this one is now (spec/worlds.md#fork). */
  fork(birth: ForkOptions): Promise<WorldHandle>;
  /** Deletes a world that was forked, once it is closed; nothing to delete in memory. */
  remove?(): Promise<void>;
  /** Worlds that lie beside it and are not open; only the default world on file storage. */
  others?: OtherWorlds;
  /** The state directory while the simulator uses it; none in memory. */
  home?: StateFolder;
  /** Applies this start's options to an existing world; called when everything due has fired. */
  applyStart(): void;
  /**
   * Says that the new world could not begin: closing then moves an earlier state back that this
   * start set aside.
   */
  giveUp(failure: unknown): void;
  /** @throws LeftAside */
  close(): Promise<void>;
}
