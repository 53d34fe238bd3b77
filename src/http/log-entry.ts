import type { Replayed } from "../domain/core/idempotency.ts";
import { ignoredOf, type TakenShapes } from "./ignored-members.ts";
import { redactJson, redactQuery, withoutSecrets } from "./redaction.ts";

/** Bounds of request logs (spec/errors.md#request-log). */
export const REQUEST_LOG = {
  /** Requests kept of one world. */
  entries: 10_000,
  /** Requests kept of all worlds of a process. */
  inAll: 50_000,
  /** Requests that the fullest log loses when all together have too many. */
  dropped: 100,
  /** Characters kept of each body. */
  bodyCharacters: 2_048,
};

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
  /** Shapes that its operation takes. */
  takes?: TakenShapes | undefined;
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
  /** Members and parameters that were sent and that its operation does not have. */
  ignored?: readonly string[];
}

/** Most ids listed as caused by one request; further ones are left out. */
export const MAX_CAUSED = 100;

/** A request of this run. */
export interface Fresh {
  report: RequestReport;
  /** The last change of the world when its answer left. */
  seq: number;
  caused: readonly string[];
  /** Unprocessed bodies; secrets are removed when one is read, so that requests cost little. */
  input: unknown;
  output: string | undefined;
  query?: string;
  secrets?: readonly string[];
  /** Shapes that its operation takes, compared with what was sent when somebody asks. */
  takes?: TakenShapes;
}

/** A request of this run, or one of an earlier run as it was kept. */
export type Entry = Fresh | { report: RequestReport; kept: RequestDetail };

/** A beginning that does not keep the whole text in memory. */
export const beginningOf = (text: string) =>
  text.length <= REQUEST_LOG.bodyCharacters
    ? text
    : `${Buffer.from(text.slice(0, REQUEST_LOG.bodyCharacters)).toString()}…`;

/** Keeps small bodies as parsed values, large ones as the beginning of their text. */
export const keptInput = ({ input, inputBytes }: Bodies) =>
  input === undefined || inputBytes <= REQUEST_LOG.bodyCharacters
    ? input
    : new Beginning(beginningOf(JSON.stringify(input)));

class Beginning {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The parsed text of a whole body; nothing for one that was cut. */
const wholeOf = ({ text }: Beginning): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The members that were ignored; those of a body that was cut are not looked for. */
const ignoredIn = ({ takes, input, query }: Fresh): readonly string[] => {
  if (takes === undefined) return [];
  const body = input instanceof Beginning ? wholeOf(input) : input;
  return ignoredOf(takes, { body, query });
};

const textOf = (input: unknown) => {
  if (input === undefined) return undefined;
  return input instanceof Beginning ? input.text : JSON.stringify(input);
};

/** A request and its effects. */
export const requestOf = (entry: Entry): LoggedRequest => {
  if ("kept" in entry) {
    const {
      query: _query,
      requestBody: _asked,
      responseBody: _answered,
      ignored: _members,
      ...request
    } = entry.kept;
    return request;
  }
  const { report, caused } = entry;
  return { ...report, caused: [...new Set(caused)].slice(0, MAX_CAUSED) };
};

/** A request in full, without secrets. */
export const detailOf = (entry: Entry): RequestDetail => {
  if ("kept" in entry) return entry.kept;
  const { input, output, query, secrets = [] } = entry;
  const text = textOf(input);
  const asked = text === undefined ? undefined : redactJson(text);
  const answered = output === undefined ? undefined : redactJson(output).text;
  const ignored = ignoredIn(entry);
  return {
    ...requestOf(entry),
    ...(query !== undefined && { query: redactQuery(query) }),
    ...(asked && { requestBody: beginningOf(asked.text) }),
    ...(ignored.length > 0 && { ignored }),
    ...(answered !== undefined && {
      responseBody: beginningOf(withoutSecrets(answered, [...secrets, ...(asked?.secrets ?? [])])),
    }),
  };
};

const withoutMark = <Marked extends RequestReport>({ undone: _mark, ...report }: Marked) => report;

/** The entry without the mark that a rewind gave it. */
export const redone = (entry: Entry): Entry => {
  const report = withoutMark(entry.report);
  return "kept" in entry ? { report, kept: withoutMark(entry.kept) } : { ...entry, report };
};
