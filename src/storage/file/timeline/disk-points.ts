import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Change } from "../../../runtime/change.ts";
import { isDamage } from "../../../runtime/damage.ts";
import type {
  DamagedPoint,
  PastPoint,
  RestorePoint,
  RestorePoints,
} from "../../../runtime/past/restore-points.ts";
import { JournalFailure } from "../../../runtime/ports.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import type { DurableWorld } from "../state/durable-world.ts";
import { folderNameOf, nameOfFolder } from "../state/folder-names.ts";
import { changesIn, earlierIn, reachOf } from "./earlier-state.ts";
import { placeFolder } from "./folder-placing.ts";
import type { StateFiles } from "./read-state.ts";
import type { TimelineFile } from "./timeline-file.ts";
import {
  openTimeline,
  removeFolder,
  removeOldTimelines,
  timelineFolder,
  timelineNumberOf,
  unfinishedIn,
  type WorldFolder,
} from "./timeline-folders.ts";
import {
  asFailure,
  type Details,
  type Folders,
  TimelineLinks,
  type TimelinePoint,
} from "./timeline-links.ts";
import { type KeptOrigin, keptOriginIn, readOrigin, sizeDamage } from "./timeline-origin.ts";

/** Places of a world and its kept states. */
export interface PointPlace {
  /** The state directory, which unfinished folders are made in. */
  root: string;
  folder: WorldFolder;
  /** Folder of the world's kept states. */
  snapshots: string;
  folders: Folders;
  /** Keeps documents from being deleted until the returned function is called. */
  holdFiles(): Promise<() => void>;
}

/** A kept state: `<name>~<n>`, of which the highest `n` counts. */
interface Entry {
  n: number;
  directory: string;
  image: TimelineFile;
}

const ENTRY = /^(.+)~([1-9][0-9]{0,8})$/;

/** Files that a state given to a caller was read from. */
type Source = { kept: KeptOrigin } | { files: StateFiles };

const pointOf = (name: string, { image: { meta, records, clock } }: Entry): RestorePoint => ({
  name,
  seq: meta.seq,
  atMs: meta.atMs,
  records,
  clock,
});

/** States of a world on file storage that it can return to (decisions/timelines.md). */
export class DiskPoints implements RestorePoints {
  private readonly world: DurableWorld;
  private readonly place: PointPlace;
  private readonly entries = new Map<string, Entry>();
  /** Kept states that cannot be read, with their damage. */
  private readonly unreadable = new Map<string, Error>();
  /** Files that the caller's states were read from, to be linked in place of written. */
  private readonly sources = new WeakMap<WorldState, Source>();

  /**
   * Reads which states are kept.
   * @param folders those of the kept states, which are listed before a world is open: what fails
   * after that leaves an engine that continues
   */
  constructor(world: DurableWorld, place: PointPlace, folders: readonly PointFolder[]) {
    this.world = world;
    this.place = place;
    for (const [name, n, directory] of folders) this.note(name, n, directory);
  }

  list(): readonly RestorePoint[] {
    return [...this.entries]
      .sort(([, a], [, b]) => a.image.order - b.image.order)
      .map(([name, entry]) => pointOf(name, entry));
  }

  damaged(): readonly DamagedPoint[] {
    const cut = [...this.entries].flatMap(([name, entry]): [string, Error][] => {
      const damage = sizeDamage(entry);
      return damage ? [[name, damage]] : [];
    });
    return [...new Map([...cut, ...this.unreadable])].map(([name, damage]) => ({ name, damage }));
  }

  save(name: string): Promise<RestorePoint> {
    return this.keep(name, (links, point, folder) =>
      links.ofPoint(point, folder, { order: this.nextOrder() }),
    );
  }

  put(name: string, state: WorldState): Promise<RestorePoint> {
    return this.keep(name, (links, _point, folder) =>
      links.ofState(state, folder, { order: this.nextOrder() }),
    );
  }

