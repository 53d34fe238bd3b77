import type { Kind } from "../../domain/records/records.ts";
import type { Change } from "../../runtime/change.ts";
import type { Engine } from "../../runtime/engine.ts";
import {
  type Bodies,
  detailOf,
  type Entry,
  type Fresh,
  keptInput,
  keptOutput,
  type LoggedRequest,
  largeIn,
  MAX_CAUSED,
  REQUEST_LOG,
  type RequestDetail,
  type RequestReport,
  redone,
  requestOf,
} from "./log-entry.ts";
import type { LogRoom } from "./log-room.ts";

/** Undone parts whose requests are known, so that loading one brings them back. */
const UNDONE_PARTS = 5;

/** Characters of an id's end that name it. */
const SHORTEST_END = 4;

/** Reason why an id is not in the log. */
export type Absence = "gone" | "unlogged" | "unknown";

const ID = /^req-([0-9]+)-([0-9]+)$/;

/** The run that an id belongs to, and its place there. */
const partsOf = (id: string | undefined) => {
  const [, start, n] = ID.exec(id ?? "") ?? [];
  return n === undefined ? undefined : { start: Number(start), n: Number(n) };
};

/** Kinds that users never look up by id. */
const UNNAMED: ReadonlySet<Kind> = new Set<Kind>([
  "BulkErrors",
  "BulkRows",
  "Event",
  "Replay",
  "UsedChallenge",
]);

const addIds = (ids: string[], { put = [], emit = [] }: Change) => {
  for (const [kind, { id }] of put) if (!UNNAMED.has(kind)) ids.push(id);
  for (const { id } of emit) ids.push(id);
};

const NOTHING: readonly string[] = [];

/** Facts and neighbors of a log. */
export interface RequestLogParts {
  /** Number of this start of the state: the middle part of this run's ids. */
  start: number;
  onEntry: (show: () => LoggedRequest) => void;
  /** Number of requests kept, where it is not the usual one. */
  entries?: number;
  /** Bounds the logs of all worlds together. */
  room?: LogRoom;
  /** Reads the kept requests of earlier runs, oldest first. */
  earlier?: () => readonly RequestDetail[];
}

/**
 * The latest requests to the platform (spec/errors.md#request-log). Readers bear the cost: a running request only stores
 * references, and requests of earlier runs are read when somebody asks for one.
 */
export class RequestLog {
  private readonly engine: Engine;
  private readonly start: number;
  private readonly entries: number;
  private readonly onEntry: RequestLogParts["onEntry"];
  private earlier: RequestLogParts["earlier"];
  /** Requests by position; those that were dropped left holes. */
  private ring: (Entry | undefined)[] = [];
  private readonly room: LogRoom | undefined;
  private lastId: string | undefined;
  private hasForgotten = false;
  /** Requests taken since the last clear; the newest is just before this position. */
  private count = 0;
  /** Position of the oldest one that was not dropped for the sake of other worlds. */
  private from = 0;
  private readonly caused = new Map<string, string[]>();
  private changes = 0;
  /** By the name of what a rewind kept: the requests that were in force before it. */
  private readonly undoneIn = new Map<string, ReadonlySet<string>>();

  constructor(engine: Engine, { start, onEntry, entries, room, earlier }: RequestLogParts) {
    this.engine = engine;
    this.room = room;
    room?.join(this);
    this.entries = entries ?? REQUEST_LOG.entries;
    this.start = start;
    this.onEntry = onEntry;
    this.earlier = earlier;
    engine.listeners.add({ changed: (change) => this.note(change) });
  }

