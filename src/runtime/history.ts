import type { Kind, TimerRecord } from "../domain/records.ts";
import type { Change } from "./change.ts";

/** Changes remembered of each record (MECHANISMS 10). */
export const HISTORY_DEPTH = 16;

/** Bookkeeping, whose past nobody asks for: it would only push out what they ask for. */
const FORGOTTEN: ReadonlySet<Kind> = new Set<Kind>(["Timer", "Delivery", "Event", "Replay"]);

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
  /** The record's status after it, where it has one. */
  status: string | undefined;
  timers: SetTimer[] | undefined;
}

/** The entries of one record as a checkpoint keeps them. */
export type HistoryImage = [id: string, entries: readonly HistoryEntry[]];

/** The status of a record, whatever its kind calls it. */
export const statusOf = (record: object): string | undefined => {
  const { status, kycStatus, kybStatus, isDeleted, refund } = record as {
    status?: string;
    kycStatus?: string;
    kybStatus?: string;
    isDeleted?: boolean;
    refund?: { status: string };
  };
  if (isDeleted) return "DELETED";
  const own = status ?? kycStatus ?? kybStatus;
  return refund ? `${own}, refund ${refund.status}` : own;
};

const timersFor = (id: string, { put = [] }: Change): SetTimer[] | undefined => {
  let timers: SetTimer[] | undefined;
  for (const [kind, record] of put) {
    const { subject, name, dueAtMs } = record as TimerRecord;
    if (kind !== "Timer" || subject !== id) continue;
    timers ??= [];
    timers.push([name, dueAtMs]);
  }
  return timers;
};

/**
 * The last changes of each record, beside the records: kept in checkpoints, never sent. A record
 * that is gone has none.
 */
export class History {
  private readonly records = new Map<string, HistoryEntry[]>();

  /** Notes what a change did to each record. Noting the same one again changes nothing. */
  note(change: Change) {
    const { put, del, seq, at: atMs, cause, by, row } = change;
    for (const [kind, record] of put ?? []) {
      if (FORGOTTEN.has(kind)) continue;
      const { id } = record;
      const status = statusOf(record);
      const timers = timersFor(id, change);
      this.add(id, { seq, atMs, cause, by, row, status, timers });
    }
    for (const [kind, id] of del ?? []) if (!FORGOTTEN.has(kind)) this.records.delete(id);
  }

  /** What is remembered of a record, oldest first. */
  of(id: string): readonly HistoryEntry[] {
    return this.records.get(id) ?? [];
  }

  clear() {
    this.records.clear();
  }

  /** Takes over what a checkpoint kept. */
  load(images: readonly HistoryImage[]) {
    for (const [id, entries] of images) this.records.set(id, entries as HistoryEntry[]);
  }

  private add(id: string, entry: HistoryEntry) {
    const entries = this.records.get(id);
    if (!entries) this.records.set(id, [entry]);
    else if ((entries.at(-1) as HistoryEntry).seq < entry.seq) {
      if (entries.length === HISTORY_DEPTH) entries.shift();
      entries.push(entry);
    }
  }
}
