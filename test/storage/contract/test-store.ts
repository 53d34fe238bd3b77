import type { Session } from "../../../src/storage/port/session.ts";
import type { WorldHandle } from "../../../src/storage/world/world-handle.ts";

/** A part of what a store keeps of the first world, which a case damages at rest. */
export type Damaged =
  /** The description of the newest checkpoint. */
  | "newest checkpoint"
  /** The description of the checkpoint before it. */
  | "older checkpoint"
  /** Bytes of all parts of checkpoints and restore points. */
  | "all parts"
  | "missing parts"
  /** A byte of a change that is neither the first nor the last one. */
  | "journal"
  /** The description of the restore point `kept`. */
  | "restore point";

/** An ability that not every store has. */
export type Ability =
  /** A second process may have the store open meanwhile. */
  | "shares"
  /** An append can be made to fail. */
  | "failing writes";

/** A place for worlds, with nothing in it at first. */
export interface TestStore {
  /** Joins it as a new process. */
  open(): Promise<Session>;
  /** Ends a process as `kill -9` does: nothing more is written, and others may have its worlds. */
  kill(session: Session, worlds: readonly WorldHandle[]): Promise<void>;
  /** Lets the leases of all processes end, as if they had slept. */
  endLeases?(): Promise<void>;
  damage(part: Damaged): Promise<void>;
  /** SHA-256 of the files that it has. */
  files(): Promise<ReadonlySet<string>>;
  /** Lets the next append fail, once. */
  failAppend?(): void;
  close(): Promise<void>;
}

/** Makes stores of one kind. */
export interface StoreKind {
  can: ReadonlySet<Ability>;
  make(): Promise<TestStore>;
  close(): Promise<void>;
}
