import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type FoundFile, foundAt, isSameFile, type JournalFiles } from "../journal/journal-file.ts";
import type { StateFiles } from "../timeline/read-state.ts";
import { timelineFileOf } from "../timeline/timeline-file.ts";
import { pathOfFile } from "../timeline/timeline-origin.ts";
import { pathOfKey } from "./key-files.ts";
import { Rounds } from "./rounds.ts";
import { worldFileOf } from "./world-files.ts";

/** Files of one world that a look takes each second; of more, each comes in its turn. */
const MOST_A_LOOK = 50;

/** Files of a world that a start reads beside those of its timeline. */
const besideLine = (home: string) => [
  pathOfKey(home, "identity"),
  pathOfKey(home, "fixture"),
  worldFileOf(home),
];

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(path) : [path];
      })
    : [];

/** Files of a timeline that a start reads, but for the segment that is being written. */
const filesOfTimeline = ({ directory, origin, journals }: StateFiles, open: string) => [
  timelineFileOf(directory),
  ...(origin?.image.files.map((file) => pathOfFile(origin.directory, file)) ?? []),
  ...filesBelow(join(directory, "checkpoint")),
  ...journals
    .names()
    .filter((name) => name !== open)
    .map((name) => join(journals.path, name)),
];

/**
 * Files that the next start of a world reads, as they stood when they were written or read: one
 * that goes away while the world is in memory would be missing then
 * (decisions/folders-that-go-away.md).
 */
export class StartFiles {
  private readonly beside: readonly string[];
  private readonly files: JournalFiles;
  private readonly known = new Map<string, FoundFile>();
  private readonly writing = new Set<string>();
  private readonly rounds = new Rounds();

  /** @param home the folder of the world */
  constructor(home: string, files: JournalFiles) {
    this.beside = besideLine(home);
    this.files = files;
  }

  /** Takes in files of a timeline that are there and not known yet. */
  add(timeline: StateFiles, open: string) {
    try {
      this.take([...this.beside, ...filesOfTimeline(timeline, open)]);
    } catch {
      // A folder that cannot be listed was removed, which the open segment tells.
    }
  }

  /** Forgets the files of the timeline: another one counts, or the world deletes some. */
  leaveLine() {
    for (const path of this.known.keys()) if (!this.beside.includes(path)) this.known.delete(path);
  }

  forgetAll() {
    this.known.clear();
  }

  /** Does something that writes a file beside the timeline again. */
  async rewriting<Done>(path: string, write: () => Promise<Done>): Promise<Done> {
    const before = this.known.get(path);
    this.known.delete(path);
    this.writing.add(path);
    try {
      return await write();
    } finally {
      this.writing.delete(path);
      this.take([path]);
      if (before && !this.known.has(path)) this.known.set(path, before);
    }
  }

  /** Says which file is not the one that was there; nothing while each of them is. */
  loss({ isWhole = false } = {}): string | undefined {
    this.take(this.beside);
    const all = [...this.known];
    for (const [path, known] of isWhole ? all : this.rounds.next(all, MOST_A_LOOK)) {
      const file = foundAt(this.files, path);
      if (file === undefined) return `${path} was removed`;
      if (file !== "unknown" && !isSameFile(file, known))
        return `${path} was replaced or changed by another program`;
    }
    return undefined;
  }

  private take(paths: readonly string[]) {
    for (const path of paths) {
      if (this.known.has(path) || this.writing.has(path)) continue;
      const file = foundAt(this.files, path);
      // An empty segment has nothing that a start needs, and is deleted with the next one.
      if (file !== undefined && file !== "unknown" && file.size > 0) this.known.set(path, file);
    }
  }
}
