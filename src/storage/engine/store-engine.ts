import type { ProcessRow } from "../port/shared-store.ts";

/**
 * The port of a storage engine that several processes share: one atomic act each
 * (spec/store.md#engines). PostgreSQL implements it in SQL; the simulated engine of the tests in maps.
 *
 * Each act either happens whole or not at all. It throws `StoreTrouble`, which says whether it may
 * have happened; `Fenced` where another process owns the world; `StoreRefused` where the engine is
 * not fit to keep worlds.
 */

/** The origin of a world; the same as long as the world exists. */
export interface WorldFacts {
  name: string;
  /** The world that it was forked from; absent for the first one. */
  from?: string;
  /** Set when a call opened it from a later state than the first world. */
  isLate?: true;
}

/** A world, as the engine keeps it. */
export interface WorldRow extends WorldFacts {
  /** Its place among the worlds: those made later have higher numbers. */
  order: number;
  /** Process that may write it, whether its lease holds or not; absent for a free world. */
  owner?: string;
  /** Milliseconds until the owner's lease ends; absent for a free world and for an unknown owner. */
  leaseLeftMs?: number;
  /**
   * 1 in a new world. Rises by 1 with each take and with each `write`: so a write that comes in late
   * is refused, and the row says whether one was done whose answer was lost.
   */
  fence: number;
  /** The timeline that counts. */
  timeline: number;
  /** Last change in it. */
  seq: number;
  /** Wall instant at which its next timer is due, epoch milliseconds; absent while none is. */
  dueAtMs?: number;
  /** JSON of the last release; absent once the world is taken, so also after a kill. */
  summary?: string;
}

/** A world as its owner knows it: a write that differs from the engine in one of them is refused. */
export interface Holding {
  name: string;
  owner: string;
  fence: number;
  timeline: number;
  seq: number;
}

/** Changes of one world that are written at once, whole groups only. */
export interface Batch {
  name: string;
  fence: number;
  /** The timeline that they continue: another world of that name, or a rewound one, has another. */
  timeline: number;
  /** `seq` of its first and last change. */
  first: number;
  last: number;
  /** The changes as lines of a journal (`encodeChange`), one after the other. */
  lines: string;
  /** Caller keys that these changes make and drop. */
  callers?: { made: readonly string[]; dropped: readonly string[] };
  /** SHA-256 of files that these changes name for the first time: `world:<name>` holds them too. */
  files?: readonly string[];
  /** Instant of the next timer, epoch milliseconds; null when none is due; absent if unchanged. */
  dueAtMs?: number | null;
}

/** Changes of a timeline that something needs: those after `after`, up to `upTo` if there is one. */
export interface Pin {
  timeline: number;
  after: number;
  upTo?: number;
}

/**
 * Something that a holder keeps: a world (`world:<name>`), one of its restore points, the start of a
 * fork. Parts and changes that no holder needs may be deleted by the engine: a world pins its own.
 */
export interface Keeping {
  holder: string;
  /**
   * SHA-256 of the parts that it needs, in place of those it needed before. Each was stored within an
   * hour, or is held meanwhile.
   */
  parts: readonly string[];
  /** SHA-256 of the files that it names, again all of them; one that is not there hinders nothing. */
  files?: readonly string[];
  pins: readonly Pin[];
  /** Texts or bytes of it by name; one that is absent here is deleted. */
  items: Readonly<Record<string, Buffer>>;
}

/** Changes of rows that belong together with a guarded write. */
export interface Writing {
  /** Holders that are kept, each in place of what it kept before. */
  keep?: readonly Keeping[];
  /** Holders that are dropped with all their items. */
  drop?: readonly string[];
  /** Items of holders that stay as they are otherwise; undefined deletes one. */
  items?: readonly { holder: string; name: string; bytes: Buffer | undefined }[];
  /** Continues the world on another timeline, at a `seq`, with its callers and its next timer. */
  switchTo?: {
    timeline: number;
    seq: number;
    callers: readonly string[];
    dueAtMs: number | null;
  };
  /** Makes a further world, owned by the same process, with changes of its own. */
  fork?: Omit<NewWorld, "owner">;
  /** Frees the world, with facts about it if they are known; its next timer stays unless it is told. */
  release?: { summary?: string; dueAtMs?: number | null };
  /** Deletes the world: its row, its callers, what `world:<name>` keeps, changes that nothing needs. */
  remove?: true;
}

