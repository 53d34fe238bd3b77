import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type OriginFile, timelineFileOf } from "../timeline/timeline-file.ts";
import { type Folders, linkFile } from "../timeline/timeline-links.ts";
import { originOf } from "../timeline/timeline-origin.ts";
import { convertedImage, convertedSegment } from "./converted-bytes.ts";

type Sum = Pick<OriginFile, "size" | "crc">;

/** A converted file, with its sums before and now. */
interface Written {
  path: string;
  was: Sum;
  now: Sum;
}

/** Converted files by their paths in an `origin` folder. */
type Sums = ReadonlyMap<string, Written>;

/** Segments of a journal, `<lock>-<count>`, and those that a point links, `<n>`. */
const SEGMENT = /^[0-9]{1,15}(-[0-9]{1,15})?$/;
const NOTES: readonly string[] = ["end", "begun"];
const MANIFEST = "manifest.json";

const sumOf = (bytes: Buffer): Sum => ({ size: bytes.length, crc: crc32(bytes) });

/** Names in a folder; none where there is no folder. */
const namesIn = (folder: string): string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];

/** The file behind a name, which others may name too. */
const fileAt = (path: string) => {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev} ${ino}`;
};

/** Writes the files of a state of the format before in this one; the old ones stay as they are. */
export class ConvertedFiles {
  private readonly folders: Folders;
  /** Segments by the files that they were made from, which snapshots and worlds share. */
  private readonly segments = new Map<string, Written>();

  constructor(folders: Folders) {
    this.folders = folders;
  }

  folder(path: string) {
    this.folders.calls.makeFolder(path);
  }

  /** Writes a line: the point that it begins at, its journal and its checkpoints. */
  async line(from: string, to: string) {
    await this.kept(from, to);
    await this.records(from, to);
  }

  /** Writes the journal and the checkpoints of a folder. */
  async records(from: string, to: string) {
    await this.journal(join(from, "journal"), join(to, "journal"));
    await this.checkpoints(join(from, "checkpoint"), join(to, "checkpoint"));
  }

  /** Writes a point that is kept in a folder. */
  async kept(from: string, to: string) {
    this.folders.calls.makeFolder(to);
    const sums = new Map([
      ...(await this.checkpoints(
        join(originOf(from), "checkpoint"),
        join(originOf(to), "checkpoint"),
      )),
      ...(await this.journal(join(originOf(from), "journal"), join(originOf(to), "journal"))),
    ]);
    await this.image(timelineFileOf(from), timelineFileOf(to), (body) => ({
      ...body,
      ...(Array.isArray(body.files) && { files: body.files.map((file) => withSum(file, sums)) }),
    }));
  }

  /** Writes a checked file; nothing where there is none. */
  async image(
    from: string,
    to: string,
    change?: (body: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<Written | undefined> {
    return this.write(from, to, (bytes) => convertedImage(bytes, change));
  }

  /** Links the files of a folder whose bytes are the same in both formats. */
  async linkAll(from: string, to: string) {
    const names = namesIn(from);
    if (names.length > 0) this.folders.calls.makeFolder(to);
    for (const name of names)
      if (statSync(join(from, name)).isFile())
        await linkFile(this.folders, join(from, name), join(to, name));
  }

  private async write(from: string, to: string, convert: (bytes: Buffer) => Buffer) {
    const { calls } = this.folders;
    if (!existsSync(from)) return undefined;
    if (statSync(from).isDirectory()) {
      // Damage that stays what it was.
      calls.makeFolder(to);
      return undefined;
    }
    const bytes = readFileSync(from);
    const converted = convert(bytes);
    await calls.write(to, converted);
    return { path: to, was: sumOf(bytes), now: sumOf(converted) };
  }

  private async journal(from: string, to: string): Promise<Sums> {
    const sums = new Map<string, Written>();
    const names = namesIn(from);
    if (names.length > 0) this.folders.calls.makeFolder(to);
    for (const name of names.filter((one) => SEGMENT.test(one))) {
      const written = await this.segment(join(from, name), join(to, name));
      if (written) sums.set(`journal/${name}`, written);
    }
    for (const name of names.filter((one) => NOTES.includes(one)))
      await this.image(join(from, name), join(to, name));
    return sums;
  }

  private async segment(from: string, to: string): Promise<Written | undefined> {
    const file = fileAt(from);
    const known = this.segments.get(file);
    if (known) {
      await linkFile(this.folders, known.path, to);
      return known;
    }
    const written = await this.write(from, to, convertedSegment);
    if (written) this.segments.set(file, written);
    return written;
  }

  /** The parts of checkpoints are the same in both formats; their manifests are not. */
  private async checkpoints(from: string, to: string): Promise<Sums> {
    const { calls } = this.folders;
    const sums = new Map<string, Written>();
    for (const folder of namesIn(from)) {
      const files = namesIn(join(from, folder));
      if (files.length > 0) calls.makeFolder(join(to, folder));
      for (const name of files) {
        const [old, made] = [join(from, folder, name), join(to, folder, name)];
        if (name === MANIFEST) {
          const written = await this.image(old, made);
          if (written) sums.set(`checkpoint/${folder}/${name}`, written);
        } else if (statSync(old).isDirectory()) calls.makeFolder(made);
        else await linkFile(this.folders, old, made);
      }
    }
    return sums;
  }
}

/** A linked file under its new sums, unless it was damaged before. */
const withSum = (file: OriginFile, sums: Sums): OriginFile => {
  const written = sums.get(file.path);
  const isWhole = written?.was.size === file.size && written.was.crc === file.crc;
  return isWhole ? { ...file, ...written.now } : file;
};
