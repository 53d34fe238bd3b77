import type * as z from "zod";
import { MAX_REQUESTS } from "../../contract/control/feed-rows.ts";
import type { RevisionUse } from "../../contract/control/requests.ts";
import { defined } from "../../contract/core/defined.ts";
import { FIRST_REVISION, type Revision } from "../../contract/core/revision-names.ts";
import type { ReplayReference } from "../../domain/core/idempotency.ts";
import type { FiredTimer } from "../../runtime/listeners.ts";
import type { AttemptReport } from "../../runtime/ports.ts";
import { redactJson, redactQuery, withoutSecrets } from "./redaction.ts";

/** The shapes that an operation takes. */
interface TakenShapes {
  body: z.ZodType | undefined;
  query: Readonly<Record<string, z.ZodType>>;
}

/** The same as the world's revision has them, and a way to those of other revisions. */
export interface TakenInRevision extends TakenShapes {
  revision: Revision;
  /** The revision that brought the operation. */
  since: Revision;
  /** Its forms in other revisions that have it. */
  others(): readonly (TakenShapes & { revision: Revision })[];
}

/** Bounds of what is listed: names are the caller's own text. */
const MOST_LISTED = 20;
const MOST_CHARACTERS = 100;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

/** The shape below those that only wrap it. */
const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  const def = defOf(schema);
  // Its own getter makes another shape each time.
  if (def.type === "lazy") return unwrapped((schema as z.core.$ZodLazy)._zod.innerType);
  if (def.type === "pipe") return unwrapped(def.in);
  if ("innerType" in def) return unwrapped(def.innerType);
  return schema;
};

/** Whether a value has the literals that a variant of a union is told by. */
const isMeant = (variant: z.core.$ZodType, value: unknown) => {
  const def = defOf(unwrapped(variant));
  if (def.type !== "object" || !isMembers(value)) return def.type !== "object";
  return Object.entries(def.shape).every(([name, member]) => {
    const inner = defOf(unwrapped(member));
    return inner.type !== "literal" || inner.values.some((literal) => literal === value[name]);
  });
};

const inObject = (def: z.core.$ZodObjectDef, value: Members, at: string): string[] =>
  Object.entries(value).flatMap(([name, member]) => {
    const shape = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (shape) return membersIgnored(shape, member, `${at}${name}.`);
    // Without a catch-all the members that the shape does not have are dropped.
    return def.catchall === undefined ? [`${at}${name}`] : [];
  });

const membersIgnored = (schema: z.core.$ZodType, value: unknown, at: string): string[] => {
  const shape = unwrapped(schema);
  const def = defOf(shape);
  if (def.type === "object") return isMembers(value) ? inObject(def, value, at) : [];
  if (def.type === "array")
    return Array.isArray(value)
      ? value.flatMap((item, index) => membersIgnored(def.element, item, `${at}${index}.`))
      : [];
  if (def.type !== "union") return [];
  const meant = def.options.filter((option) => isMeant(option, value));
  return meant.length === 1 && meant[0] ? membersIgnored(meant[0], value, at) : [];
};

const queryIgnored = (shape: TakenShapes["query"], query: string) =>
  [...new Set(new URLSearchParams(query).keys())]
    .filter((name) => name !== "world" && !Object.hasOwn(shape, name))
    .map((name) => `?${name}`);

/**
 * Members of a body and parameters of a query that an operation does not have, as paths: they were
 * sent and ignored (spec/errors.md#request-log).
 */
const ignoredOf = (
  { body, query }: TakenShapes,
  sent: { body: unknown; query?: string | undefined },
): string[] =>
  [
    ...(body === undefined ? [] : membersIgnored(body, sent.body, "")),
    ...(sent.query === undefined ? [] : queryIgnored(query, sent.query)),
  ]
    .slice(0, MOST_LISTED)
    .map((name) => name.slice(0, MOST_CHARACTERS));

