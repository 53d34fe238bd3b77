import type { Replayed } from "../domain/core/idempotency.ts";
import type { Kind } from "../domain/records/records.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import { redactJson, redactQuery, withoutSecrets } from "./redaction.ts";

/** Number of requests kept, and characters kept of each body. */
export const REQUEST_LOG = { entries: 10_000, bodyCharacters: 2_048 } as const;

/** Undone parts whose requests are known, so that loading one brings them back. */
const UNDONE_PARTS = 5;

/** Characters of an id's end that name it. */
const SHORTEST_END = 4;

/** Most ids listed as caused by one request; further ones are left out. */
const MAX_CAUSED = 100;

/** One request as the log and the terminal show it. */
export interface RequestReport {
  id: string;
  atMs: number;
  method: string;
  /** Path below the base of the platform; with `/_sim` for a call of the control surface. */
  path: string;
  /** Set for a call of the control surface. */
  isControl?: true;
  operation?: string;
  status: number;
  tookMs: number;
  error?: { code: string; reason?: string };
  /** Id of the fault switch that struck it. */
  fault?: string;
  /** Rows of the sandbox's tables that decided the answer (spec/sandbox.md#rule-header). */
  rules?: readonly string[];
  /**
   * The stored answer that it got, if its idempotency key had one
   * (spec/idempotency.md#another-body).
   */
  replay?: Replayed;
  /** True when a rewind undid what it did (spec/snapshots.md#rewind). */
  undone?: true;
}

/** Reason why an id is not in the log. */
export type Absence = "gone" | "unlogged" | "unknown";

/** Bodies of a request and its answer. */
export interface Bodies {
  /** Parsed body of the request, and its announced length. */
  input: unknown;
  inputBytes: number;
  output: string | undefined;
  /** The query as it came, with its secrets. */
  query?: string;
  /** Secrets of the path and query, to be removed from the answer too. */
  secrets?: readonly string[];
}

/** A finished request and its effects. */
export interface LoggedRequest extends RequestReport {
  /** Ids of the records, timers and webhooks that it created or changed. */
  caused: readonly string[];
}

/** A request in full: bodies without secrets, cut to 2 KiB. */
export interface RequestDetail extends LoggedRequest {
  query?: string;
  requestBody?: string;
  responseBody?: string;
}

interface Fresh {
  report: RequestReport;
  /** The last change of the world when its answer left. */
  seq: number;
  caused: readonly string[];
  /** Unprocessed bodies; secrets are removed when one is read, so that requests cost little. */
  input: unknown;
  output: string | undefined;
  query?: string;
  secrets?: readonly string[];
}

/** A request of this run, or one of an earlier run as it was kept. */
type Entry = Fresh | { report: RequestReport; kept: RequestDetail };

/** A beginning that does not keep the whole text in memory. */
const beginningOf = (text: string) =>
  text.length <= REQUEST_LOG.bodyCharacters
    ? text
    : `${Buffer.from(text.slice(0, REQUEST_LOG.bodyCharacters)).toString()}…`;

/** Keeps small bodies as parsed values, large ones as the beginning of their text. */
const keptInput = ({ input, inputBytes }: Bodies) =>
  input === undefined || inputBytes <= REQUEST_LOG.bodyCharacters
    ? input
    : new Beginning(beginningOf(JSON.stringify(input)));