  /** Adds a request whose answer is about to leave. */
  take(report: RequestReport, bodies: Bodies) {
    const { id } = report;
    const caused = this.caused.get(id) ?? NOTHING;
    if (caused !== NOTHING) this.caused.delete(id);
    const { secrets = [], query, takes } = bodies;
    const entry: Fresh = {
      report,
      seq: this.engine.state.seq,
      caused,
      input: keptInput(bodies),
      output: keptOutput(bodies.output),
      ...(query !== undefined && { query }),
      ...(secrets.length > 0 && { secrets }),
      ...(takes && { takes }),
    };
    const place = this.count % this.entries;
    this.dropBodies(this.ring[place]);
    this.ring[place] = entry;
    for (const body of largeIn(entry)) this.room?.whole.add(body);
    this.count += 1;
    if (this.count - this.from <= this.entries) this.room?.change(1);
    this.changes += 1;
    this.lastId = id;
    this.onEntry(() => requestOf(entry));
  }

  /** Notes the end of a request that is not logged. */
  passOver(id: string) {
    this.caused.delete(id);
    this.lastId = id;
  }

  /** Forgets all requests. */
  clear() {
    this.room?.change(-this.size);
    for (const entry of this.ring) this.dropBodies(entry);
    this.ring.length = 0;
    this.earlier = undefined;
    this.changes += 1;
    this.count = 0;
    this.from = 0;
    this.hasForgotten = true;
  }

  /** Number of requests that it keeps in memory. */
  get size() {
    return this.count - this.oldest;
  }

  /** Drops some of its oldest requests: all worlds together have too many. */
  dropOldest(wanted: number) {
    const { oldest, size } = this;
    const number = Math.min(wanted, size);
    for (let at = oldest; at < oldest + number; at += 1) {
      this.dropBodies(this.at(at));
      this.ring[at % this.entries] = undefined;
    }
    this.from = oldest + number;
    this.earlier = undefined;
    this.room?.change(-number);
  }

  /** Gives its room to the logs of other worlds. */
  close() {
    this.room?.leave(this);
    for (const entry of this.ring) this.dropBodies(entry);
  }

  private dropBodies(entry: Entry | undefined) {
    for (const body of largeIn(entry)) this.room?.whole.drop(body);
  }

  private get oldest() {
    return Math.max(this.from, this.count - this.entries);
  }

  private entryOf(id: string) {
    return this.ring.find((entry) => entry?.report.id === id);
  }

  /** The last change of the world when a request of this run was answered. */
  seqOf(id: string): number | undefined {
    const entry = this.entryOf(id);
    return entry && "seq" in entry && !entry.report.undone ? entry.seq : undefined;
  }

  /**
   * Marks the requests that came after a point of the world's past as undone.
   * @param point.kept name of the snapshot that has them
   */
  undoAfter({ seq, atMs, kept }: { seq: number; atMs: number; kept: string }) {
    this.readEarlier();
    const inForce = this.newestFirst().flatMap(({ report }) => (report.undone ? [] : report.id));
    this.undoneIn.set(kept, new Set(inForce));
    const [oldest] = this.undoneIn.keys();
    if (oldest !== undefined && this.undoneIn.size > UNDONE_PARTS) this.undoneIn.delete(oldest);
    for (const [at, entry] of this.ring.entries()) {
      if (!entry) continue;
      const isLater = "seq" in entry ? entry.seq > seq : entry.report.atMs > atMs;
      if (!isLater) continue;
      const report = { ...entry.report, undone: true } as const;
      this.ring[at] =
        "kept" in entry ? { report, kept: { ...entry.kept, undone: true } } : { ...entry, report };
    }
    this.changes += 1;
  }

  /** Takes the marks off the requests that a snapshot has which a rewind kept. */
  redo(kept: string) {
    const inForce = this.undoneIn.get(kept);
    if (!inForce) return;
    for (const [at, entry] of this.ring.entries())
      if (entry?.report.undone && inForce.has(entry.report.id)) this.ring[at] = redone(entry);
    this.changes += 1;
  }

  /** The undone request that set off what an id or its end names, and the snapshot that has it. */
  undoneWith(text: string): { id: string; request: string; kept: string } | undefined {
    const end = text.slice(text.lastIndexOf(":") + 1).replace(/^[.…]+/, "");
    if (end.length < SHORTEST_END) return undefined;
    for (const { report, caused } of this.undone()) {
      const id = caused.find((record) => record.endsWith(end) && !record.includes(" "));
      const has = [...this.undoneIn].findLast(([, inForce]) => inForce.has(report.id));
      if (id !== undefined && has) return { id, request: report.id, kept: has[0] };
    }
    return undefined;
  }

