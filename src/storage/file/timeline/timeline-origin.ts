import { existsSync, statSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Change, peekRecord, readSegment } from "../../../runtime/change.ts";
import type { StateDamage } from "../../../runtime/damage.ts";
import type { PastPoint } from "../../../runtime/past/restore-points.ts";
import { UntilPoint } from "../../../runtime/past/until-point.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { foundInPlace } from "../../format/checked-file.ts";
import { keyFiles, pathOfKey } from "../state/key-files.ts";
import { readCheckpoint } from "./checkpoint-files.ts";
import {
  type OriginFile,
  readTimelineFile,
  type TimelineFile,
  timelineDamage,
} from "./timeline-file.ts";

/** A point that was kept in a folder: a line's beginning or a snapshot. */
export interface KeptOrigin {
  /** Folder with `line.json` and `origin`. */
  directory: string;
  image: TimelineFile;
}

const ORIGIN = "origin";

export const originOf = (directory: string) => join(directory, ORIGIN);

/** Path of a linked file. */
export const pathOfFile = (directory: string, { path }: OriginFile) =>
  join(originOf(directory), ...path.split("/"));

/**
 * The point kept in a folder; nothing when the folder has none.
 * @throws StateDamage
 */
export const keptOriginIn = (directory: string): KeptOrigin | undefined => {
  const image = readTimelineFile(directory);
  return image && { directory, image };
};

/** Bytes of a linked file that is read whole, checked against its size and checksum. */
const bytesOf = async (directory: string, file: OriginFile) => {
  const path = pathOfFile(directory, file);
  const bytes = await readFile(path).catch((error) => {
    throw timelineDamage(path, foundInPlace(error));
  });
  if (bytes.length !== file.size) throw timelineDamage(path, "a wrong length");
  if (crc32(bytes) !== file.crc) throw timelineDamage(path, "a wrong checksum");
  return bytes;
};

/** Damage that the sizes of a restore point's files tell, without reading them. */
export const sizeDamage = ({ directory, image }: KeptOrigin): StateDamage | undefined => {
  for (const file of image.files) {
    const path = pathOfFile(directory, file);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size !== file.size)
      return timelineDamage(path, size === undefined ? "no file" : "a wrong length");
  }
  return undefined;
};

/**
 * Checks the size of a checkpoint's file; its bytes are checked against the checkpoint's own sum.
 */
const requireSize = async (directory: string, file: OriginFile) => {
  const path = pathOfFile(directory, file);
  const { size } = await stat(path).catch((error) => {
    throw timelineDamage(path, foundInPlace(error));
  });
  if (size !== file.size) throw timelineDamage(path, "a wrong length");
};

/**
 * Reads a restore point: the checkpoint among its files, then the journal up to the point. Nothing
 * is ever written there.
 * @param until an earlier point to stop at
 * @returns the state, and whether it is that of the restore point
 * @throws StateDamage, OtherFormat, JournalDamage
 */
export const readOrigin = async (
  { directory, image }: KeptOrigin,
  until: PastPoint = { seq: image.meta.seq },
): Promise<{ state: WorldState; isEnd: boolean }> => {
  const segments = image.files.filter(({ upTo }) => upTo !== undefined);
  const others = image.files.filter(({ upTo }) => upTo === undefined);
  for (const file of others) await requireSize(directory, file);
  const storage = keyFiles(originOf(directory));
  const { state, manifest, passedOver } = await readCheckpoint(storage);
  const [unusable] = passedOver;
  if (unusable) throw timelineDamage(pathOfKey(originOf(directory), unusable.key), unusable.found);
  if (!manifest && others.length > 0) throw timelineDamage(originOf(directory), "no checkpoint");
  const point = new UntilPoint(state, until);
  let whole = state.seq;
  for (const file of segments) {
    const segment = { file: pathOfFile(directory, file), bytes: await bytesOf(directory, file) };
    whole = redo(segment, { whole, upTo: file.upTo ?? 0 }, (change) => point.take(change));
  }
  if (whole !== image.meta.seq) throw timelineDamage(originOf(directory), `changes up to ${whole}`);
  const isEnd = state.seq === image.meta.seq;
  if (isEnd) state.loadMeta(image.meta);
  return { state, isEnd };
};

/** Reads the changes in the segments of a restore point, up to the point. */
export const readOriginChanges = async (
  { directory, image }: KeptOrigin,
  take: (change: Change) => void,
): Promise<void> => {
  let whole: number | undefined;
  for (const file of image.files) {
    if (file.upTo === undefined) continue;
    const segment = { file: pathOfFile(directory, file), bytes: await bytesOf(directory, file) };
    whole ??= (firstSeqOf(segment.bytes) ?? 1) - 1;
    whole = redo(segment, { whole, upTo: file.upTo }, take);
  }
};

const NEWLINE = 0x0a;

const firstSeqOf = (bytes: Buffer) => {
  const end = bytes.indexOf(NEWLINE);
  return end < 0 ? undefined : peekRecord(bytes.subarray(0, end))?.seq;
};

/**
 * Reads the changes of a segment that count.
 * @returns the last of them
 */
const redo = (
  segment: { file: string; bytes: Buffer },
  { whole, upTo }: { whole: number; upTo: number },
  take: (change: Change) => void,
): number => {
  const first = firstSeqOf(segment.bytes);
  if (first !== undefined && first > upTo) return whole;
  const seq = Math.min(first ?? whole + 1, whole + 1);
  const { nextSeq } = readSegment(segment, { seq, isLast: true }, (change) => {
    if (change.seq > whole && change.seq <= upTo) take(change);
  });
  return Math.max(whole, Math.min(nextSeq - 1, upTo));
};

/** Whether a folder still has the files of its restore point. */
export const hasOrigin = ({ directory }: KeptOrigin) => existsSync(originOf(directory));

/** Segments that a start reads before the journal of the line itself. */
export const segmentsOf = ({ origin }: { origin?: KeptOrigin }) =>
  origin?.image.files.filter(({ upTo }) => upTo !== undefined).length ?? 0;

/** Deletes the files that a line began with: two checkpoints of its own stand in for them. */
export const dropOrigin = async ({ origin }: { origin?: KeptOrigin }) => {
  if (origin) await rm(originOf(origin.directory), { recursive: true, force: true });
};
