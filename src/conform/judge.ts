import type { LeftOutPattern } from "./adapted-schemas.ts";
import { BodyCheck, type Described, type JudgingLimits, type SentBody } from "./body-check.ts";
import type { DescribedApi, DescribedOperation } from "./described-api.ts";
import { type MeantDifference, meantBy, NOT_DESCRIBED } from "./differences-meant.ts";
import type { Exchange } from "./traffic.ts";

type Call = Extract<Exchange, { kind: "call" }>;

/** A reply or a request that differs from its description. */
export interface Invalid {
  operation: string;
  status: string;
  /** The part that differs. */
  in: "request" | "response" | "webhook";
  /** JSON Pointer of the first place that differs. */
  path: string;
  says: string;
  count: number;
}

/** Traffic that the description does not have. */
export interface Undocumented {
  /** The operation, or method and path of a call without one. */
  operation: string;
  /** The status that is not described; absent where the operation is not. */
  status?: string;
  count: number;
}

/** A body that was not compared. */
export interface NotJudged {
  operation: string;
  status: string;
  in: InvalidBody["in"];
  why: string;
  count: number;
}

/** A call of a route that the document does not have, which was refused as it should be. */
export interface UnknownRoute {
  /** Method and path. */
  operation: string;
  status: string;
  count: number;
}

/** One operation, as much of it as was met. */
export interface OperationScore {
  operation: string;
  score: number;
  statuses: { status: string; met: number; valid: number; notJudged?: number }[];
}

/** The findings of traffic about a description (spec/conform.md#report). */
export interface Conformity {
  /** Percentage of the judged exchanges that are described and fit. */
  score: number;
  exchanges: number;
  /** Exchanges without those that were not judged, and those of unknown routes. */
  judged: number;
  operations: OperationScore[];
  undocumented: Undocumented[];
  invalid: Invalid[];
  /** Differences that are meant, each with its reason. */
  meant: (Invalid & { reason: string })[];
  notJudged: NotJudged[];
  unknownRoutes: UnknownRoute[];
  /** Patterns of the document that JavaScript cannot read, which are not checked. */
  patternsLeftOut: readonly LeftOutPattern[];
  /** Pairs of an operation and a status that no exchange has met. */
  neverMet: { operation: string; status: string }[];
}

const percent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10;

type InvalidBody = Omit<Invalid, "count">;

/** A body that is compared: the operation and status it belongs to, and which one it is. */
type Body = Omit<InvalidBody, "path" | "says">;

/** The outcome for one exchange: `open` where it could not be judged. */
type Verdict = "fits" | "differs" | "open";

/** Two parts of one exchange: a difference counts, whatever could not be judged. */
const both = (one: Verdict, other: Verdict): Verdict => {
  if (one === "differs" || other === "differs") return "differs";
  return one === "open" || other === "open" ? "open" : "fits";
};

/** Collects what is found, each once, with its number. */
class Findings<Row extends object> {
  private readonly rows = new Map<string, Row & { count: number }>();

  add(row: Row) {
    const key = JSON.stringify(row);
    const known = this.rows.get(key);
    if (known) known.count += 1;
    else this.rows.set(key, { ...row, count: 1 });
  }

  list() {
    return [...this.rows.values()];
  }
}

interface Pair {
  met: number;
  valid: number;
  open: number;
}

/** Judges traffic by a description. */
export class Judge {
  private readonly api: DescribedApi;
  private readonly bodies: BodyCheck;
  private readonly meant: readonly MeantDifference[];
  private readonly pairs = new Map<string, Pair>();
  private readonly undocumented = new Findings<Omit<Undocumented, "count">>();
  private readonly invalid = new Findings<InvalidBody>();
  private readonly passed = new Findings<InvalidBody & { reason: string }>();
  private readonly notJudged = new Findings<Omit<NotJudged, "count">>();
  private readonly unknownRoutes = new Findings<Omit<UnknownRoute, "count">>();
  private exchanges = 0;
  private readonly verdicts: Record<Verdict, number> = { fits: 0, differs: 0, open: 0 };

  /** @param options.placeholder text in place of values that the traffic's log does not keep */
  constructor(
    api: DescribedApi,
    options: {
      meant?: readonly MeantDifference[];
      placeholder?: string;
      limits?: JudgingLimits;
    } = {},
  ) {
    this.api = api;
    this.meant = options.meant ?? [];
    this.bodies = new BodyCheck(api.schemas, options);
  }

  take(exchange: Exchange) {
    this.exchanges += 1;
    if (exchange.kind === "call" && this.isRightlyRefused(exchange)) return;
    const verdict =
      exchange.kind === "webhook" ? this.takeWebhook(exchange.body) : this.takeCall(exchange);
    this.verdicts[verdict] += 1;
  }

