import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import {
  CAPSULE_VERSION,
  type CapsuleEnd,
  type CapsuleHead,
  type CapsuleLine,
} from "./capsule-lines.ts";
import { misfitOfHead, misfitOfLine } from "./line-shapes.ts";

/** A capsule that was read. */
export interface Capsule {
  head: CapsuleHead;
  lines: CapsuleLine[];
  /** Set when the file ends before the recorder closed it: its last line that is whole. */
  cutAfter?: number;
  /** Calls that were still under way at its end. */
  left?: number;
}

/** Raised when a file is no capsule that this program can repeat; nothing was changed. */
export class UnreadableCapsule extends Error {
  override readonly name: string = "UnreadableCapsule";
}

/** Raised when a line of a capsule is not as it was written (spec/capsules.md#reading). */
export class DamagedCapsule extends UnreadableCapsule {
  override readonly name = "DamagedCapsule";
  /** Counted from 1, the first line of the file. */
  readonly line: number;

  constructor(file: string, line: number, damage: string) {
    super(`line ${line} of the capsule ${file} is damaged: ${damage}`);
    this.line = line;
  }
}

/** Raised when a file ends within its first line: there is nothing to repeat. */
export class EmptyCut extends UnreadableCapsule {
  override readonly name = "EmptyCut";
}

const HEADER = /^([0-9a-f]{8}) ([0-9]{1,12}) /;
/** Longest header of a line, and a beginning of one, as it stands at the end of a cut file. */
const HEADER_BYTES = 22;
const HEADER_BEGUN = /^[0-9a-f]{0,8}$|^[0-9a-f]{8} [0-9]{0,12} ?$/;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** One line of a file: its value, or what is wrong with it. */
type CapsuleRead = { value: object } | { damage: string } | "cut";

/** @param isEnded whether a newline follows: without one the rest of the line may be missing */
const readLine = (bytes: Buffer, isEnded: boolean): CapsuleRead => {
  const begin = bytes.toString("latin1", 0, HEADER_BYTES);
  const [header, checksum = "", length] = HEADER.exec(begin) ?? [];
  if (header === undefined) {
    if (!isEnded && HEADER_BEGUN.test(begin)) return "cut";
    return { damage: "it begins with no checksum and length" };
  }
  const json = bytes.subarray(header.length);
  if (json.length < Number(length) && !isEnded) return "cut";
  if (json.length !== Number(length))
    return { damage: `expected ${Number(length)} bytes but found ${json.length}` };
  const ownChecksum = crc32(json).toString(16).padStart(8, "0");
  if (ownChecksum !== checksum)
    return { damage: `expected the checksum ${checksum} but found ${ownChecksum}` };
  return parsed(json);
};

const parsed = (json: Buffer): CapsuleRead => {
  try {
    const value: unknown = isUtf8(json) ? JSON.parse(json.toString("utf8")) : undefined;
    if (typeof value === "object" && value !== null) return { value };
  } catch {}
  return { damage: "expected an object in JSON but found something else" };
};

/** The lines of a file; an empty last one is the end of the line before. */
function* linesOf(file: Buffer): Generator<{ bytes: Buffer; isEnded: boolean }> {
  for (let from = 0; from < file.length; ) {
    const end = file.indexOf(NEWLINE, from);
    const isEnded = end >= 0;
    const to = isEnded ? end : file.length;
    // A checkout may have put another end of line in place of ours.
    const isLong = isEnded && to > from && file[to - 1] === RETURN;
    yield { bytes: file.subarray(from, isLong ? to - 1 : to), isEnded };
    from = to + 1;
  }
}

const isHead = (value: object): value is CapsuleHead =>
  typeof (value as Partial<CapsuleHead>).capsule === "number";

const headOf = (first: Buffer, isEnded: boolean, file: string): CapsuleHead => {
  const read = readLine(first, isEnded);
  const isBegun = HEADER.test(first.toString("latin1", 0, HEADER_BYTES));
  if (read === "cut" && isBegun)
    throw new EmptyCut(`the capsule ${file} is cut off in its first line`);
  if (read !== "cut" && "damage" in read && isBegun) throw new DamagedCapsule(file, 1, read.damage);
  if (read === "cut" || "damage" in read || !isHead(read.value))
    throw new UnreadableCapsule(`Expected a capsule but found none in ${file}`);
  const { value: head } = read;
  if (head.capsule > CAPSULE_VERSION)
    throw new UnreadableCapsule(
      `Expected a capsule of version ${CAPSULE_VERSION} or older but found version ` +
        `${head.capsule}, written by service-sim ${head.program}, in ${file}`,
    );
  const misfit = misfitOfHead(head);
  if (misfit !== undefined) throw new DamagedCapsule(file, 1, misfit);
  return head;
};

const isEnd = (value: object): value is CapsuleEnd => "end" in value;

/**
 * Reads a capsule. One that was cut off is read up to its last whole line
 * (spec/capsules.md#reading).
 * @throws UnreadableCapsule, or DamagedCapsule or EmptyCut, which are kinds of it
 */
export const readCapsule = (text: string | Buffer, file: string): Capsule => {
  const all = Buffer.from(text);
  const isMarked = all.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const [first, ...rest] = linesOf(isMarked ? all.subarray(BYTE_ORDER_MARK.length) : all);
  if (!first) throw new UnreadableCapsule(`Expected a capsule but found none in ${file}`);
  const head = headOf(first.bytes, first.isEnded, file);
  const lines: CapsuleLine[] = [];
  let end: CapsuleEnd | undefined;
  for (const { bytes, isEnded } of rest) {
    const line = lines.length + 2;
    if (end) throw new DamagedCapsule(file, line + 1, "it stands after the last one");
    const read = readLine(bytes, isEnded);
    if (read === "cut") break;
    const damage = "damage" in read ? read.damage : misfitOfLine(read.value, lines.length);
    if (damage !== undefined) throw new DamagedCapsule(file, line, damage);
    const { value } = read as { value: object };
    if (isEnd(value)) end = value;
    else lines.push(value as CapsuleLine);
  }
  if (!end) return { head, lines, cutAfter: lines.length + 1 };
  const { left = 0 } = end;
  return { head, lines, ...(left > 0 && { left }) };
};

/** The last line of a capsule, in its last bytes; nothing when it was not closed. */
export const endOf = (tail: Buffer): CapsuleEnd | undefined => {
  const last = [...linesOf(tail)].at(-1);
  const read = last && readLine(last.bytes, last.isEnded);
  return read && read !== "cut" && "value" in read && isEnd(read.value) ? read.value : undefined;
};