/** A world that is made, with its first changes. */
export interface NewWorld {
  facts: WorldFacts;
  owner: string;
  timeline: number;
  seq: number;
  /** Changes of its own timeline, if it has some; the last of them is `seq`. */
  batch?: Pick<Batch, "first" | "last" | "lines">;
  callers: readonly string[];
  keep: readonly Keeping[];
  dueAtMs: number | null;
}

/** A block of a timeline's changes as it was written. */
export interface JournalBlock {
  first: number;
  last: number;
  lines: string;
}

/** An engine that keeps worlds for several processes. */
export interface StoreEngine {
  /** Names it for people, without credentials: `postgres://db.example:5432/sim`. */
  readonly place: string;

  /**
   * Connects, makes the schema where there is none, and checks format and settings.
   * @returns the format that all processes write, and 32 random bytes that were drawn once for the
   * store: by who made its schema, so that all who open it have the same
   * @throws StoreRefused, OtherFormat, StoreTrouble
   */
  open(): Promise<{ format: number; key: Buffer }>;
  /** Reads the settings again. @throws StoreRefused when they would lose data now */
  check(): Promise<void>;
  /** Raises the format that all write, when every live process knows it; false when one does not. */
  raiseFormat(format: number): Promise<boolean>;
  close(): Promise<void>;

  /**
   * Takes a lease for a process that is new, as its id is.
   * @throws OtherFormat when all write a format that it does not know
   */
  join(process: Omit<ProcessRow, "leaseLeftMs">, leaseMs: number): Promise<void>;
  /**
   * Renews a lease, also after it has ended: its process knows its worlds as they are, as long as
   * nobody took one of them.
   * @returns false once another process took one of its worlds, it left, or all write a format that
   * it does not know: then nothing is changed
   */
  renew(id: string, leaseMs: number, facts: { loaded: number }): Promise<boolean>;
  /** Ends its lease and frees what it still holds. */
  leave(id: string): Promise<void>;
  /** All processes whose lease holds or ended within an hour. */
  processes(): Promise<ProcessRow[]>;

  find(name: string): Promise<WorldRow | undefined>;
  /** All worlds in the order in which they were made. */
  worlds(): Promise<WorldRow[]>;
  /** Worlds without a live owner whose next timer is due, the longest due first. */
  due(limit: number): Promise<string[]>;
  /** The world that made what a caller shows, by its key: the first made, if several have it. */
  maker(callerKey: string): Promise<string | undefined>;

  /** A number for a timeline, used once. */
  newTimeline(): Promise<number>;
  /** Makes a world; false when there is one of that name. */
  create(world: NewWorld): Promise<boolean>;
  /**
   * Makes a process the owner of a world that is free or whose owner's lease has ended; its fence
   * rises, and its summary is cleared. Taken by who owns it already, its fence rises too: a take
   * without an answer may come in at any time later. An owner that loses a world so has no lease to
   * renew any more; a take that changes no owner ends no lease.
   * @returns the row after it, or as it is where a live process owns it; nothing if there is none
   */
  take(name: string, owner: string): Promise<WorldRow | undefined>;
  /**
   * Appends changes of several worlds of one process, at most one batch for each.
   * @returns names of the worlds whose changes were written; the others have another owner, fence,
   * timeline or seq
   */
  append(owner: string, batches: readonly Batch[]): Promise<ReadonlySet<string>>;
  /**
   * Changes rows of one world that its holder owns; its fence rises by 1.
   * @throws Fenced when owner, fence, timeline or seq differ: then nothing is changed
   * @throws NameTaken when there is a world of the fork's name: then nothing is changed either
   */
  write(holding: Holding, writing: Writing): Promise<void>;

  /**
   * Changes of a timeline after a `seq` and up to another: every block with one of them, in order and
   * whole, as it was written.
   */
  journal(range: Pin): AsyncIterable<JournalBlock>;
  /** Items of one holder. */
  items(holder: string): Promise<Readonly<Record<string, Buffer>>>;
  /** Holders that begin with a text, with one of their items. */
  holders(prefix: string, item: string): Promise<{ holder: string; bytes: Buffer }[]>;

  /**
   * Stores bytes under their SHA-256; kept for an hour from the last time that they were stored, and
   * longer once a holder needs them.
   */
  putParts(parts: readonly { sha256: string; body: Buffer }[]): Promise<void>;
  /** Bytes by SHA-256; those that are missing are left out. */
  parts(sha256s: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Deletes parts and changes that nothing needs any more. */
  sweep(): Promise<void>;
}
