import { crc32 } from "node:zlib";
import type { EmittedEvent } from "../domain/core/draft.ts";
import type { Kind, Records } from "../domain/records/records.ts";
import type { Branch } from "./branch.ts";
import type { ClockState } from "./clock.ts";

/** Version of the record format; every other one is refused (decisions/format-version.md). */
export const FORMAT_VERSION = 5;

/** Version before, which a start converts once. */
export const FORMAT_BEFORE = 4;

type Put = { [K in Kind]: [K, Records[K]] }[Kind];

/** The cause of a change: `cause` started it, `by` names the operation or timer. */
export interface Cause {
  cause: string;
  by: string;
  /** Name of the advance that moved the clock here, like `advance 6m`. */
  movedBy?: string | undefined;
  /** Holds back the events it causes until the caller has its answer and calls `release`. */
  isHeld?: true;
}

/**
 * The effect of one commit, as whole records after it. Applying it twice equals applying it once,
 * and needs no rule. The members' short names are the journal's format.
 */
export interface Change {
  v: number;
  seq: number;
  /** Simulated epoch milliseconds; never earlier than the record before. */
  at: number;
  /** `req-…`, a timer's id, or another cause. */
  cause: string;
  /** The operation or timer that did it. */
  by: string;
  movedBy?: string | undefined;
  /** The table row that decided the change. */
  row?: string;
  /** Rows among those decided that a tester had set beforehand. */
  set?: string[];
  put?: Put[];
  del?: [Kind, string][];
  post?: [account: string, currency: string, minor: string][];
  emit?: EmittedEvent[];
  clock?: ClockState;
  /** Drops everything before it: a world is opened or reset. */
  opens?: { world: string; seed: string; branch: Branch };
  /** Makes a copied world one of its own: the first change of every fork. */
  forks?: { world: string; branch: Branch; seed?: string };
  /** The id counter after the change. */
  n: number;
  /** Highest `seq` of its group, on all but the last; a group is applied whole or not at all. */
  upTo?: number;
}

/** The beginning of a journal's line, before its JSON. */
export const headOfLine = (checksum: number, byteLength: number) =>
  `${checksum.toString(16).padStart(8, "0")} ${byteLength} `;

/** One line of the journal: checksum, length in bytes, JSON. */
export const encodeChange = (change: Change): string => {
  const json = JSON.stringify(change);
  return `${headOfLine(crc32(json), Buffer.byteLength(json))}${json}\n`;
};

/** Damage in the journal, with its place; nothing was changed. */
export class JournalDamage extends Error {
  override readonly name = "JournalDamage";
  readonly file: string;
  readonly offset: number;
  readonly wholeRecords: number;
  readonly found: string;

  constructor(place: { file: string; offset: number; wholeRecords: number }, problem: string) {
    const { wholeRecords: whole } = place;
    const before = whole === 1 ? "1 change before it is" : `${whole} changes before it are`;
    super(
      `Expected a whole change at byte ${place.offset} of ${place.file} but found ${problem}; ` +
        `${before} intact, nothing changed`,
    );
    this.file = place.file;
    this.offset = place.offset;
    this.wholeRecords = place.wholeRecords;
    this.found = problem;
  }
}

/** State of a format that this version does not read. */
export class OtherFormat extends Error {
  override readonly name = "OtherFormat";
  readonly isNewer: boolean;
  readonly where: string;

  constructor(where: string, version: number) {
    const isNewer = version > FORMAT_VERSION;
    const isUnreleased = version < FORMAT_BEFORE;
    const writer = isUnreleased
      ? "it is from before the first release"
      : `${isNewer ? "a newer" : "an earlier"} version of this program wrote it`;
    super(`Expected format version ${FORMAT_VERSION} but found ${version} in ${where}: ${writer}`);
    this.isNewer = isNewer;
    this.where = where;
  }
}

/** @throws OtherFormat */
export const requireFormat = (version: number, where: string) => {
  if (version !== FORMAT_VERSION) throw new OtherFormat(where, version);
};

const NEWLINE = 0x0a;
const LONGEST_HEADER = 24;
const HEADER = /^([0-9a-f]{8}) ([0-9]{1,12}) /;

const UNFINISHED_HEADER = /^([0-9a-f]{0,8}|[0-9a-f]{8} [0-9]{0,12})$/;

type Parsed =
  | { kind: "record"; change: Change; end: number }
  | { kind: "torn" }
  | { kind: "damaged"; problem: string };

