import { createContext, Script } from "node:vm";
import type { BodyDifference } from "./body-differences.ts";
import { type MeantDifference, meantBy } from "./differences-meant.ts";
import { type JsonSchemas, WrongSchema } from "./json-schemas.ts";
import { extentOf } from "./nesting.ts";

const context: { work?: () => unknown } = {};
createContext(context);
const script = new Script("work()");

/** Stands for work that was stopped. */
const TOO_LONG = Symbol("too long");

/**
 * Does work that may take without end: a regular expression, a union of unions. The work is stopped
 * wherever it is, so it must keep nothing half done.
 */
const withinTime = <Result>(limitMs: number, work: () => Result): Result | typeof TOO_LONG => {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return TOO_LONG;
    throw error;
  } finally {
    delete context.work;
  }
};

type Json = Record<string, unknown>;

/** A described body: its schema, `any` for one that is not JSON, nothing where none is described. */
export type Described = Json | "any" | undefined;

/** A body of an exchange. */
export interface SentBody {
  body: unknown;
  /** Reason why it is not there as a whole. */
  notWhole: string | undefined;
}

/** The place of a body in the traffic. */
interface TrafficPlace {
  operation: string;
  status: string;
  in: "request" | "response" | "webhook";
}

/** A difference of a body. */
type TrafficDifference = TrafficPlace & BodyDifference;

/** The outcome of one check. */
interface Checked {
  /** The difference that counts. */
  open?: TrafficDifference;
  meant: (TrafficDifference & { reason: string })[];
  /** Reason why it could not be checked. */
  why?: string;
}

/** Limits of one check, and of all. */
export interface JudgingLimits {
  /** Time for one body. */
  bodyMs: number;
  /** Time that all bodies which needed too long may take together. */
  lostMs: number;
  /** Time for one body after that. */
  laterMs: number;
}

/** Limits that hold unless others are given (spec/conform.md#bodies-that-are-not-judged). */
export const JUDGING: JudgingLimits = { bodyMs: 2_000, lostMs: 20_000, laterMs: 50 };

const DEEPEST = 100;

const TOO_SLOW = "Its check takes too long: a pattern or a union of its schema is costly.";
const ENDLESS = "Its check does not finish: its schema refers to itself, or too much differs.";

const valueAt = (value: unknown, pointer: string): unknown => {
  let current = value;
  for (const part of pointer.split("/").slice(1)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Json)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return current;
};

/** Compares bodies with their schemas, each in a time that ends. */
export class BodyCheck {
  private readonly schemas: JsonSchemas;
  private readonly meant: readonly MeantDifference[];
  private readonly placeholder: string | undefined;
  private readonly limits: JudgingLimits;
  /** Places whose schema took too long once: it is not tried again. */
  private readonly slow = new Set<string>();
  private lostMs = 0;

  constructor(
    schemas: JsonSchemas,
    {
      meant = [],
      placeholder,
      limits = JUDGING,
    }: { meant?: readonly MeantDifference[]; placeholder?: string; limits?: JudgingLimits },
  ) {
    this.schemas = schemas;
    this.meant = meant;
    this.placeholder = placeholder;
    this.limits = limits;
  }

  check({ body, notWhole }: SentBody, described: Described, at: TrafficPlace): Checked {
    if (described === "any") return { meant: [] };
    if (described === undefined)
      return body === undefined && notWhole === undefined
        ? { meant: [] }
        : this.whole(at, "Expected no body.");
    if (notWhole !== undefined) return { meant: [], why: notWhole };
    if (body === undefined) return this.whole(at, "Expected a body but found none.");
    return this.compared(body, described, at);
  }

  private whole(at: TrafficPlace, says: string): Checked {
    const difference = { ...at, path: "", says };
    const meant = meantBy(this.meant, difference);
    return meant
      ? { meant: [{ ...difference, reason: meant.reason }] }
      : { open: difference, meant: [] };
  }

  private compared(body: unknown, schema: Json, at: TrafficPlace): Checked {
    const { depth } = extentOf(body, { depth: DEEPEST, values: Number.POSITIVE_INFINITY });
    if (depth > DEEPEST) return { meant: [], why: `It is nested deeper than ${DEEPEST} levels.` };
    const isExcused = ({ path }: BodyDifference) =>
      (this.placeholder !== undefined && valueAt(body, path) === this.placeholder) ||
      meantBy(this.meant, { ...at, path }) !== undefined;
    const result = this.inTime(at, () => this.schemas.differences(body, schema, isExcused));
    if (typeof result === "string") return { meant: [], why: result };
    const [open] = result.open;
    const meant = result.excused.flatMap((difference) => {
      const placed = { ...at, ...difference };
      const by = meantBy(this.meant, placed);
      return by ? [{ ...placed, reason: by.reason }] : [];
    });
    return open ? { open: { ...at, ...open }, meant } : { meant };
  }

  /** Does a check; a text says why it has no result. */
  private inTime<Result extends object>(at: TrafficPlace, work: () => Result): Result | string {
    const key = JSON.stringify(at);
    const { bodyMs, lostMs, laterMs } = this.limits;
    const limitMs = this.lostMs < lostMs ? bodyMs : laterMs;
    if (this.slow.has(key)) return TOO_SLOW;
    try {
      const result = withinTime(limitMs, work);
      if (result !== TOO_LONG) return result;
    } catch (error) {
      if (error instanceof RangeError) return ENDLESS;
      if (error instanceof WrongSchema) return `Its schema cannot be read: ${error.message}.`;
      throw error;
    }
    this.slow.add(key);
    this.lostMs += limitMs;
    return TOO_SLOW;
  }
}
