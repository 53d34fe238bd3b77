import type { Wall } from "../../../runtime/ports.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import type { JournalFiles, LockLook } from "../journal/journal-file.ts";
import type { StateFiles } from "../timeline/read-state.ts";
import type { HomeWorld } from "./state-home.ts";

/** Parts that a world on disk is made of. */
export interface DurableWorldParts {
  /** Files of the timeline that counts. */
  files: StateFiles;
  /** Place of the request log; that of the files by default. */
  home?: Pick<StateFiles, "directory" | "storage">;
  /** Number in the names of new segments; released when the world is closed. */
  lock: WorldLock;
  options: {
    wall: Wall;
    fsync: boolean;
    /** Throws when the directory may no longer be changed. */
    requireHeld?: () => void;
    files?: JournalFiles;
    /** Bytes of journal past which a checkpoint is due; for tests. */
    checkpointAfterBytes?: number;
  };
}

/** The lock of the directory, as far as one world of it needs it. */
export interface WorldLock extends LockLook {
  readonly number: number;
  release(): void;
  join(resident: HomeWorld): () => void;
}

/**
 * Makes a folder for a world that has lost its own, and fills it with the world's state.
 * @returns the files of the new timeline
 */
export type MakeFolder = (state: WorldState) => Promise<StateFiles>;