const hasChecksum = (json: Buffer, checksum: string) =>
  crc32(json) === Number.parseInt(checksum, 16);

const parseChange = (json: Buffer): Change | undefined => {
  try {
    const change = JSON.parse(json.toString("utf8"));
    return typeof change === "object" && change !== null ? change : undefined;
  } catch {
    return undefined;
  }
};

/** Reads the end of a file that lacks a newline: an unfinished record, or damage. */
const parseTail = (tail: Buffer): Parsed => {
  const header = HEADER.exec(tail.toString("latin1", 0, LONGEST_HEADER));
  if (!header)
    return UNFINISHED_HEADER.test(tail.toString("latin1"))
      ? { kind: "torn" }
      : { kind: "damaged", problem: "unreadable text" };
  const [text, checksum, length] = header;
  const json = tail.subarray(text.length);
  if (json.length > Number(length)) return { kind: "damaged", problem: "a wrong length" };
  if (json.length === Number(length) && !hasChecksum(json, checksum as string))
    return { kind: "damaged", problem: "a wrong checksum" };
  return { kind: "torn" };
};

const BEGINNING = /^\{"v":([0-9]+),"seq":([0-9]+),/;
const LONGEST_BEGINNING = 48;

/** Reads version and `seq` of a record without parsing it; nothing when its line is incomplete. */
export const peekRecord = (line: Buffer): { v: number; seq: number } | undefined => {
  const [text = "", checksum = "", length] =
    HEADER.exec(line.toString("latin1", 0, LONGEST_HEADER)) ?? [];
  const json = line.subarray(text.length);
  if (json.length !== Number(length) || !hasChecksum(json, checksum)) return undefined;
  const [, v, seq] = BEGINNING.exec(json.toString("latin1", 0, LONGEST_BEGINNING)) ?? [];
  return seq === undefined ? undefined : { v: Number(v), seq: Number(seq) };
};

const parseRecord = (bytes: Buffer, start: number): Parsed => {
  const lineEnd = bytes.indexOf(NEWLINE, start);
  if (lineEnd < 0) return parseTail(bytes.subarray(start));
  const header = HEADER.exec(bytes.toString("latin1", start, start + LONGEST_HEADER));
  if (!header) return { kind: "damaged", problem: "unreadable text" };
  const [text, checksum, length] = header;
  const jsonStart = start + text.length;
  const jsonEnd = jsonStart + Number(length);
  if (jsonEnd !== lineEnd) return { kind: "damaged", problem: "a wrong length" };
  const json = bytes.subarray(jsonStart, jsonEnd);
  if (!hasChecksum(json, checksum as string))
    return { kind: "damaged", problem: "a wrong checksum" };
  const change = parseChange(json);
  return change
    ? { kind: "record", change, end: lineEnd + 1 }
    : { kind: "damaged", problem: "no JSON" };
};

export interface Segment {
  file: string;
  bytes: Buffer;
}

/**
 * Reads one segment record by record; those of a group are applied when its last one is read.
 * @param expects the `seq` that comes next, and how many records were read before
 * @returns how many of its bytes are valid; fewer than its size means an unfinished record or group
 * @throws JournalDamage for any other line that is not a record
 */
export const readSegment = (
  { file, bytes }: Segment,
  expects: { seq: number; isLast: boolean },
  take: (change: Change) => void,
): { wholeBytes: number; nextSeq: number } => {
  let offset = 0;
  let nextSeq = expects.seq;
  let read = { wholeBytes: 0, nextSeq };
  const group: Change[] = [];
  const damage = (problem: string) =>
    new JournalDamage({ file, offset, wholeRecords: read.nextSeq - 1 }, problem);
  while (offset < bytes.length) {
    const parsed = parseRecord(bytes, offset);
    if (parsed.kind === "torn") break;
    if (parsed.kind === "damaged") throw damage(parsed.problem);
    const { change, end } = parsed;
    requireFormat(change.v, file);
    if (change.seq !== nextSeq) throw damage(`change ${change.seq} instead of ${nextSeq}`);
    group.push(change);
    nextSeq += 1;
    offset = end;
    if (change.upTo !== undefined && change.upTo > change.seq) continue;
    for (const one of group.splice(0)) take(one);
    read = { wholeBytes: offset, nextSeq };
  }
  offset = read.wholeBytes;
  if (offset < bytes.length && !expects.isLast) throw damage("the end of the file");
  return read;
};