  async load(name: string): Promise<WorldState | undefined> {
    const entry = this.entries.get(name);
    const damage = this.unreadable.get(name);
    if (!entry && damage) throw damage;
    if (!entry) return undefined;
    try {
      const { state } = await readOrigin(entry);
      this.unreadable.delete(name);
      this.sources.set(state, { kept: entry });
      return state;
    } catch (error) {
      if (this.world.isClosed) throw new JournalFailure("the world is closed");
      // Its files went while they were read: it was replaced or removed.
      if (this.entries.get(name) !== entry) return this.load(name);
      if (isDamage(error)) this.unreadable.set(name, error);
      throw error;
    }
  }

  async remove(name: string): Promise<boolean> {
    const { root, folders } = this.place;
    let entry: Entry | undefined;
    const removed = await this.world
      .alone(async () => {
        entry = this.entries.get(name);
        // Before its files, so that nobody takes it for damaged meanwhile.
        this.entries.delete(name);
        const all = pointFolders(this.place.snapshots).filter(([pointName]) => pointName === name);
        // The highest counts, so it goes last: a kill never brings an older state back.
        for (const [, , directory] of all) await removeFolder(root, directory, folders);
        return all.length > 0;
      })
      .catch((error) => {
        if (entry) this.entries.set(name, entry);
        throw asFailure(error);
      });
    this.unreadable.delete(name);
    return removed;
  }

  async earlier(point: PastPoint): Promise<WorldState | undefined> {
    return this.world.atPoint(async ({ files }) => {
      const state = await earlierIn(files, point);
      if (state) this.sources.set(state, { files });
      return state;
    });
  }

  changes(range: { after: number; upTo: number }): Promise<readonly Change[]> {
    return this.world.atPoint(({ files }) => changesIn(files, range));
  }

  earliest(): { seq: number; atMs: number } | undefined {
    return this.world.reach;
  }

  /** Forgets kept states whose folders are gone: the world's own was lost, and made again. */
  forgetGone() {
    for (const [name, { directory }] of this.entries)
      if (!existsSync(directory)) this.entries.delete(name);
  }

  async switchTo(state: WorldState, { isOwnPast = false } = {}): Promise<void> {
    const { root, folder, folders } = this.place;
    await this.world.switchTo(state, async (point) => {
      const made = unfinishedIn(root);
      // A rewind goes back no further than a load (spec/snapshots.md#horizon).
      const reach = isOwnPast ? {} : { reach: { seq: state.seq, atMs: state.atMs } };
      const details = { order: 0, ...reach };
      await this.making(made, () =>
        this.fill(state, { ...point, isOwnPast }, { folder: made, details }),
      );
      const number = timelineNumberOf(folder) + 1;
      const directory = timelineFolder(folder, number);
      const open = () => openTimeline(folder, folders);
      return this.making(made, () => placeFolder({ made, directory }, folders, open));
    });
    await this.removeOldTimelines();
  }

  /**
   * Deletes the timelines that the world has left; what cannot be deleted is left to the next
   * start.
   */
  removeOldTimelines(): Promise<void> {
    const { root, folder, folders } = this.place;
    return this.world.alone(() => removeOldTimelines(root, folder, folders.calls).catch(() => {}));
  }

  /** Fills the folder of a new timeline: with links if files hold the state. */
  async fill(
    state: WorldState,
    point: TimelinePoint & { isOwnPast: boolean },
    { folder, details }: { folder: string; details: Details },
  ): Promise<TimelineFile> {
    const links = new TimelineLinks(this.place.folders);
    const source = this.sources.get(state);
    if (source && "kept" in source && isStillOf(source.kept, state))
      return links.ofKept(source.kept, folder, { meta: state.meta(), ...details });
    const isOnTimeline =
      point.isOwnPast || (source && "files" in source && source.files === point.files);
    if (isOnTimeline && (await reachOf(point.files)).seq <= state.seq)
      return links.ofPoint({ ...point, state }, folder, details);
    return links.ofState(state, folder, details);
  }

