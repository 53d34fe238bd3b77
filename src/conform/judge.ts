import type { DescribedApi, DescribedOperation } from "./described-api.ts";
import { type MeantDifference, meantBy } from "./differences-meant.ts";
import type { Exchange } from "./traffic.ts";

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

/** One operation, as much of it as was met. */
export interface OperationScore {
  operation: string;
  score: number;
  statuses: { status: string; met: number; valid: number }[];
}

/** The findings of traffic about a description (spec/conform.md#report). */
export interface Conformity {
  /** Percentage of exchanges that are described and fit. */
  score: number;
  exchanges: number;
  operations: OperationScore[];
  undocumented: Undocumented[];
  invalid: Invalid[];
  /** Differences that are meant, each with its reason. */
  meant: (Invalid & { reason: string })[];
  /** Pairs of an operation and a status that no exchange has met. */
  neverMet: { operation: string; status: string }[];
}

const percent = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10;

const valueAt = (value: unknown, pointer: string): unknown => {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return found;
};

type Found = Omit<Invalid, "count">;

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

/** Judges traffic by a description. */
export class Judge {
  private readonly api: DescribedApi;
  private readonly meant: readonly MeantDifference[];
  private readonly standIn: string | undefined;
  private readonly pairs = new Map<string, { met: number; valid: number }>();
  private readonly undocumented = new Findings<Omit<Undocumented, "count">>();
  private readonly invalid = new Findings<Found>();
  private readonly passed = new Findings<Found & { reason: string }>();
  private exchanges = 0;
  private fitting = 0;

  /** @param options.standIn text in place of values that the traffic's log does not keep */
  constructor(
    api: DescribedApi,
    { meant = [], standIn }: { meant?: readonly MeantDifference[]; standIn?: string } = {},
  ) {
    this.api = api;
    this.meant = meant;
    this.standIn = standIn;
  }

  take(exchange: Exchange) {
    this.exchanges += 1;
    const fits =
      exchange.kind === "webhook" ? this.takeWebhook(exchange.body) : this.takeCall(exchange);
    if (fits) this.fitting += 1;
  }

  report(): Conformity {
    const rows = this.api.operations.flatMap(({ name, replies }) =>
      replies.map(({ status }) => ({ name, status, pair: this.pairs.get(`${name} ${status}`) })),
    );
    const operations = this.api.operations.map(({ name }) => {
      const statuses = rows
        .filter((row) => row.name === name && row.pair)
        .map(({ status, pair }) => ({ status, met: pair?.met ?? 0, valid: pair?.valid ?? 0 }));
      const sum = (of: "met" | "valid") => statuses.reduce((all, one) => all + one[of], 0);
      return { operation: name, score: percent(sum("valid"), sum("met")), statuses };
    });
    return {
      score: percent(this.fitting, this.exchanges),
      exchanges: this.exchanges,
      operations: operations.filter(({ statuses }) => statuses.length > 0),
      undocumented: this.undocumented.list(),
      invalid: this.invalid.list(),
      meant: this.passed.list(),
      neverMet: rows
        .filter(({ pair }) => !pair)
        .map(({ name, status }) => ({ operation: name, status })),
    };
  }

  private takeCall(call: Extract<Exchange, { kind: "call" }>): boolean {
    const operation = this.api.operationOf(call.method, call.path);
    if (!operation) {
      const [path] = call.path.replace(/^[a-z]+:\/\/[^/]*/i, "").split("?");
      this.undocumented.add({ operation: `${call.method.toUpperCase()} ${path}` });
      return false;
    }
    const reply = this.api.replyOf(operation, call.status);
    if (!reply) {
      this.undocumented.add({ operation: operation.name, status: String(call.status) });
      return false;
    }
    const at = { operation: operation.name, status: String(call.status) };
    const answered = this.fits(call.responseBody, reply.body, { ...at, in: "response" });
    const isDone = call.status >= 200 && call.status < 300;
    const asked = !isDone || this.fitsRequest(call.requestBody, operation, at);
    this.count(`${operation.name} ${reply.status}`, answered && asked);
    return answered && asked;
  }

  private fitsRequest(
    body: unknown,
    { body: described }: DescribedOperation,
    at: { operation: string; status: string },
  ) {
    // Whether a body has to be there is for the one who answered: it was taken without.
    return body === undefined || this.fits(body, described, { ...at, in: "request" });
  }

  private takeWebhook(body: unknown): boolean {
    const type = (body as { type?: unknown } | null)?.type;
    const name = `webhook ${String(type)}`;
    const described = this.api.webhookOf(String(type));
    if (described === "unknown") {
      this.undocumented.add({ operation: name });
      return false;
    }
    return this.fits(body, described, { operation: name, status: "*", in: "webhook" });
  }

  private fits(
    body: unknown,
    described: object | "any" | undefined,
    at: Omit<Found, "path" | "says">,
  ): boolean {
    if (described === "any") return true;
    if (described === undefined)
      return body === undefined || this.differs({ ...at, path: "", says: "Expected no body." });
    if (body === undefined)
      return this.differs({ ...at, path: "", says: "Expected a body but found none." });
    const schema = described as Record<string, unknown>;
    const difference = this.api.schemas.difference(body, schema);
    if (!difference) return true;
    const isHidden = this.standIn !== undefined && valueAt(body, difference.path) === this.standIn;
    return isHidden || this.differs({ ...at, ...difference });
  }

  /** Notes a difference; true when it is meant. */
  private differs(found: Found): boolean {
    const meant = meantBy(this.meant, found);
    if (!meant) {
      this.invalid.add(found);
      return false;
    }
    this.passed.add({ ...found, reason: meant.reason });
    return true;
  }

  private count(key: string, isValid: boolean) {
    const pair = this.pairs.get(key) ?? { met: 0, valid: 0 };
    pair.met += 1;
    if (isValid) pair.valid += 1;
    this.pairs.set(key, pair);
  }
}
