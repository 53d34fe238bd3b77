import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DamagedPoint, RestorePoint } from "../../../runtime/past/restore-points.ts";
import { JournalFailure } from "../../../runtime/ports.ts";
import { placeFolder } from "../timeline/folder-placing.ts";
import type { TimelineFile } from "../timeline/timeline-file.ts";
import { removeFolder, unfinishedIn } from "../timeline/timeline-folders.ts";
import type { Folders } from "../timeline/timeline-links.ts";
import { type KeptOrigin, keptOriginIn, sizeDamage } from "../timeline/timeline-origin.ts";
import { folderNameOf, nameOfFolder } from "./folder-names.ts";
import { snapshotsOf } from "./world-files.ts";

/** A folder with a kept state: `<name>~<n>`, of which the highest `n` counts. */
type PointFolder = readonly [name: string, n: number, directory: string];

const ENTRY = /^(.+)~([1-9][0-9]{0,8})$/;

/** Folders of kept states, those that count last. */
const pointFolders = (snapshots: string): PointFolder[] => {
  if (!existsSync(snapshots)) return [];
  const folders: PointFolder[] = [];
  for (const folder of readdirSync(snapshots)) {
    const [, escaped = "", n = ""] = ENTRY.exec(folder) ?? [];
    const name = nameOfFolder(escaped);
    if (name !== undefined) folders.push([name, Number(n), join(snapshots, folder)]);
  }
  return folders.sort(([, a], [, b]) => a - b);
};

const pointOf = (name: string, { meta, records, clock }: TimelineFile): RestorePoint => ({
  name,
  seq: meta.seq,
  atMs: meta.atMs,
  records,
  clock,
});

/** Fills a folder with a state, as one of those kept so far, or the first. */
export type FillFolder = (folder: string, order: number) => Promise<TimelineFile>;

/** Restore points in the folder of a world. */
export class FolderPoints {
  private readonly root: string;
  private readonly snapshots: string;
  private readonly folders: Folders;
  private readonly kept = new Map<string, KeptOrigin>();
  private readonly unreadable = new Map<string, Error>();

  /** Reads which states are kept. */
  constructor(root: string, world: string, folders: Folders) {
    this.root = root;
    this.snapshots = snapshotsOf(world);
    this.folders = folders;
    for (const [name, , directory] of pointFolders(this.snapshots)) this.note(name, directory);
  }

  /** Kept states, the oldest first, and those that cannot be read, as their sizes tell. */
  list(): { kept: RestorePoint[]; damaged: DamagedPoint[] } {
    const damages = new Map(this.unreadable);
    for (const [name, kept] of this.kept) {
      const damage = sizeDamage(kept);
      if (damage) damages.set(name, damage);
    }
    const kept = [...this.kept]
      .sort(([, a], [, b]) => a.image.order - b.image.order)
      .map(([name, { image }]) => pointOf(name, image));
    return { kept, damaged: [...damages].map(([name, damage]) => ({ name, damage })) };
  }

  /** Forgets kept states whose folders are gone. */
  forgetGone() {
    for (const [name, { directory }] of this.kept)
      if (!existsSync(directory)) this.kept.delete(name);
  }

  /** Files of a kept state. @throws StateDamage */
  find(name: string): KeptOrigin | undefined {
    const kept = this.kept.get(name);
    const damage = this.unreadable.get(name);
    if (!kept && damage) throw damage;
    return kept;
  }

  async save(name: string, fill: FillFolder): Promise<RestorePoint> {
    const { root, snapshots, folders } = this;
    const made = unfinishedIn(root);
    const earlier = pointFolders(snapshots).filter(([one]) => one === name);
    const n = 1 + (earlier.at(-1)?.[1] ?? 0);
    const directory = join(snapshots, `${folderNameOf(name)}~${n}`);
    try {
      const image = await fill(made, this.nextOrder());
      folders.calls.makeFolder(snapshots);
      const above = [snapshots, dirname(snapshots)];
      await placeFolder({ made, directory, above }, folders, () => image);
      this.kept.set(name, { directory, image });
      this.unreadable.delete(name);
      await this.removeEarlier(earlier);
      return pointOf(name, image);
    } catch (error) {
      await folders.calls.remove(made).catch(() => {});
      throw error;
    }
  }

  /** Whether there was one. */
  async remove(name: string): Promise<boolean> {
    const before = this.kept.get(name);
    this.kept.delete(name);
    try {
      const all = pointFolders(this.snapshots).filter(([one]) => one === name);
      // The highest counts, so it goes last: a kill never brings an older state back.
      for (const [, , directory] of all) await removeFolder(this.root, directory, this.folders);
      this.unreadable.delete(name);
      return all.length > 0;
    } catch (error) {
      if (before) this.kept.set(name, before);
      throw error;
    }
  }

  /** The state is kept by now: what cannot be deleted does no harm. */
  private async removeEarlier(earlier: readonly PointFolder[]) {
    const { root, folders } = this;
    for (const [, , directory] of earlier)
      await removeFolder(root, directory, { ...folders, fsync: false }).catch(() => {});
  }

  private nextOrder() {
    return 1 + Math.max(0, ...[...this.kept.values()].map(({ image }) => image.order));
  }

  private note(name: string, directory: string) {
    this.unreadable.delete(name);
    this.kept.delete(name);
    try {
      const kept = keptOriginIn(directory);
      if (!kept) throw new JournalFailure(`no line.json in ${directory}`);
      this.kept.set(name, kept);
    } catch (error) {
      this.unreadable.set(name, error as Error);
    }
  }
}