/** Bounds of request logs (spec/errors.md#request-log). */
export const REQUEST_LOG = {
  /** Requests kept of one world. */
  entries: MAX_REQUESTS,
  /** Requests kept of all worlds of a process. */
  inAll: 50_000,
  /** Requests that the fullest log loses when all together have too many. */
  dropped: 100,
  /** Characters shown of each body, and kept of one that is not kept whole. */
  bodyCharacters: 2_048,
  /** Characters of longer bodies that all worlds keep whole. */
  wholeCharacters: 33_554_432,
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
  replay?: ReplayReference;
  /** True when a rewind undid what it did (spec/snapshots.md#rewind). */
  undone?: true;
}

/** One request, webhook attempt or timer, as reported to `onActivity`. */
export type Activity = (
  | ({ kind: "request" } & RequestReport)
  | ({ kind: "webhook" } & AttemptReport)
  | ({ kind: "timer" } & FiredTimer)
) & {
  /** Name of the world, unless it is the default one. */
  world?: string;
};

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
  takes?: TakenInRevision | undefined;
}

/** A finished request and its effects. */
export interface LoggedRequest extends RequestReport {
  /** Ids of the records, timers and webhooks that it created or changed. */
  caused: readonly string[];
}

/** A request in full: bodies without secrets, cut to 2 KiB unless they are asked for as a whole. */
export interface RequestDetail extends LoggedRequest {
  query?: string;
  requestBody?: string;
  responseBody?: string;
  /** Members and parameters that were sent and that its operation does not have. */
  ignored?: readonly string[];
  /** A revision whose operation or members it used, where not all revisions have them. */
  revisions?: readonly RevisionUse[];
  /** Bodies of which only the beginning is there, with the characters of the whole. */
  cut?: { requestBody?: number; responseBody?: number };
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
  output: string | LargeBody | undefined;
  query?: string;
  secrets?: readonly string[];
  /** Shapes that its operation takes, compared with what was sent when somebody asks. */
  takes?: TakenInRevision;
}

/** A request of this run, or one of an earlier run as it was kept. */
export type Entry = Fresh | { report: RequestReport; kept: RequestDetail };

/** A beginning that does not keep the whole text in memory. */
const startStateOf = (text: string) =>
  text.length <= REQUEST_LOG.bodyCharacters
    ? text
    : `${Buffer.from(text.slice(0, REQUEST_LOG.bodyCharacters)).toString()}…`;

/** A body longer than what is shown: whole until its room is needed. */
export class LargeBody {
  text: string;
  isCut = false;
  /** Characters of the whole. */
  readonly characters: number;

  constructor(text: string) {
    this.text = text;
    this.characters = text.length;
  }

  cut() {
    this.text = startStateOf(this.text);
    this.isCut = this.text.length > REQUEST_LOG.bodyCharacters;
  }
}

const isSmall = (text: string) => text.length <= REQUEST_LOG.bodyCharacters;

/** Keeps small bodies as parsed values, large ones as text. */
export const keptInput = ({ input, inputBytes }: Bodies): unknown =>
  input === undefined || inputBytes <= REQUEST_LOG.bodyCharacters
    ? input
    : new LargeBody(JSON.stringify(input));

export const keptOutput = (text: string | undefined): Fresh["output"] =>
  text === undefined || isSmall(text) ? text : new LargeBody(text);

/** The large bodies of a request. */
export const largeIn = (entry: Entry | undefined): LargeBody[] =>
  entry && "output" in entry
    ? [entry.input, entry.output].filter((body) => body instanceof LargeBody)
    : [];

/** The parsed text of a body; nothing for one that was cut. */
const wholeOf = ({ text, isCut }: LargeBody): unknown => (isCut ? undefined : JSON.parse(text));

/** The members that were ignored; those of a body that was cut are not looked for. */
const ignoredIn = (takes: TakenShapes | undefined, { input, query }: Fresh): readonly string[] => {
  if (takes === undefined) return [];
  const body = input instanceof LargeBody ? wholeOf(input) : input;
  return ignoredOf(takes, { body, query });
};