  /** A state of the caller's own that equals the one in a folder. */
  async stateIn(directory: string): Promise<WorldState> {
    const kept = keptOriginIn(directory);
    if (!kept) throw new JournalFailure(`no line.json in ${directory}`);
    const { state } = await readOrigin(kept).catch((error) => {
      // A removal of the world takes its folder away while it is read.
      throw existsSync(directory) ? error : new JournalFailure(`${directory} was removed`);
    });
    this.sources.set(state, { kept });
    return state;
  }

  private async keep(
    name: string,
    fill: (links: TimelineLinks, point: TimelinePoint, folder: string) => Promise<TimelineFile>,
  ): Promise<RestorePoint> {
    const { root, snapshots, folders } = this.place;
    return this.holding(async (point) => {
      const made = unfinishedIn(root);
      const earlier = pointFolders(snapshots).filter(([one]) => one === name);
      const n = 1 + (earlier.at(-1)?.[1] ?? 0);
      const directory = join(snapshots, `${folderNameOf(name)}~${n}`);
      const image = await this.making(made, async () => {
        const filled = await fill(new TimelineLinks(folders), point, made);
        folders.calls.makeFolder(snapshots);
        const above = [snapshots, dirname(snapshots)];
        return placeFolder({ made, directory, above }, folders, () => filled);
      });
      const entry = { n, directory, image };
      this.entries.set(name, entry);
      this.unreadable.delete(name);
      await this.removeEarlier(earlier);
      return pointOf(name, entry);
    });
  }

  /** The documents of a point stay until its folder names them. */
  private async holding<Done>(work: (point: TimelinePoint) => Promise<Done>): Promise<Done> {
    const release = await this.place.holdFiles();
    try {
      return await this.world.atPoint(work);
    } finally {
      release();
    }
  }

  /** The state is kept by now: what cannot be deleted does no harm. */
  private async removeEarlier(earlier: readonly PointFolder[]) {
    const { root, folders } = this.place;
    for (const [, , directory] of earlier)
      await removeFolder(root, directory, { ...folders, fsync: false }).catch(() => {});
  }

  private async making<Done>(made: string, work: () => Promise<Done>): Promise<Done> {
    try {
      return await work();
    } catch (error) {
      await this.place.folders.calls.remove(made).catch(() => {});
      throw error;
    }
  }

  private nextOrder() {
    return 1 + Math.max(0, ...[...this.entries.values()].map(({ image }) => image.order));
  }

  private note(name: string, n: number, directory: string) {
    this.unreadable.delete(name);
    this.entries.delete(name);
    try {
      const origin = keptOriginIn(directory);
      if (!origin) throw new JournalFailure(`no line.json in ${directory}`);
      this.entries.set(name, { n, ...origin });
    } catch (error) {
      this.unreadable.set(name, error as Error);
    }
  }
}

/**
 * Whether a state is still the kept one, but for its branch and its clock, and its files are there:
 * another call may have replaced or removed them since they were read.
 */
const isStillOf = ({ image, directory }: KeptOrigin, state: WorldState) =>
  state.seq === image.meta.seq && existsSync(directory);

/** Folder of a kept state. */
export type PointFolder = readonly [name: string, n: number, directory: string];

/** Folders of kept states, those that count last. */
export const pointFolders = (snapshots: string): PointFolder[] => {
  if (!existsSync(snapshots)) return [];
  const folders: PointFolder[] = [];
  for (const folder of readdirSync(snapshots)) {
    const [, escaped = "", n = ""] = ENTRY.exec(folder) ?? [];
    const name = nameOfFolder(escaped);
    if (name !== undefined) folders.push([name, Number(n), join(snapshots, folder)]);
  }
  return folders.sort(([, a], [, b]) => a - b);
};
