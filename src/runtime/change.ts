import { crc32 } from "node:zlib";
import type { EmittedEvent } from "../domain/core/draft.ts";
import type { Kind, Records } from "../domain/records/records.ts";
import type { ClockState } from "./clock.ts";

/**
 * Version of the record format; a newer one is refused by name. Records of 3 are those of 2: the
 * number says that the files beside the journal carry checksums.
 */
export const FORMAT_VERSION = 3;
/** From this version on a record proves that every image beside the journal has a checksum. */
export const SEALED_SINCE = 3;

type Put = { [K in Kind]: [K, Records[K]] }[Kind];

/** Who asks for a change: `cause` starts it, `by` names the operation or timer. */
export interface Cause {
  cause: string;
  by: string;
  /** What moved the clock so far that it came to this: `advance 6m`. */
  movedBy?: string | undefined;
  /** What it set off waits until its caller has its answer and lets it go with `release`. */
  isHeld?: true;
}

/**
 * What one commit did: whole after-images, so that applying it twice is the same as once and
 * needs no rule. The members' short names are the journal's format.
 */
export interface Change {
  v: number;
  seq: number;
  /** Simulated epoch milliseconds; never below that of the record before. */
  at: number;
  /** `req-…`, a timer's id, or what else started it. */
  cause: string;
  /** The operation or timer that did it. */
  by: string;
  movedBy?: string | undefined;
  /** The table row that decided it. */
  row?: string;
  put?: Put[];
  del?: [Kind, string][];
  post?: [account: string, currency: string, minor: string][];
  emit?: EmittedEvent[];
  clock?: ClockState;
  /** Everything before is dropped: a world is opened, or reset. */
  opens?: { world: string; seed: string; branch: number };
  /** The id counter after it. */
  n: number;
  /** Highest `seq` of the group it stands or falls with, while there is more of it to come. */
  upTo?: number;
}

/** One line of the journal: checksum, length in bytes, JSON. */
export const encodeChange = (change: Change): string => {
  const json = JSON.stringify(change);
  const checksum = crc32(json).toString(16).padStart(8, "0");
  return `${checksum} ${Buffer.byteLength(json)} ${json}\n`;
};

/** The journal cannot be read at a place: nothing is changed, and the place is named. */
export class JournalDamage extends Error {
  override readonly name = "JournalDamage";
  readonly file: string;
  readonly offset: number;
  readonly wholeRecords: number;
  readonly found: string;

  constructor(place: { file: string; offset: number; wholeRecords: number }, found: string) {
    super(
      `Expected a whole record at byte ${place.offset} of ${place.file} but found ${found}; ` +
        `${place.wholeRecords} records before it are whole, nothing changed`,
    );
    this.file = place.file;
    this.offset = place.offset;
    this.wholeRecords = place.wholeRecords;
    this.found = found;
  }
}

/** State that a newer version of this program wrote. */
export class NewerFormat extends Error {
  override readonly name = "NewerFormat";

  constructor(where: string, found: number) {
    super(`Expected format version ${FORMAT_VERSION} or older but found ${found} in ${where}`);
  }
}

const NEWLINE = 0x0a;
const LONGEST_HEADER = 24;
const HEADER = /^([0-9a-f]{8}) ([0-9]{1,12}) /;

const UNFINISHED_HEADER = /^([0-9a-f]{0,8}|[0-9a-f]{8} [0-9]{0,12})$/;

type Parsed =
  | { kind: "record"; change: Change; end: number }
  | { kind: "torn" }
  | { kind: "damaged"; found: string };

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

/** The end of a file, where no line ends: a strict prefix of a record, or damage. */
const parseTail = (tail: Buffer): Parsed => {
  const header = HEADER.exec(tail.toString("latin1", 0, LONGEST_HEADER));
  if (!header)
    return UNFINISHED_HEADER.test(tail.toString("latin1"))
      ? { kind: "torn" }
      : { kind: "damaged", found: "no record" };
  const [text, checksum, length] = header;
  const json = tail.subarray(text.length);
  if (json.length > Number(length)) return { kind: "damaged", found: "a wrong length" };
  if (json.length === Number(length) && !hasChecksum(json, checksum as string))
    return { kind: "damaged", found: "a wrong checksum" };
  return { kind: "torn" };
};

const BEGINNING = /^\{"v":([0-9]+),"seq":([0-9]+),/;
const LONGEST_BEGINNING = 48;

/** Version and `seq` of a record without parsing it; nothing when its line is not whole. */
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
  if (!header) return { kind: "damaged", found: "no record" };
  const [text, checksum, length] = header;
  const jsonStart = start + text.length;
  const jsonEnd = jsonStart + Number(length);
  if (jsonEnd !== lineEnd) return { kind: "damaged", found: "a wrong length" };
  const json = bytes.subarray(jsonStart, jsonEnd);
  if (!hasChecksum(json, checksum as string)) return { kind: "damaged", found: "a wrong checksum" };
  const change = parseChange(json);
  return change
    ? { kind: "record", change, end: lineEnd + 1 }
    : { kind: "damaged", found: "no JSON" };
};

export interface Segment {
  file: string;
  bytes: Buffer;
}

/**
 * Reads one segment record by record; those of a group are taken when its last one is there.
 * @param expects the `seq` that comes next, and how many records were read before
 * @returns how many bytes of it count; fewer than it has means a torn record or group at its end
 * @throws JournalDamage for anything else that is no record
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
  const damage = (found: string) =>
    new JournalDamage({ file, offset, wholeRecords: read.nextSeq - 1 }, found);
  while (offset < bytes.length) {
    const parsed = parseRecord(bytes, offset);
    if (parsed.kind === "torn") break;
    if (parsed.kind === "damaged") throw damage(parsed.found);
    const { change, end } = parsed;
    if (change.v > FORMAT_VERSION) throw new NewerFormat(file, change.v);
    if (change.seq !== nextSeq) throw damage(`record ${change.seq} in place of ${nextSeq}`);
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
