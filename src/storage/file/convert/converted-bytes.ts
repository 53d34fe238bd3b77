import { crc32 } from "node:zlib";
import { FORMAT_BEFORE, FORMAT_VERSION, headOfLine, peekRecord } from "../../../runtime/change.ts";
import { type CheckedKind, checkedFileOf, wholeImageOf } from "../../format/checked-file.ts";

const NEWLINE = 0x0a;
/** The beginning of a record, before its version, which has one digit in both formats. */
const BEFORE_VERSION = '{"v":';

/**
 * A segment of the format before in this one; each record keeps its length. What is no whole record
 * stays as it is, so that damage and a torn tail stay what they were.
 */
export const convertedSegment = (bytes: Buffer): Buffer => {
  const converted = Buffer.from(bytes);
  for (let start = 0; ; ) {
    const end = converted.indexOf(NEWLINE, start);
    if (end < 0) return converted;
    convertLine(converted.subarray(start, end));
    start = end + 1;
  }
};

const convertLine = (line: Buffer) => {
  if (peekRecord(line)?.v !== FORMAT_BEFORE) return;
  const json = line.subarray(line.indexOf("{"));
  json.write(String(FORMAT_VERSION), BEFORE_VERSION.length);
  line.write(headOfLine(crc32(json), json.length));
};

/** Kinds of files that name their format a second time, as a member. */
const WITH_FORMAT: ReadonlySet<string> = new Set<CheckedKind>(["manifest", "line", "world"]);

/**
 * A checked file of the format before in this one; any other file stays as it is.
 * @param change makes the members of a body that names its format
 */
export const convertedImage = (
  bytes: Buffer,
  change: (body: Record<string, unknown>) => Record<string, unknown> = (body) => body,
): Buffer => {
  const image = wholeImageOf(bytes);
  if ("found" in image || image.version !== FORMAT_BEFORE) return bytes;
  const { kind, json } = image;
  if (!WITH_FORMAT.has(kind)) return checkedFileOf(kind as CheckedKind, json);
  const body = change({ ...JSON.parse(json.toString("utf8")), format: FORMAT_VERSION });
  return checkedFileOf(kind as CheckedKind, Buffer.from(JSON.stringify(body)));
};
