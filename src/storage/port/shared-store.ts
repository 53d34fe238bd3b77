import type { WorldState } from "../../runtime/world-state.ts";
import type { StoppedWorld, WorldFacts } from "./held-world.ts";
import type { ReadItems } from "./items.ts";

/** A process of a store, as the others see it. */
export interface ProcessRow {
  id: string;
  /** `host:port` that other processes reach it at; absent where it has no second listener. */
  peer?: string;
  /** The newest state format that it reads and writes. */
  knows: number;
  /** Version of the program. */
  version: string;
  /** Worlds that it has in memory. */
  loaded: number;
  /** Milliseconds until its lease ends by the store's clock; not above 0 once it has ended. */
  leaseLeftMs: number;
}

/** A world of a store that several processes share. */
export interface SharedWorld extends WorldFacts {
  /** The process that may write it, while its lease holds; absent where nobody serves it. */
  owner?: ProcessRow;
  /** Facts of its last clean stop; absent while it is served and after a kill. */
  summary: StoppedWorld | undefined;
}

/**
 * The view that a process has of a store that several share (spec/store.md#several-processes). Each
 * look throws `StoreTrouble` when the store does not answer.
 */
export interface SharedStore {
  /** Id of this process: another one after it lost its lease. */
  readonly process: string;
  /** Drawn once for the store, 32 bytes: proves to a process that a call comes from another one. */
  readonly key: Buffer;
  /** The format that all processes write. */
  readonly format: number;
  find(name: string): Promise<SharedWorld | undefined>;
  /** Reads a world as the store has it, whoever serves it; nothing when there is none. */
  glance(name: string): Promise<{ state: WorldState; items: ReadItems } | undefined>;
  /** All worlds in the order in which they were made. */
  worlds(): Promise<SharedWorld[]>;
  /** Name of the world that made what a caller shows, by its key: the first, if several have it. */
  maker(callerKey: string): Promise<string | undefined>;
  /** Names of worlds that nobody serves and whose next timer is due, the longest due first. */
  due(limit: number): Promise<string[]>;
  /** All processes whose lease holds or ended within an hour, this one too. */
  processes(): Promise<ProcessRow[]>;
}
