import type { InitialSettings } from "../../domain/records/initial-settings.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { RestorePoints } from "../../runtime/past/restore-points.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { StoppedWorld } from "../port/held-world.ts";
import type { Items } from "../port/items.ts";
import type { RecoveryReport, SkippedFile } from "../port/recovery.ts";
import type { DamagedWorld, ListedWorld, Session } from "../port/session.ts";
import type { SharedStore } from "../port/shared-store.ts";
import type { WorldFiles } from "./file-store.ts";
import type { Identity, KeptIdentity } from "./identity.ts";
import type { KeptRequests } from "./kept-requests.ts";
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

/** Worlds of a store that were forked. */
export interface OtherWorlds {
  /** All of them in the order in which they were made, as far as their descriptions tell. */
  list(): Promise<{ worlds: (ListedWorld & { from: string })[]; damaged: DamagedWorld[] }>;
  /** Facts of one world's last clean stop. */
  stopped(name: string): Promise<StoppedWorld | undefined>;
  /** Opens one; nothing when there is none of that name. */
  open(name: string): Promise<WorldHandle | undefined>;
  /** Deletes one that is not open, damaged or not. */
  remove(name: string): Promise<void>;
}

/** Ways to the default world of a store that several processes share. */
export interface SharedStart {
  shared: SharedStore;
  /** Takes it; nothing of this start is applied again. @throws ServedElsewhere */
  take(): Promise<WorldHandle>;
  /** Makes what stands in for it while another process serves it. */
  standIn(identity: Identity): Promise<WorldHandle>;
  /** Ends the part of this process in the store. */
  leave(): Promise<void>;
}

/** One world that is open: its engine, and what its storage knows of it. */
export interface WorldHandle {
  engine: Engine;
  /** Files that its records name; a copy of the world shares them. */
  files: WorldFiles;
  identity: Identity;
  /** Items that it has beside its records. */
  items: Items;
  /** The identity, with changes while the simulator runs. */
  kept: KeptIdentity;
  /** Set for what stands in memory for a world that another process serves. */
  standsIn?: true;
  /** False when existing state was opened. */
  isNew: boolean;
  recovery: RecoveryReport;
  /** Damaged checkpoint files that were replaced by others. */
  passedOver: readonly SkippedFile[];
  /** Number of starts of this state, this one included. */
  start: number;
  /** Folder with the state of an earlier world, if it was moved. */
  asideIn?: string;
  /** Tells the operator of the simulator that had the directory before. */
  earlierOwner?: string;
  /** The request log on disk; none in memory. */
  requests?: KeptRequests;
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
  /** The store that keeps it; none in memory. */
  session?: Session;
  /** Set for the default world of a store that several processes share: closing it leaves nothing. */
  sharedStart?: SharedStart;
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
