import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { defined } from "../../../contract/core/defined.ts";
import { namedFiles } from "../../../domain/customers/document-files.ts";
import type { ClockState } from "../../../runtime/clock.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import type { Reach } from "../../port/held-world.ts";
import { pathOfKey } from "../state/key-files.ts";
import { storeState } from "./checkpoint-files.ts";
import { type Manifest, manifestKey, readManifests } from "./checkpoint-manifest.ts";
import { reachOf } from "./earlier-state.ts";
import type { FolderCalls } from "./folder-calls.ts";
import type { StateFiles } from "./read-state.ts";
import {
  encodeTimeline,
  type OriginFile,
  type TimelineFile,
  timelineFileOf,
} from "./timeline-file.ts";
import { type KeptOrigin, originOf, pathOfFile } from "./timeline-origin.ts";

/** Errors of `link` that mean a file system without it, or a file with too many names. */
const CANNOT_LINK = new Set(["EPERM", "EXDEV", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** A point of a line whose changes are all on disk, with nothing being written to its files. */
export interface TimelinePoint {
  files: StateFiles;
  /** The state at that point, of the caller's own. */
  state: WorldState;
  /** The clock as it stood then. */
  clock: ClockState | undefined;
  /** The segment that later changes go to. */
  openSegment: string;
  /** Folders of checkpoints that cannot be used. */
  damaged: ReadonlySet<string>;
}

/** A file to link, under a name in the `origin` folder. */
interface Source extends OriginFile {
  from: string;
}

/** Facts that the caller of an act knows. */
export interface Details {
  order: number;
  /** The clock to continue with, where it is not that of the state. */
  clock?: ClockState | undefined;
  /** A change after the point that belongs to it, as a line of the journal, and the state then. */
  first?: { line: string; state: WorldState };
  /** Bounds how far back a world may return, when that is less than its files give. */
  reach?: Reach;
}

/** Means to make a folder of a state. */
export interface Folders {
  calls: FolderCalls;
  fsync: boolean;
  /** Throws when the directory may no longer be changed. */
  requireHeld?: () => void;
  /** Tells the operator, once, that files are copied. */
  tellCopies(code: string): void;
}

/** Gives a file a second name, or copies it where there are no links. */
export const linkFile = async (
  { calls, tellCopies }: Pick<Folders, "calls" | "tellCopies">,
  from: string,
  to: string,
) => {
  try {
    calls.link(from, to);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (!CANNOT_LINK.has(code)) throw error;
    tellCopies(code);
    await calls.copy(from, to);
  }
};

/**
 * Links the files of one point into new folders. The file system counts how many folders need a
 * file (decisions/hard-links.md).
 */
export class TimelineLinks {
  private readonly folders: Folders;
  private readonly made = new Set<string>();

  constructor(folders: Folders) {
    this.folders = folders;
  }

  /** Fills a folder with a point of a line. */
  async ofPoint(point: TimelinePoint, folder: string, details: Details): Promise<TimelineFile> {
    const { sources, facts } = await sourcesOf(point);
    return this.fill(folder, sources, {
      ...factsOf(point.state),
      clock: point.clock,
      ...facts,
      ...details,
    });
  }

  /** Fills a folder with the point that another folder keeps, under other facts. */
  async ofKept(
    kept: KeptOrigin,
    folder: string,
    details: Details & Pick<TimelineFile, "meta">,
  ): Promise<TimelineFile> {
    const { directory, image } = kept;
    const sources = image.files.map((file) => ({ ...file, from: pathOfFile(directory, file) }));
    return this.fill(folder, sources, { ...image, ...details });
  }

  /** Fills a folder with a state that no files hold. */
  async ofState(state: WorldState, folder: string, details: Details): Promise<TimelineFile> {
    const origin = originOf(folder);
    this.folders.calls.makeFolder(origin);
    const manifest = await storeState(this.folders.calls.storage(origin), state);
    const files = checkpointFiles({ directory: origin }, manifest);
    const { size } = manifest;
    const { seq, atMs } = state;
    const reach = { seq, atMs };
    return this.describe(folder, files, {
      ...factsOf(state),
      clock: state.clock,
      size,
      reach,
      ...details,
    });
  }

  /** Fills a folder with the beginning of a world that has no change yet. */
  async ofNothing(state: WorldState, folder: string): Promise<TimelineFile> {
    this.folders.calls.makeFolder(folder);
    const reach = { seq: 0, atMs: 0 };
    const facts = { ...factsOf(state), clock: undefined, size: 0, reach, order: 0 };
    return this.describe(folder, [], facts);
  }

  private async fill(
    folder: string,
    sources: readonly Source[],
    facts: Omit<TimelineFile, "files" | "format"> & Pick<Details, "first">,
  ) {
    this.folders.calls.makeFolder(originOf(folder));
    for (const source of sources) await this.link(source, folder);
    const files = sources.map(({ from: _from, ...file }) => file);
    return this.describe(folder, files, facts);
  }

  private async link({ from, ...file }: Source, folder: string) {
    const { calls } = this.folders;
    const to = pathOfFile(folder, file);
    if (!this.made.has(dirname(to))) calls.makeFolder(dirname(to));
    this.made.add(dirname(to));
    await linkFile(this.folders, from, to);
  }

  private async writeFirst(folder: string, first: NonNullable<Details["first"]>, at: number) {
    const { calls } = this.folders;
    const bytes = Buffer.from(first.line);
    const sum = { size: bytes.length, crc: crc32(bytes) };
    const file = { path: `journal/${at}`, ...sum, upTo: first.state.seq };
    const path = pathOfFile(folder, file);
    calls.makeFolder(dirname(path));
    await calls.write(path, bytes);
    return file;
  }

  /** Writes the description, which is last: a folder without it is unfinished. */
  private async describe(
    folder: string,
    files: readonly OriginFile[],
    { first, ...facts }: Omit<TimelineFile, "files" | "format"> & Pick<Details, "first">,
  ): Promise<TimelineFile> {
    const { calls, fsync } = this.folders;
    const added = first ? [await this.writeFirst(folder, first, files.length)] : [];
    const later = first && factsOf(first.state);
    const image = { ...facts, ...later, files: [...files, ...added] };
    await calls.write(timelineFileOf(folder), encodeTimeline(image));
    if (fsync) for (const path of namesIn(folder, image.files)) await calls.syncName(path);
    return { format: 0, ...image };
  }
}

/** One path in each folder that holds new names. */
const namesIn = (folder: string, files: readonly OriginFile[]) => {
  const byFolder = new Map<string, string>([[folder, timelineFileOf(folder)]]);
  for (const file of files)
    for (let path = pathOfFile(folder, file); path !== originOf(folder); path = dirname(path))
      byFolder.set(dirname(path), path);
  return byFolder.values();
};

const factsOf = (state: WorldState) => ({
  meta: state.meta(),
  records: state.recordCount(),
  documents: namedFiles(state),
});

/** Files that hold a point: a whole checkpoint, if there is one, and the journal after it. */
const sourcesOf = async ({ files, state, openSegment, damaged }: TimelinePoint) => {
  const { directory, storage, journals, origin } = files;
  const { seq } = state;
  const { manifests } = await readManifests(storage);
  const manifest = manifests.findLast(({ folder, to }) => to <= seq && !damaged.has(folder));
  const sources: Source[] = [];
  if (manifest)
    for (const file of checkpointFiles({ directory }, manifest))
      sources.push({ ...file, from: join(directory, ...file.path.split("/")) });
  else if (origin)
    for (const file of origin.image.files)
      sources.push({
        ...file,
        ...(file.upTo !== undefined && { upTo: Math.min(file.upTo, seq) }),
        from: pathOfFile(origin.directory, file),
      });
  const after = manifest?.from ?? origin?.image.meta.seq ?? 0;
  const range = { open: openSegment, upTo: seq, ...defined({ segment: manifest?.segment }) };
  for (const name of journals.closedAfter(after, range)) {
    const sum = await journals.sumOf(name);
    const path = `journal/${sources.length}`;
    sources.push({ path, ...sum, upTo: seq, from: join(journals.path, name) });
  }
  const size = manifest?.size ?? origin?.image.size ?? 0;
  const reach = manifest
    ? { seq: manifest.to, atMs: manifest.toAtMs ?? manifest.meta.atMs }
    : await reachOf(files);
  return { sources, facts: { size, reach } };
};

/** Files of a checkpoint below a folder, with the sums that its own description gives. */
const checkpointFiles = (
  { directory }: { directory: string },
  { folder, chunks }: Manifest,
): OriginFile[] => {
  const pathOf = (key: string) => {
    const path = pathOfKey(directory, key);
    return `checkpoint/${basename(dirname(path))}/${basename(path)}`;
  };
  const files: OriginFile[] = [];
  // Dozens of small questions: each would wait for its turn if it were asked asynchronously.
  for (const { key, crc } of chunks) {
    const { size } = statSync(pathOfKey(directory, key));
    files.push({ path: pathOf(key), size, crc });
  }
  const key = manifestKey(folder);
  const bytes = readFileSync(pathOfKey(directory, key));
  files.push({ path: pathOf(key), size: bytes.length, crc: crc32(bytes) });
  return files;
};