class Beginning {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ID = /^req-([0-9]+)-([0-9]+)$/;

/** The run that an id belongs to, and its place there. */
const partsOf = (id: string | undefined) => {
  const [, start, n] = ID.exec(id ?? "") ?? [];
  return n === undefined ? undefined : { start: Number(start), n: Number(n) };
};

const textOf = (input: unknown) => {
  if (input === undefined) return undefined;
  return input instanceof Beginning ? input.text : JSON.stringify(input);
};

const requestOf = (entry: Entry): LoggedRequest => {
  if ("kept" in entry) {
    const { query: _query, requestBody: _asked, responseBody: _answered, ...request } = entry.kept;
    return request;
  }
  const { report, caused } = entry;
  return { ...report, caused: [...new Set(caused)].slice(0, MAX_CAUSED) };
};

const detailOf = (entry: Entry): RequestDetail => {
  if ("kept" in entry) return entry.kept;
  const { input, output, query, secrets = [] } = entry;
  const text = textOf(input);
  const asked = text === undefined ? undefined : redactJson(text);
  const answered = output === undefined ? undefined : redactJson(output).text;
  return {
    ...requestOf(entry),
    ...(query !== undefined && { query: redactQuery(query) }),
    ...(asked && { requestBody: beginningOf(asked.text) }),
    ...(answered !== undefined && {
      responseBody: beginningOf(withoutSecrets(answered, [...secrets, ...(asked?.secrets ?? [])])),
    }),
  };
};

const withoutMark = <Marked extends RequestReport>({ undone: _mark, ...report }: Marked) => report;

const redone = (entry: Entry): Entry => {
  const report = withoutMark(entry.report);
  return "kept" in entry ? { report, kept: withoutMark(entry.kept) } : { ...entry, report };
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
  private ring: Entry[] = [];
  private lastId: string | undefined;
  private hasForgotten = false;
  /** Requests taken since the last clear; the newest is just before this position. */
  private count = 0;
  private readonly caused = new Map<string, string[]>();
  private changes = 0;
  /** By the name of what a rewind kept: the requests that were in force before it. */
  private readonly undoneIn = new Map<string, ReadonlySet<string>>();

  constructor(engine: Engine, { start, onEntry, entries, earlier }: RequestLogParts) {
    this.engine = engine;
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
    const output = bodies.output && beginningOf(bodies.output);
    const { secrets = [], query } = bodies;
    const entry: Fresh = {
      report,
      seq: this.engine.state.seq,
      caused,
      input: keptInput(bodies),
      output,
      ...(query !== undefined && { query }),
      ...(secrets.length > 0 && { secrets }),
    };
    this.ring[this.count % this.entries] = entry;
    this.count += 1;
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
    this.ring.length = 0;
    this.earlier = undefined;
    this.changes += 1;
    this.count = 0;
    this.hasForgotten = true;
  }

  /** The last change of the world when a request of this run was answered. */
  seqOf(id: string): number | undefined {
    const entry = this.ring.find(({ report }) => report.id === id);
    return entry && "seq" in entry && !entry.report.undone ? entry.seq : undefined;
  }

  /**
   * Marks the requests that came after a point of the world's past as undone.
   * @param point.kept name of the snapshot that has them
   */
  undoAfter({ seq, atMs, kept }: { seq: number; atMs: number; kept: string }) {
    this.readEarlier();
    const inForce = this.ring.filter(({ report }) => !report.undone).map(({ report }) => report.id);
    this.undoneIn.set(kept, new Set(inForce));
    const [oldest] = this.undoneIn.keys();
    if (oldest !== undefined && this.undoneIn.size > UNDONE_PARTS) this.undoneIn.delete(oldest);
    for (const [at, entry] of this.ring.entries()) {
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
      if (entry.report.undone && inForce.has(entry.report.id)) this.ring[at] = redone(entry);
    this.changes += 1;
  }

  /** The undone request that set off what an id or its end names, and the snapshot that has it. */
  undoneWith(text: string): { id: string; request: string; kept: string } | undefined {
    const end = text.slice(text.lastIndexOf(":") + 1).replace(/^[.…]+/, "");
    if (end.length < SHORTEST_END) return undefined;
    for (const { report, caused } of this.undone()) {
      const id = caused.find((one) => one.endsWith(end) && !one.includes(" "));
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
    const oldest = Math.max(0, this.count - this.entries);
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

  /** One request in full, or nothing when it is not in the log. */
  find(id: string): RequestDetail | undefined {
    const found = () => this.ring.find(({ report }) => report.id === id);
    let entry = found();
    if (!entry && this.earlier) {
      this.readEarlier();
      entry = found();
    }
    return entry && detailOf(entry);
  }

  /** Explains why an id is missing: too old, a call that is not logged, or unknown. */
  absenceOf(id: string): Absence {
    const asked = partsOf(id);
    const newest = partsOf(this.lastId);
    if (!asked || asked.start > this.start) return "unknown";
    if (asked.start < this.start) return "gone";
    if (!newest || asked.n > newest.n) return "unknown";
    const at = this.count - this.entries;
    if (at <= 0 && !this.hasForgotten) return "unlogged";
    const oldest = partsOf(this.at(Math.max(0, at))?.report.id);
    // While requests of earlier runs are there, none of this run was dropped.
    if (oldest && oldest.start < this.start) return "unlogged";
    return oldest && asked.n > oldest.n ? "unlogged" : "gone";
  }

  /** Puts the requests of earlier runs before those of this one. */
  private readEarlier() {
    if (this.count >= this.entries) this.earlier = undefined;
    const kept = this.earlier?.() ?? [];
    this.earlier = undefined;
    if (kept.length === 0) return;
    const old = kept.map((one): Entry => {
      const { caused: _caused, ...report } = requestOf({ report: one, kept: one });
      return { report, kept: one };
    });
    const all = [...old, ...this.newestFirst().reverse()].slice(-this.entries);
    this.ring = all;
    this.count = all.length;
  }

  private newestFirst(): Entry[] {
    this.readEarlier();
    const { count } = this;
    const length = Math.min(count, this.entries);
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
