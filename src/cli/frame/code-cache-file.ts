import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { makeFolders } from "../../machine/make-folders.ts";
import { removeQuietly } from "../../machine/remove-quietly.ts";

/** Compiled code of one file of the program. */
export interface CachedCode {
  /** Checksum of the source that was compiled. */
  source: number;
  /** V8's data. */
  data: Buffer;
}

const CHECKSUM_BYTES = 4;
const LENGTH_BYTES = 4;

interface IndexRow {
  name: string;
  source: number;
  length: number;
}

/**
 * One buffer: a checksum of all that follows it, the length of the index, the index, all data. V8
 * runs damaged data without a look, so that the checksum is the only check.
 */
export const encodeCode = (entries: ReadonlyMap<string, CachedCode>): Buffer => {
  const rows: IndexRow[] = [...entries].map(([name, { source, data }]) => ({
    name,
    source,
    length: data.length,
  }));
  const index = Buffer.from(JSON.stringify(rows));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(index.length);
  const rest = Buffer.concat([length, index, ...[...entries.values()].map(({ data }) => data)]);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(rest));
  return Buffer.concat([checksum, rest]);
};

/** @returns nothing when a byte is not as it was written */
export const decodeCode = (bytes: Buffer): Map<string, CachedCode> | undefined => {
  const rest = bytes.subarray(CHECKSUM_BYTES);
  if (bytes.readUInt32LE() !== crc32(rest)) return undefined;
  const indexEnd = LENGTH_BYTES + rest.readUInt32LE();
  const rows: IndexRow[] = JSON.parse(rest.subarray(LENGTH_BYTES, indexEnd).toString());
  let from = indexEnd;
  const entries = rows.map(({ name, source, length }): [string, CachedCode] => {
    const data = rest.subarray(from, from + length);
    from += length;
    return [name, { source, data }];
  });
  return new Map(entries);
};

const ownUid = () => process.getuid?.();

/** Cached code is code: a folder or file that another user could write to is not used. */
const isOurs = ({ uid, mode }: { uid: number; mode: number }) => {
  const own = ownUid();
  return own === undefined || (uid === own && (mode & 0o022) === 0);
};

const isOurFolder = (folder: string) => {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOurs(stats);
};

/** @returns nothing when there is no file that can be trusted */
export const readCode = (file: string): Map<string, CachedCode> | undefined => {
  let fd: number | undefined;
  try {
    if (!isOurFolder(dirname(file))) return undefined;
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(fd);
    return stats.isFile() && isOurs(stats) ? decodeCode(readFileSync(fd)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};

/**
 * Code beside the program: whoever can write there can write the program itself.
 * @returns nothing when there is none, or a byte is not as it was written
 */
export const readBuiltCode = (file: string): Map<string, CachedCode> | undefined => {
  try {
    return decodeCode(readFileSync(file));
  } catch {
    return undefined;
  }
};

/** Bytes of compiled code that a user keeps. */
export const MAX_FOLDER_BYTES = 64 * 1024 * 1024;

/** Removes the oldest files: those of programs that are gone are never looked at again. */
export const keepNewest = (folder: string, maxBytes = MAX_FOLDER_BYTES) => {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ file: join(folder, name), ...writtenAs(join(folder, name)) }));
  let bytes = 0;
  for (const { file, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (bytes > maxBytes) rmSync(file, { force: true });
  }
};

const writtenAs = (file: string) => {
  const { mtimeMs, size } = statSync(file);
  return { mtimeMs, size };
};

/** A name that no other process writes at the same time, containers that share a folder included. */
const besideOf = (file: string) => `${file}.${process.pid}-${process.hrtime.bigint()}.tmp`;

/**
 * Makes a folder for code of this user, if there is none.
 * @returns false when no code may be kept there
 */
export const hasCodeFolder = (folder: string): boolean => {
  try {
    // A home that belongs to another user, as with sudo, gets no folder that its owner cannot use.
    makeFolders(dirname(folder));
    if (!isOurs({ ...statSync(dirname(folder)), mode: 0 })) return false;
    makeFolders(folder);
    return isOurFolder(folder);
  } catch {
    return false;
  }
};

/**
 * Writes the file whole or not at all; a failure only leaves the next run without it.
 * @returns false when this folder takes no code, so that nobody tries again
 */
export const writeCode = (file: string, entries: ReadonlyMap<string, CachedCode>): boolean => {
  const folder = dirname(file);
  if (!hasCodeFolder(folder)) return false;
  const beside = besideOf(file);
  try {
    writeFileSync(beside, encodeCode(entries), { mode: 0o600, flag: "wx" });
    renameSync(beside, file);
    keepNewest(folder);
    return true;
  } catch {
    removeQuietly(beside);
    return false;
  }
};
