import { crc32 } from "node:zlib";
import * as z from "zod";
import { CLOCK_MODES } from "../../contract/control/clock-modes.ts";
import { isTooDeep } from "../../contract/core/nesting.ts";
import { shownValue, valueAt } from "../../contract/core/shown-value.ts";
import { IN_OUR_WORDS } from "../../contract/expectations.ts";
import type { Kind } from "../../domain/records/records.ts";
import { StoredInstant } from "../../domain/records/shapes/stored-values.ts";
import { KINDS } from "../../domain/records/tables.ts";
import { isBranch } from "../branch.ts";
import type { HistoryImage } from "../history.ts";
import type { PostingImage } from "../posting-columns.ts";
import type { BalanceImage } from "../world-state.ts";

/** A file that cannot be imported; nothing was changed. */
export class SnapshotFileProblem extends Error {
  override readonly name = "SnapshotFileProblem";
  readonly found: string;

  constructor(message: string, found: string) {
    super(`${message}; nothing changed`);
    this.found = found;
  }
}

const Text = z.string();
const Integer = z.int();
/** Minor units, which may exceed 2^53. */
const Minor = Text.regex(/^-?[0-9]{1,40}$/, "Expected minor units in digits");

const Clock = z.object({
  mode: z.enum(CLOCK_MODES),
  offsetMs: Integer,
  instantMs: Integer,
  speed: z.number().positive().optional(),
});

/** Shapes of the lines, by the member that each kind of line has. */
const LINES = {
  snapshot: z.object({
    snapshot: Integer.min(1),
    format: Integer.min(1),
    program: Text,
    name: Text,
    world: Text,
    seed: Text,
    branch: z.union([Integer, Text]).refine(isBranch, "Expected a branch"),
    at: Integer,
    seq: Integer,
    counter: Integer,
    clock: Clock.optional(),
  }),
  /** A record (`r`) of a kind (`k`). */
  k: z.strictObject({
    k: z.enum(KINDS as [Kind, ...Kind[]]),
    r: z.looseObject({ id: Text.min(1) }),
  }),
  balances: z.strictObject({ balances: z.array(z.tuple([Text, Text, Minor])) }),
  postings: z.strictObject({
    postings: z.array(z.tuple([Text, StoredInstant, Text, Text, Text, Minor])),
  }),
  /** Entries of histories, with the members of `HistoryEntry`. */
  past: z.strictObject({
    past: z.array(
      z.tuple([
        Text,
        z.array(
          z.object({
            seq: Integer.min(0),
            atMs: StoredInstant,
            cause: Text,
            by: Text,
            row: Text.optional(),
            set: z.array(Text).optional(),
            canceled: z.array(Text).optional(),
            movedBy: Text.optional(),
            status: Text.optional(),
            timers: z.array(z.tuple([Text, StoredInstant])).optional(),
          }),
        ),
      ]),
    ),
  }),
  end: z.strictObject({ end: Integer, sha256: Text }),
};

type Name = keyof typeof LINES;

/** A line between the first and the last. */
export type Line =
  | { k: Kind; r: { id: string } }
  | { balances: BalanceImage[] }
  | { postings: PostingImage[] }
  | { past: HistoryImage[] };

/** `<crc32> <bytes> `, in front of the JSON of each line. */
const LINE_PREFIX = /^([0-9a-f]{8}) ([0-9]{1,12}) /;

export const damaged = (n: number, found: string) =>
  new SnapshotFileProblem(`Expected a whole line ${n} but found ${found}`, `${found} in line ${n}`);

/** Parses JSON; refuses a member `__proto__`, which an escape can spell too. */
const parsed = (json: string, n: number): unknown => {
  let hasProto = false;
  const reviver = (key: string, value: unknown) => {
    hasProto ||= key === "__proto__";
    return value;
  };
  try {
    const body = /__proto__|\\u/.test(json) ? JSON.parse(json, reviver) : JSON.parse(json);
    if (!hasProto) return body;
  } catch {
    throw damaged(n, "no JSON");
  }
  throw damaged(n, "a member named __proto__");
};

/** The body of a line, whose checksum fits. */
export const bodyOf = (line: string, n: number): Record<string, unknown> => {
  const [text = "", checksum = "", length] = LINE_PREFIX.exec(line) ?? [];
  const json = line.slice(text.length);
  if (text === "") throw damaged(n, "no line of a snapshot");
  if (Buffer.byteLength(json) !== Number(length)) throw damaged(n, "a wrong length");
  if (crc32(json) !== Number.parseInt(checksum, 16)) throw damaged(n, "a wrong checksum");
  if (isTooDeep(json)) throw damaged(n, "JSON that is nested too deeply");
  const body = parsed(json, n);
  if (typeof body !== "object" || body === null) throw damaged(n, "no object");
  return body as Record<string, unknown>;
};

/** Checks the members of a line of a kind. */
export const lineAs = <Read>(name: Name, body: object, n: number): Read => {
  const { error } = LINES[name].safeParse(body, IN_OUR_WORDS);
  const [issue] = error?.issues ?? [];
  if (!issue) return body as Read;
  const place = issue.path.join(".") || name;
  const found = shownValue(valueAt(body, issue.path));
  throw new SnapshotFileProblem(
    `${issue.message} in ${place} of line ${n} but found ${found}`,
    `${place} in line ${n}`,
  );
};

/** A line with records, balances, postings or histories. */
export const partOf = (body: object, n: number): Line => {
  const name = (["k", "balances", "postings", "past"] as const).find((one) =>
    Object.hasOwn(body, one),
  );
  if (name === undefined) throw damaged(n, "an unknown kind of line");
  return lineAs<Line>(name, body, n);
};