  private *undone() {
    for (const entry of this.newestFirst())
      if (entry.report.undone) yield { report: entry.report, caused: requestOf(entry).caused };
  }

  /** Rises with each change. */
  get version() {
    return this.changes;
  }

  /** The requests that it keeps, newest first, each shown when it is asked for. */
  reports(): { report: RequestReport; show(): LoggedRequest }[] {
    return this.newestFirst().map((entry) => ({
      report: entry.report,
      show: () => requestOf(entry),
    }));
  }

  /** The requests as JSON without secrets, newest first; those that come meanwhile are left out. */
  *lines(): Generator<string> {
    for (const entry of this.newestFirst()) yield JSON.stringify(detailOf(entry));
  }

  /**
   * Requests, newest first.
   * @param from.before position of the oldest one already seen
   */
  page(
    from: { before?: number | undefined; limit: number },
    matches: (request: RequestReport) => boolean,
  ): { requests: LoggedRequest[]; hasMore: boolean; position: number } {
    this.readEarlier();
    const { oldest } = this;
    const requests: LoggedRequest[] = [];
    let position = Math.min(from.before ?? this.count, this.count);
    for (let at = position - 1; at >= oldest; at -= 1) {
      const entry = this.at(at);
      if (!entry || !matches(entry.report)) continue;
      if (requests.length === from.limit) return { requests, hasMore: true, position };
      requests.push(requestOf(entry));
      position = at;
    }
    return { requests, hasMore: false, position };
  }

  /**
   * One request in full, or nothing when it is not in the log.
   * @param isWhole true for whole bodies, as far as they are kept
   */
  find(id: string, isWhole = false): RequestDetail | undefined {
    let entry = this.entryOf(id);
    if (!entry && this.earlier) {
      this.readEarlier();
      entry = this.entryOf(id);
    }
    return entry && detailOf(entry, isWhole);
  }

  /** Explains why an id is missing: too old, a call that is not logged, or unknown. */
  absenceOf(id: string): Absence {
    const parts = partsOf(id);
    const newest = partsOf(this.lastId);
    if (!parts || parts.start > this.start) return "unknown";
    if (parts.start < this.start) return "gone";
    if (!newest || parts.n > newest.n) return "unknown";
    if (this.oldest === 0 && !this.hasForgotten) return "unlogged";
    const oldest = partsOf(this.at(this.oldest)?.report.id);
    // While requests of earlier runs are there, none of this run was dropped.
    if (oldest && oldest.start < this.start) return "unlogged";
    return oldest && parts.n > oldest.n ? "unlogged" : "gone";
  }

  /** Puts the requests of earlier runs before those of this one. */
  private readEarlier() {
    if (this.size >= this.entries) this.earlier = undefined;
    const kept = this.earlier?.() ?? [];
    this.earlier = undefined;
    if (kept.length === 0) return;
    const old = kept.map((detail): Entry => {
      const { caused: _caused, ...report } = requestOf({ report: detail, kept: detail });
      return { report, kept: detail };
    });
    const all = [...old, ...this.newestFirst().reverse()].slice(-this.entries);
    const more = all.length - this.size;
    this.ring = all;
    this.count = all.length;
    this.from = 0;
    this.room?.change(more);
  }

  private newestFirst(): Entry[] {
    this.readEarlier();
    const { count, size: length } = this;
    return Array.from({ length }, (_, back) => this.at(count - 1 - back) as Entry);
  }

  private at(position: number) {
    return this.ring[position % this.entries];
  }

  private note(change: Change) {
    const { cause } = change;
    if (!cause.startsWith("req-")) return;
    const ids = this.caused.get(cause);
    if (ids === undefined) {
      const first: string[] = [];
      addIds(first, change);
      this.caused.set(cause, first);
    } else if (ids.length < MAX_CAUSED) addIds(ids, change);
  }
}