/** Uses of what only some revisions have: members that others ignore, and the operation itself. */
const revisionsIn = (entry: Fresh): RevisionUse[] => {
  const { takes } = entry;
  if (takes === undefined) return [];
  const here = ignoredIn(takes, entry);
  const elsewhere = takes.others().map((form) => ({ form, ignored: ignoredIn(form, entry) }));
  const own = [...new Set(elsewhere.flatMap(({ ignored }) => without(ignored, here)))];
  const isLater = takes.since !== FIRST_REVISION;
  return [
    ...(own.length > 0 || (isLater && takes.since === takes.revision)
      ? [{ revision: takes.revision, ...(isLater && { operation: true as const }), members: own }]
      : []),
    ...(isLater && takes.since !== takes.revision
      ? [{ revision: takes.since, operation: true as const, members: [] }]
      : []),
    ...elsewhere.flatMap(({ form: { revision }, ignored }) => {
      const members = without(here, ignored);
      return members.length > 0 ? [{ revision, members }] : [];
    }),
  ];
};

const without = (all: readonly string[], others: readonly string[]) =>
  all.filter((one) => !others.includes(one));

/** A request and its effects. */
export const requestOf = (entry: Entry): LoggedRequest => {
  if ("kept" in entry) {
    const { query: _query, requestBody: _asked, responseBody: _answered, ...rest } = entry.kept;
    const { cut: _cut, ignored: _members, revisions: _revisions, ...request } = rest;
    return request;
  }
  const { report, caused } = entry;
  return { ...report, caused: [...new Set(caused)].slice(0, MAX_CAUSED) };
};

/** A body without secrets as it is shown; with the characters of the whole where it is cut. */
const shownBody = (bare: string, { of, isWhole }: { of: unknown; isWhole: boolean }) => {
  const text = isWhole ? bare : startStateOf(bare);
  const wasCut = of instanceof LargeBody && of.isCut;
  const whole = wasCut ? of.characters : bare.length;
  const isCut = wasCut || text !== bare;
  return { text, ...(isCut && { characters: whole }) };
};

const inputText = (input: unknown) =>
  input === undefined || input instanceof LargeBody ? input?.text : JSON.stringify(input);

const outputText = (output: Fresh["output"]) =>
  output instanceof LargeBody ? output.text : output;

/**
 * A request in full, without secrets.
 * @param isWhole true for whole bodies, as far as they are kept
 */
export const detailOf = (entry: Entry, isWhole = false): RequestDetail => {
  if ("kept" in entry) return entry.kept;
  const { input, output, query, secrets = [] } = entry;
  const [sent, got] = [inputText(input), outputText(output)];
  const redaction = sent === undefined ? undefined : redactJson(sent);
  const request = redaction && shownBody(redaction.text, { of: input, isWhole });
  const known = [...secrets, ...(redaction?.secrets ?? [])];
  const response =
    got === undefined
      ? undefined
      : shownBody(withoutSecrets(redactJson(got).text, known), { of: output, isWhole });
  const ignored = ignoredIn(entry.takes, entry);
  const revisions = revisionsIn(entry);
  const cut = defined({ requestBody: request?.characters, responseBody: response?.characters });
  return {
    ...requestOf(entry),
    ...(query !== undefined && { query: redactQuery(query) }),
    ...(request && { requestBody: request.text }),
    ...(response && { responseBody: response.text }),
    ...(ignored.length > 0 && { ignored }),
    ...(revisions.length > 0 && { revisions }),
    ...(Object.keys(cut).length > 0 && { cut }),
  };
};

const withoutMark = <Marked extends RequestReport>({ undone: _mark, ...report }: Marked) => report;

/** The entry without the mark that a rewind gave it. */
export const redone = (entry: Entry): Entry => {
  const report = withoutMark(entry.report);
  return "kept" in entry ? { report, kept: withoutMark(entry.kept) } : { ...entry, report };
};
