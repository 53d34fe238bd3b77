import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_VERSION } from "../../../runtime/change.ts";
import type { ClockState } from "../../../runtime/clock.ts";
import { StateDamage } from "../../../runtime/damage.ts";
import type { WorldMeta } from "../../../runtime/world-state.ts";
import { decodeChecked, encodeChecked, foundInPlace } from "../../format/checked-file.ts";
import type { Reach } from "../../port/held-world.ts";

/** A file in the `origin` folder of a line. */
export interface OriginFile {
  /** Path within the folder, with `/`. */
  path: string;
  size: number;
  crc: number;
  /** Last change that counts, in a segment of the journal. */
  upTo?: number;
}

/**
 * Contents of `line.json`: the point that a line or a kept state begins at, and the files that
 * hold it (decisions/timelines.md).
 */
export interface TimelineFile {
  format: number;
  /** Facts at that point; they outrank those in the files. */
  meta: WorldMeta;
  /** The clock as it stood at that point. */
  clock: ClockState | undefined;
  /** Files in the order they are read in. */
  files: OriginFile[];
  /** Characters of the checkpoint among them. */
  size: number;
  records: number;
  /** Hashes of the documents that its records name. */
  documents: string[];
  reach: Reach;
  /** Rises with each kept state of a world. */
  order: number;
}

const LINE_FILE = "line.json";

/** Path of the description of a line. */
export const timelineFileOf = (directory: string) => join(directory, LINE_FILE);

/** Damage to a line or a kept state, none of whose parts has a copy. */
export const timelineDamage = (file: string, found: string) =>
  new StateDamage(
    { part: "line", expected: "the beginning of a line" },
    { file, found, why: "its records count from there" },
  );

export const encodeTimeline = (image: Omit<TimelineFile, "format">): Buffer =>
  encodeChecked("line", { ...image, format: FORMAT_VERSION });

/**
 * The description of a line; nothing when the folder has none.
 * @throws StateDamage, OtherFormat
 */
export const readTimelineFile = (directory: string): TimelineFile | undefined => {
  const file = timelineFileOf(directory);
  const bytes = bytesOf(file);
  if (bytes === undefined) return undefined;
  if (!Buffer.isBuffer(bytes)) throw timelineDamage(file, bytes.found);
  const image = decodeChecked<TimelineFile>("line", bytes);
  if ("found" in image) throw timelineDamage(file, image.found);
  return image.body;
};

const bytesOf = (file: string) => {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : { found: foundInPlace(error) };
  }
};