  report(): Conformity {
    const rows = this.api.operations.flatMap(({ name, replies }) =>
      replies.map(({ status }) => ({ name, status, pair: this.pairs.get(`${name} ${status}`) })),
    );
    const operations = this.api.operations.map(({ name, replies }) => {
      const met = replies.flatMap(({ status }) => {
        const pair = this.pairs.get(`${name} ${status}`);
        return pair ? [{ status, ...pair }] : [];
      });
      const sum = (of: keyof Pair) => met.reduce((all, pair) => all + pair[of], 0);
      const statuses = met.map(({ open, ...row }) => ({
        ...row,
        ...(open > 0 && { notJudged: open }),
      }));
      return { operation: name, score: percent(sum("valid"), sum("met") - sum("open")), statuses };
    });
    const { fits, differs } = this.verdicts;
    return {
      score: percent(fits, fits + differs),
      exchanges: this.exchanges,
      judged: fits + differs,
      operations: operations.filter(({ statuses }) => statuses.length > 0),
      undocumented: this.undocumented.list(),
      invalid: this.invalid.list(),
      meant: this.passed.list(),
      notJudged: this.notJudged.list(),
      unknownRoutes: this.unknownRoutes.list(),
      patternsLeftOut: this.api.schemas.leftOut,
      neverMet: rows
        .filter(({ pair }) => !pair)
        .map(({ name, status }) => ({ operation: name, status })),
    };
  }

  /** A path that the document does not have is 404, a method that a path does not have 405 too. */
  private isRightlyRefused({ method, path, status }: Call): boolean {
    if (status !== 404 && status !== 405) return false;
    if (this.api.operationOf(method, path)) return false;
    if (status === 405 && !this.api.hasPath(path)) return false;
    this.unknownRoutes.add({ operation: nameOf({ method, path }), status: String(status) });
    return true;
  }

  private takeCall(call: Call): Verdict {
    const operation = this.api.operationOf(call.method, call.path);
    if (!operation) return this.notDescribed({ operation: nameOf(call) }, call.status);
    const reply = this.api.replyOf(operation, call.status);
    const at = { operation: operation.name, status: String(call.status) };
    if (!reply) return this.notDescribed(at, call.status);
    const response = { body: call.responseBody, notWhole: call.notWhole?.responseBody };
    const answered = this.judged(response, [reply.body], { ...at, in: "response" });
    const verdict = both(answered, this.requestOf(call, operation, at));
    this.count(`${operation.name} ${reply.status}`, verdict);
    return verdict;
  }

  private requestOf(
    { status, requestBody: body, notWhole: { requestBody: notWhole } = {} }: Call,
    { body: described }: DescribedOperation,
    at: Omit<Body, "in">,
  ): Verdict {
    const isDone = status >= 200 && status < 300;
    // Whether a body has to be there is for the one who answered: it was taken without.
    if (!isDone || (body === undefined && notWhole === undefined)) return "fits";
    return this.judged({ body, notWhole }, [described], { ...at, in: "request" });
  }

  private takeWebhook(body: unknown): Verdict {
    const type = String((body as { type?: unknown } | null)?.type);
    const name = `webhook ${type}`;
    const described = this.api.webhooksOf(type);
    if (described.length === 0) return this.notDescribed({ operation: name }, "*");
    const at: Body = { operation: name, status: "*", in: "webhook" };
    return this.judged({ body, notWhole: undefined }, described, at);
  }

  /** Notes what the document does not have, unless that is meant. */
  private notDescribed(row: Omit<Undocumented, "count">, status: number | "*"): Verdict {
    const isStatus = row.status !== undefined;
    const invalidBody: InvalidBody = {
      operation: row.operation,
      status: String(status),
      in: status === "*" ? "webhook" : "response",
      path: isStatus ? NOT_DESCRIBED.status : NOT_DESCRIBED.operation,
      says: `The document has no such ${isStatus ? "status" : "operation"}.`,
    };
    const meant = meantBy(this.meant, invalidBody);
    if (meant) this.passed.add({ ...invalidBody, reason: meant.reason });
    else this.undocumented.add(row);
    return meant ? "fits" : "differs";
  }

  /** Notes what a check of a body has found: it fits one of the descriptions, or differs from one. */
  private judged(sent: SentBody, described: readonly Described[], at: Body): Verdict {
    const checks = described.map((reply) => this.bodies.check(sent, reply, at));
    const best =
      checks.find(({ open, why }) => open === undefined && why === undefined) ??
      checks.find(({ why }) => why !== undefined) ??
      checks[0];
    if (!best) return "fits";
    for (const difference of best.meant) this.passed.add(difference);
    if (best.open) this.invalid.add(best.open);
    if (best.why !== undefined) this.notJudged.add({ ...at, why: best.why });
    if (best.open) return "differs";
    return best.why === undefined ? "fits" : "open";
  }

  private count(key: string, verdict: Verdict) {
    const pair = this.pairs.get(key) ?? { met: 0, valid: 0, open: 0 };
    pair.met += 1;
    if (verdict === "fits") pair.valid += 1;
    if (verdict === "open") pair.open += 1;
    this.pairs.set(key, pair);
  }
}

const nameOf = ({ method, path }: Pick<Call, "method" | "path">) => {
  const [bare] = path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?");
  return `${method.toUpperCase()} ${bare}`;
};
