import type { Kind } from "../domain/records/records.ts";
import type { Change } from "./change.ts";

/** Changes remembered of each record (MECHANISMS 10). */
export const HISTORY_DEPTH = 16;

/** Bookkeeping, whose past nobody asks for: it would only push out what they ask for. */
const FORGOTTEN: ReadonlySet<Kind> = new Set<Kind>([
  "Timer",
  "Delivery",
  "Event",
  "Replay",
  "BulkRows",
  "BulkErrors",
  "UsedChallenge",
]);

/** Whether a kind's records have a past that can be asked for. */
export const hasHistory = (kind: Kind) => !FORGOTTEN.has(kind);

/** A timer that a change set for a record, and the instant it is due. */
export type SetTimer = [name: string, dueAtMs: number];

/** One change of a record, as the journal tells it. */
export interface HistoryEntry {
  seq: number;
  atMs: number;
  cause: string;
  by: string;
  row: string | undefined;
  /** What moved the clock so far that it came to this. */
  movedBy: string | undefined;
  /** The record's status after it, where it has one. */
  status: string | undefined;
  timers: SetTimer[] | undefined;
}

/** The entries of one record as a checkpoint keeps them. */
export type HistoryImage = [id: string, entries: readonly HistoryEntry[]];

/** The status of a record, whatever its kind calls it. */
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

const timersFor = (id: string, { put = [] }: Change): SetTimer[] | undefined => {
  let timers: SetTimer[] | undefined;
  for (const [kind, record] of put) {
    if (kind !== "Timer" || record.subject !== id) continue;
    timers ??= [];
    timers.push([record.name, record.dueAtMs]);
  }
  return timers;
};

/** An entry and the ones before it: most records change once or twice, so no list is made. */
interface Link {
  entry: HistoryEntry;
  before: Link | undefined;
  /** Entries from here back, this one included. */
  length: number;
}

/** The same links but the oldest. */
const shortened = ({ entry, before, length }: Link): Link | undefined =>
  before && { entry, before: shortened(before), length: length - 1 };

/** Reads a part of what a checkpoint kept. */
type ReadPart = () => readonly HistoryImage[];

/**
 * The last changes of each record, beside the records: kept in checkpoints, never sent. A record
 * that is gone has none.
 */
export class History {
  private readonly newest = new Map<string, Link>();
  /** Parts of a checkpoint that nobody has asked for. */
  private readonly unread: ReadPart[] = [];
  /** Records that are gone, of which an unread part may tell. */
  private readonly gone = new Set<string>();

  /** Notes what a change did to each record. Noting the same one again changes nothing. */
  note(change: Change) {
    const { put, del, seq, at: atMs, cause, by, row, movedBy } = change;
    if (put)
      for (const [kind, record] of put) {
        if (FORGOTTEN.has(kind)) continue;
        const status = statusOf(record);
        const timers = timersFor(record.id, change);
        this.add(record.id, { seq, atMs, cause, by, row, movedBy, status, timers });
      }
    if (del) for (const [kind, id] of del) if (!FORGOTTEN.has(kind)) this.forget(id);
  }

  /** What is remembered of a record, oldest first. */
  of(id: string): HistoryEntry[] {
    while (this.readPart());
    return this.read(id);
  }

  clear() {
    this.newest.clear();
    this.unread.length = 0;
    this.gone.clear();
  }

  /** Takes over what a checkpoint kept, once somebody asks: few runs ever do. */
  loadLater(part: ReadPart) {
    this.unread.push(part);
  }

  /** Reads one part of what is to be taken over; false when there is none left. */
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
