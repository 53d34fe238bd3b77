import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import { redactJson, withoutSecrets } from "./redaction.ts";

/** Requests kept, and how much of each body (MECHANISMS 10). */
export const REQUEST_LOG = { entries: 10_000, bodyCharacters: 2_048 } as const;

/** Ids named as caused by one request; what touches more is named in part. */
const MAX_CAUSED = 100;

/** One request as the log and the terminal tell of it. */
export interface RequestReport {
  id: string;
  atMs: number;
  method: string;
  /** Below the base of its surface. */
  path: string;
  operation?: string;
  status: number;
  tookMs: number;
  error?: { code: string; reason?: string };
}

/** Why an id is not in the log. */
export type Absence = "gone" | "unlogged" | "unknown";

/** What a request and its answer carried. */
export interface Bodies {
  /** The parsed body of the request, and how many bytes it is said to have. */
  input: unknown;
  inputBytes: number;
  output: string | undefined;
}

/** A request that is over, and what it set off. */
export interface LoggedRequest extends RequestReport {
  /** Ids of the records, timers and webhooks that it changed, made or set. */
  caused: readonly string[];
}

/** A request in full: bodies without secrets, cut to 2 KiB. */
export interface RequestDetail extends LoggedRequest {
  requestBody?: string;
  responseBody?: string;
}

interface Entry {
  request: LoggedRequest;
  /** As they came, so that work is done only for what is read; secrets are taken out then. */
  input: unknown;
  output: string | undefined;
}

/** A beginning that does not keep the whole text in memory. */
const beginningOf = (text: string) =>
  text.length <= REQUEST_LOG.bodyCharacters
    ? text
    : `${Buffer.from(text.slice(0, REQUEST_LOG.bodyCharacters)).toString()}…`;

/** Small bodies are kept as they were parsed, large ones as the beginning of their text. */
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

/** Which run an id is of, and its place in it. */
const partsOf = (id: string | undefined) => {
  const [, start, n] = ID.exec(id ?? "") ?? [];
  return n === undefined ? undefined : { start: Number(start), n: Number(n) };
};

const textOf = (input: unknown) => {
  if (input === undefined) return undefined;
  return input instanceof Beginning ? input.text : JSON.stringify(input);
};

const detailOf = ({ request, input, output }: Entry): RequestDetail => {
  const text = textOf(input);
  const asked = text === undefined ? undefined : redactJson(text);
  const answered = output === undefined ? undefined : redactJson(output).text;
  return {
    ...request,
    ...(asked && { requestBody: beginningOf(asked.text) }),
    ...(answered !== undefined && {
      responseBody: beginningOf(withoutSecrets(answered, asked?.secrets ?? [])),
    }),
  };
};

const idsIn = ({ put = [], emit = [] }: Change) => [
  ...put.filter(([kind]) => kind !== "Event" && kind !== "Replay").map(([, { id }]) => id),
  ...emit.map(({ id }) => id),
];

/**
 * The last requests to the platform, in memory alone. What it costs falls on whoever reads it:
 * while requests run it only keeps references.
 */
export class RequestLog {
  private readonly start: number;
  private readonly onEntry: (request: LoggedRequest) => void;
  private readonly ring: Entry[] = [];
  private lastId: string | undefined;
  private hasForgotten = false;
  /** Requests ever taken since it was last cleared; the newest stands before this position. */
  private count = 0;
  private readonly caused = new Map<string, string[]>();

  /** @param start how often this state was opened: the middle part of this run's ids */
  constructor(engine: Engine, start: number, onEntry: RequestLog["onEntry"]) {
    this.start = start;
    this.onEntry = onEntry;
    engine.listeners.add({ changed: (change) => this.note(change) });
  }

  /** Takes in a request whose answer is about to leave. */
  take(report: RequestReport, bodies: Bodies) {
    const request = { ...report, caused: this.causedBy(report.id) };
    const { output } = bodies;
    this.ring[this.count % REQUEST_LOG.entries] = {
      request,
      input: keptInput(bodies),
      output: output && beginningOf(output),
    };
    this.count += 1;
    this.lastId = report.id;
    this.onEntry(request);
  }

  /** A request that is not logged is over. */
  passOver(id: string) {
    this.caused.delete(id);
    this.lastId = id;
  }

  /** Everything before is forgotten. */
  clear() {
    this.ring.length = 0;
    this.count = 0;
    this.hasForgotten = true;
  }

  /**
   * Requests newest first.
   * @param from.before position of the oldest one seen already
   */
  page(
    from: { before?: number | undefined; limit: number },
    matches: (request: LoggedRequest) => boolean,
  ): { requests: LoggedRequest[]; hasMore: boolean; position: number } {
    const oldest = Math.max(0, this.count - REQUEST_LOG.entries);
    const requests: LoggedRequest[] = [];
    let position = Math.min(from.before ?? this.count, this.count);
    for (let at = position - 1; at >= oldest; at -= 1) {
      const request = this.at(at)?.request;
      if (!request || !matches(request)) continue;
      if (requests.length === from.limit) return { requests, hasMore: true, position };
      requests.push(request);
      position = at;
    }
    return { requests, hasMore: false, position };
  }

  /** One request in full, or nothing when it is not there. */
  find(id: string): RequestDetail | undefined {
    const entry = this.ring.find(({ request }) => request.id === id);
    return entry && detailOf(entry);
  }

  /** Why an id is not there: too old, a call that is not logged, or nobody's. */
  absenceOf(id: string): Absence {
    const asked = partsOf(id);
    const newest = partsOf(this.lastId);
    if (!asked || asked.start > this.start) return "unknown";
    if (asked.start < this.start) return "gone";
    if (!newest || asked.n > newest.n) return "unknown";
    const at = this.count - REQUEST_LOG.entries;
    if (at <= 0 && !this.hasForgotten) return "unlogged";
    const oldest = partsOf(this.at(Math.max(0, at))?.request.id);
    return oldest && asked.n > oldest.n ? "unlogged" : "gone";
  }

  private at(position: number) {
    return this.ring[position % REQUEST_LOG.entries];
  }

  private note(change: Change) {
    const { cause } = change;
    if (!cause.startsWith("req-")) return;
    const known = this.caused.get(cause);
    if (!known) this.caused.set(cause, idsIn(change));
    else if (known.length < MAX_CAUSED) known.push(...idsIn(change));
  }

  private causedBy(id: string): readonly string[] {
    const ids = this.caused.get(id);
    if (!ids) return [];
    this.caused.delete(id);
    return [...new Set(ids)].slice(0, MAX_CAUSED);
  }
}
