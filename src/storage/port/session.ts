import type { HeldWorld, StoppedWorld, WorldFacts } from "./held-world.ts";
import type { SharedStore } from "./shared-store.ts";

/** A world of a store, open or not. */
export interface ListedWorld extends WorldFacts {
  /** Absent while it is open and after a kill. */
  summary: StoppedWorld | undefined;
}

/** A world that cannot be read; the others can be opened. */
export interface DamagedWorld {
  name: string;
  damage: Error;
}

/** Files by their SHA-256, which records name; all worlds of a store share them. */
export interface StoredFiles {
  /** Stores a file whole; it stays for a while before a change names it. */
  put(sha256: string, bytes: Buffer): Promise<void>;
  /** Bytes of a file as they are kept; nothing when there is none. */
  read(sha256: string): Promise<Buffer | undefined>;
  /** Files that a caller may have to delete; none where the store deletes by itself. */
  list(): Promise<string[]>;
  remove(sha256: string): Promise<void>;
  /**
   * Hashes that worlds at rest and restore points name.
   * @returns nothing when that is not known, so that no file may be deleted
   */
  namedAtRest(): Promise<ReadonlySet<string> | undefined>;
}

/** The part of one process in a store (spec/store.md). */
export interface Session {
  /** The place where its worlds are kept, for people: a folder, an address without credentials. */
  readonly place: string;
  /** Trouble of the store, for people: what happened meanwhile; nothing while all is well. */
  trouble(): string | undefined;
  /** All worlds in the order in which they were made. */
  list(): Promise<{ worlds: ListedWorld[]; damaged: DamagedWorld[] }>;
  /** Facts of one world's last clean stop. */
  stopped(name: string): Promise<StoppedWorld | undefined>;
  /** Takes a world that nobody else owns; nothing when there is none of that name. */
  take(name: string): Promise<HeldWorld | undefined>;
  /** Makes the first world of a store, without a change. */
  create(name: string): Promise<HeldWorld>;
  /** Deletes a world that is not open, damaged or not. */
  remove(name: string): Promise<void>;
  readonly files: StoredFiles;
  /** Its view of the other processes, where several share the store. */
  readonly shared?: SharedStore;
  /** Folder with the state that this start set aside, if it did. */
  readonly asideIn?: string | undefined;
  /** Tells of the process that had the store before. */
  readonly notice?: string | undefined;
  /** Calls a function each time the store was lost and made again. */
  onRemade?(listener: () => unknown): void;
  /** Says that the first world could not begin: leaving brings back what this start set aside. */
  giveUp?(failure: unknown): void;
  /** Ends what the session holds; its worlds are released before. */
  leave(): Promise<void>;
}

/** Files of worlds in memory. */
export const memoryFiles = (): StoredFiles => {
  const files = new Map<string, Buffer>();
  return {
    put: async (sha256, bytes) => void files.set(sha256, bytes),
    read: async (sha256) => files.get(sha256),
    list: async () => [...files.keys()],
    remove: async (sha256) => void files.delete(sha256),
    namedAtRest: async () => new Set(),
  };
};
