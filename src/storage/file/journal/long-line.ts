import { crc32 } from "node:zlib";
import { type Change, headOfLine } from "../../../runtime/change.ts";

/** The lines that are long, and their share of one turn: 5 ms of work on a slow machine. */
export const LONG_LINES = {
  /** Records that a change stores at least. */
  records: 400,
  /** Characters of the line that are made, and written, in one turn. */
  turnCharacters: 512 * 1024,
};

/** Tells a change whose line takes so long to make that it is written over several turns. */
export const isLong = ({ put }: Change) => put !== undefined && put.length >= LONG_LINES.records;

const NO_RECORDS = '"put":[]';

/** The line's text before its records, and after them. */
const frameOf = (change: Change): [before: string, after: string] => {
  const text = JSON.stringify({ ...change, put: [] });
  // Members before it have no members of their own, and quotes within a text are escaped.
  const at = text.indexOf(NO_RECORDS) + NO_RECORDS.length - 1;
  return [text.slice(0, at), text.slice(at)];
};

/**
 * Makes the same line as `encodeChange`, slice by slice, and then gives its pieces one by one. Each
 * step is the work of one turn (decisions/one-write-a-turn.md).
 */
export function* longLine(change: Change): Generator<Buffer | undefined, undefined> {
  const [before, after] = frameOf(change);
  const pieces: Buffer[] = [];
  let checksum = 0;
  let byteLength = 0;
  const keep = (text: string) => {
    const piece = Buffer.from(text);
    checksum = crc32(piece, checksum);
    byteLength += piece.length;
    pieces.push(piece);
  };
  let text = before;
  for (const [at, record] of (change.put ?? []).entries()) {
    text += `${at === 0 ? "" : ","}${JSON.stringify(record)}`;
    if (text.length < LONG_LINES.turnCharacters) continue;
    keep(text);
    text = "";
    yield undefined;
  }
  keep(text + after);
  yield Buffer.from(headOfLine(checksum, byteLength));
  yield* pieces;
  yield Buffer.from("\n");
}
