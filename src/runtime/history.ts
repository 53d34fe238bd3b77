import type { Kind, Records } from "../domain/records/records.ts";
import type { Change } from "./change.ts";
import { PersistentMap } from "./persistent-map.ts";

/** Changes remembered per record. */
export const HISTORY_DEPTH = 16;

/**
 * Bookkeeping records, left out of the history: they would push out the records users ask about.
 */
const FORGOTTEN: ReadonlySet<Kind> = new Set<Kind>([
  "Timer",
  "Delivery",
  "Event",
  "Replay",
  "BulkRows",
  "BulkErrors",
  "UsedChallenge",
]);

/** Whether the changes of a kind's records are remembered. */
export const hasHistory = (kind: Kind) => !FORGOTTEN.has(kind);

/** A timer that a change set for a record, and the instant it is due. */
export type SetTimer = [name: string, dueAtMs: number];

/** One change of a record, as in the journal. */
export interface HistoryEntry {
  seq: number;
  atMs: number;
  cause: string;
  by: string;
  row: string | undefined;
  /** Rows of the change that a tester had set; absent in state of earlier versions. */
  set?: readonly string[] | undefined;
  /** Timers of the record that the change canceled. */
  canceled?: readonly string[] | undefined;
  /** Name of the advance that moved the clock here. */
  movedBy: string | undefined;
  /** The record's status after the change, where it has one. */
  status: string | undefined;
  timers: SetTimer[] | undefined;
}

/** The entries of one record as a checkpoint keeps them. */
export type HistoryImage = [id: string, entries: readonly HistoryEntry[]];

/** Finds a record's status, whose field differs by kind. */
export const statusOf = (record: object): string | undefined => {
  const { status, state, kycStatus, kybStatus, isDeleted, refund } = record as {
    status?: string;
    state?: string;
    kycStatus?: string;
    kybStatus?: string;
    isDeleted?: boolean;
    refund?: { status: string };
  };
  if (isDeleted) return "DELETED";
  const own = status ?? state ?? kycStatus ?? kybStatus;
  return refund ? `${own}, refund ${refund.status}` : own;
};

type PutTimer = Records["Timer"];

/** Timers that a change set or canceled; most changes have one or none. */
const timersIn = (put: NonNullable<Change["put"]>): readonly PutTimer[] => {
  let timers: PutTimer[] | undefined;
  for (const [kind, record] of put)
    if (kind === "Timer") {
      timers ??= [];
      timers.push(record);
    }
  return timers ?? [];
};

/** Names of the timers of a record that a change set, with their instants, and canceled. */
const timersFor = (id: string, timers: readonly PutTimer[]) => {
  let set: SetTimer[] | undefined;
  let canceled: string[] | undefined;
  for (const { subject, name, dueAtMs, canceledAtMs } of timers) {
    if (subject !== id) continue;
    if (canceledAtMs === undefined) {
      set ??= [];
      set.push([name, dueAtMs]);
    } else {
      canceled ??= [];
      canceled.push(name);
    }
  }
  return { set, canceled };
};

/**
 * An entry linked to the earlier ones: most records change once or twice, so arrays would waste
 * memory.
 */
interface Link {
  entry: HistoryEntry;
  before: Link | undefined;
  /** Entries from this one back, itself included. */
  length: number;
}

/** The same entries without the oldest. */
const shortened = ({ entry, before, length }: Link): Link | undefined =>
  before && { entry, before: shortened(before), length: length - 1 };

/** Reads one part of a checkpoint's history. */
type ReadPart = () => readonly HistoryImage[];

/**
 * The latest changes of each record, kept in checkpoints and never sent. Deleted records have none.
 */
export class History {
  private newest = new PersistentMap<Link>();
  /** Parts of a checkpoint that are not read yet. */
  private unread: ReadPart[] = [];
  /** Deleted records, whose entries in unread parts do not count. */
  private gone = new Set<string>();

  /** Notes a change for each of its records. Noting it again has no effect. */
  note(change: Change) {
    const { put, del, seq, at: atMs, cause, by, row, movedBy, set } = change;
    const timers = put ? timersIn(put) : [];
    if (put)
      for (const [kind, record] of put) {
        if (FORGOTTEN.has(kind)) continue;
        const own = timersFor(record.id, timers);
        const status = statusOf(record);
        const entry: HistoryEntry = { seq, atMs, cause, by, row, movedBy, status, timers: own.set };
        if (set) entry.set = set;
        if (own.canceled) entry.canceled = own.canceled;
        this.add(record.id, entry);
      }
    if (del) for (const [kind, id] of del) if (!FORGOTTEN.has(kind)) this.forget(id);
  }

  /** The remembered changes of a record, oldest first. */
  of(id: string): HistoryEntry[] {
    while (this.readPart());
    return this.read(id);
  }

  /** The same changes for another writer; from now on neither sees what the other notes. */
  fork(): History {
    const twin = new History();
    twin.newest = this.newest.fork();
    twin.unread = this.unread.slice();
    twin.gone = new Set(this.gone);
    return twin;
  }

  /** The remembered changes that one cause made, oldest first, with their records. */
  causedBy(cause: string): { id: string; entry: HistoryEntry }[] {
    while (this.readPart());
    const entries: { id: string; entry: HistoryEntry }[] = [];
    for (const id of this.newest.keys())
      for (const entry of this.read(id)) if (entry.cause === cause) entries.push({ id, entry });
    return entries.sort((a, b) => a.entry.seq - b.entry.seq || (a.id < b.id ? -1 : 1));
  }

  /** The remembered changes of a span, record by record, each record's newest first. */
  *between(fromMs: number, toMs: number): Generator<{ id: string; entry: HistoryEntry }> {
    while (this.readPart());
    for (const id of this.newest.keys())
      for (let link = this.newest.get(id); link; link = link.before) {
        // Entries behind this one are older still.
        if (link.entry.atMs < fromMs) break;
        if (link.entry.atMs <= toMs) yield { id, entry: link.entry };
      }
  }

  clear() {
    this.newest.clear();
    this.unread.length = 0;
    this.gone.clear();
  }

  /** Adds a checkpoint's history, read on first use: few runs ever ask for it. */
  loadLater(part: ReadPart) {
    this.unread.push(part);
  }

  /** Reads one unread part; false when none is left. */
  readPart(): boolean {
    const part = this.unread.shift();
    if (!part) return false;
    for (const [id, entries] of part()) {
      if (this.gone.has(id)) continue;
      const later = this.read(id);
      this.newest.delete(id);
      for (const entry of entries) this.add(id, entry);
      for (const entry of later) this.add(id, entry);
    }
    if (this.unread.length === 0) this.gone.clear();
    return true;
  }

  private forget(id: string) {
    this.newest.delete(id);
    if (this.unread.length > 0) this.gone.add(id);
  }

  private read(id: string): HistoryEntry[] {
    const entries: HistoryEntry[] = [];
    for (let link = this.newest.get(id); link; link = link.before) entries.push(link.entry);
    return entries.reverse();
  }

  private add(id: string, entry: HistoryEntry) {
    const newest = this.newest.get(id);
    if (newest && newest.entry.seq >= entry.seq) return;
    const before = newest?.length === HISTORY_DEPTH ? shortened(newest) : newest;
    this.newest.set(id, { entry, before, length: (before?.length ?? 0) + 1 });
  }
}
