import { existsSync } from "node:fs";
import type { Change } from "../../../runtime/change.ts";
import type { Journal } from "../../../runtime/journal.ts";
import type { PastPoint, RestorePoint } from "../../../runtime/past/restore-points.ts";
import { JournalFailure } from "../../../runtime/ports.ts";
import type { WorldState } from "../../../runtime/world-state.ts";
import { encodeChecked } from "../../format/checked-file.ts";
import type {
  Gathered,
  HeldWorld,
  NewFork,
  Reach,
  StateImage,
  StoppedWorld,
  StoredWorld,
  WorldFacts,
  WorldOwner,
  WriteParts,
} from "../../port/held-world.ts";
import type { Item } from "../../port/items.ts";
import { type JournalFile, machineFiles } from "../journal/journal-file.ts";
import { pruneCheckpoints, storeCheckpoint } from "../timeline/checkpoint-files.ts";
import { changesIn, earlierIn, reachOf } from "../timeline/earlier-state.ts";
import { placeFolder } from "../timeline/folder-placing.ts";
import { readState, type StateFiles } from "../timeline/read-state.ts";
import { type TimelineFile, timelineFileOf } from "../timeline/timeline-file.ts";
import {
  nextTimelineNumber,
  openTimeline,
  removeOldTimelines,
  timelineFolder,
  unfinishedIn,
} from "../timeline/timeline-folders.ts";
import { type Details, TimelineLinks } from "../timeline/timeline-links.ts";
import {
  dropOrigin,
  type KeptOrigin,
  keptOriginIn,
  readOrigin,
  segmentsOf,
} from "../timeline/timeline-origin.ts";
import { folderItems } from "./folder-items.ts";
import { type FolderParts, makeWorld, type WorldFolder, writeFacts } from "./folder-parts.ts";
import { FolderPoints } from "./folder-points.ts";
import { pathOfKey } from "./key-files.ts";
import { StartFiles } from "./start-files.ts";
import { startOf, summaryFileOf } from "./world-files.ts";

/** Files that a state given to a caller was read from. */
type Given = { kept: KeptOrigin } | { files: StateFiles };

/** Items that a folder needs to be opened; they are written again with it. */
const NEEDED: readonly Item[] = ["identity", "fixture"];

/** A world in a folder of a state directory (decisions/timelines.md). */
export class FolderWorld implements HeldWorld {
  readonly gathered: Gathered = { checkpointBytes: 0, segments: 0, hasDamage: false };
  private readonly parts: FolderParts;
  private readonly folder: WorldFolder;
  private readonly startFiles: StartFiles;
  private readonly kept: FolderPoints;
  private readonly needed: Map<Item, Buffer>;
  /** Files that states given to callers were read from, to be linked in place of written. */
  private readonly given = new WeakMap<WorldState, Given>();
  private files: StateFiles;
  private current: JournalFile | undefined;
  /** Bytes of the journal before the present segment. */
  private sizeAtSegment = 0;
  private owner: WorldOwner | undefined;
  private leaveHome = () => {};
  private earliest: Reach | undefined;
  /** Folders of checkpoints that cannot be used; the next checkpoint deletes them. */
  private damaged: ReadonlySet<string> = new Set();

  /**
   * @param items those that its folder was made with
   * @throws StateDamage when the beginning of its line cannot be read
   */
  constructor(parts: FolderParts, folder: WorldFolder, items: ReadonlyMap<Item, Buffer>) {
    this.needed = new Map(items);
    this.parts = parts;
    this.folder = folder;
    this.files = openTimeline(folder.directory, parts.storageOf);
    this.startFiles = new StartFiles(folder.directory, parts.options.files ?? machineFiles);
    this.kept = new FolderPoints(parts.root, folder.directory, parts.folders);
    this.takeOver(this.files);
  }

  get facts(): WorldFacts {
    return this.folder.facts;
  }

  get fence() {
    return this.parts.home.number;
  }

  get place() {
    return this.folder.directory;
  }

  placeOf(item: Item) {
    return pathOfKey(this.place, item);
  }

  async item(item: Item) {
    const bytes = await this.items().item(item);
    if (NEEDED.includes(item) && Buffer.isBuffer(bytes)) this.needed.set(item, bytes);
    return bytes;
  }

  async putItem(item: Item, bytes: Buffer | undefined) {
    if (!NEEDED.includes(item)) return this.items().putItem(item, bytes);
    if (bytes) this.needed.set(item, bytes);
    await this.startFiles.rewriting(this.placeOf(item), () => this.items().putItem(item, bytes));
  }

  private items() {
    return folderItems(this.place, this.parts.storageOf(this.place));
  }

  async attach(owner: WorldOwner) {
    const { folders, home } = this.parts;
    this.owner = owner;
    this.parts.tells(owner);
    const summary = summaryFileOf(this.place);
    if (existsSync(summary)) {
      await folders.calls.remove(summary);
      // After a power cut it would describe the world without what comes now, documents too.
      if (folders.fsync) await folders.calls.syncName(summary);
    }
    await this.removeOldTimelines();
    this.leaveHome = home.join({
      look: (how) => this.lookAt(how),
      drop: (why) =>
        owner.failed({ error: new Error(why), cut: true, loss: { kind: "taken", why } }),
    });
  }

  async read(): Promise<StoredWorld> {
    const { state, manifest, recovery, passedOver, damaged } = await readState(this.files);
    const { origin } = this.files;
    Object.assign(this.gathered, {
      checkpointBytes: manifest?.size ?? origin?.image.size ?? 0,
      segments: manifest ? 0 : segmentsOf(this.files),
      hasDamage: damaged.size > 0,
    } satisfies Gathered);
    this.damaged = damaged;
    this.earliest = await reachOf(this.files);
    return { state, recovery, passedOver };
  }

  /** Takes over a line whose state the caller has: nothing is read. */
  private takeOver(files: StateFiles) {
    this.files = files;
    this.damaged = new Set();
    this.earliest = files.origin?.image.reach;
    const checkpointBytes = files.origin?.image.size ?? 0;
    Object.assign(this.gathered, {
      checkpointBytes,
      segments: segmentsOf(files),
      hasDamage: false,
    });
  }

  journal({ seq, sizeBytes }: { seq: number; sizeBytes: number }): Journal {
    return this.append(seq, sizeBytes);
  }

  private append(afterSeq: number, earlierBytes: number, inUse?: string): JournalFile {
    const { home, options } = this.parts;
    const next = this.files.journals.append(home.number, {
      fsync: options.fsync,
      afterSeq,
      earlierBytes,
      lock: home,
      onFailure: (failure) => this.owner?.failed(failure),
      ...(inUse !== undefined && { inUse }),
      ...(options.files && { files: options.files }),
    });
    this.current = next;
    this.sizeAtSegment = earlierBytes;
    this.startFiles.add(this.files, next.name);
    return next;
  }

  rotate(journal: Journal, { seq, what }: { seq: number; what: "point" | "checkpoint" }): Journal {
    const inUse = this.current?.name;
    if (what === "checkpoint") return this.append(seq, 0, inUse);
    if (journal.sizeBytes() <= this.sizeAtSegment) return journal;
    const next = this.append(seq, journal.sizeBytes(), inUse);
    this.gathered.segments += 1;
    return next;
  }

  async checkpoint(seq: number, write: WriteParts) {
    const { damaged, files } = this;
    const { storage, journals } = files;
    const segment = this.current?.name ?? "";
    try {
      const { size } = await storeCheckpoint(storage, write, { seq, segment, damaged });
      Object.assign(this.gathered, { checkpointBytes: size, segments: 0 });
      this.parts.requireHeld();
      // What this checkpoint stands in for is deleted.
      this.startFiles.leaveLine();
      const neededAfter = await pruneCheckpoints(storage, damaged);
      this.parts.requireHeld();
      journals.dropUpTo(neededAfter);
      if (neededAfter > 0) await dropOrigin(files);
      this.damaged = new Set();
      this.gathered.hasDamage = false;
      this.earliest = await reachOf(files);
    } finally {
      this.startFiles.add(this.files, this.current?.name ?? "");
    }
  }

  reach() {
    return this.earliest;
  }

  async earlier(point: PastPoint): Promise<WorldState | undefined> {
    const { files } = this;
    const state = await earlierIn(files, point);
    if (state) this.given.set(state, { files });
    return state;
  }

  changes(range: { after: number; upTo: number }): Promise<readonly Change[]> {
    return changesIn(this.files, range);
  }

  async points() {
    return this.kept.list();
  }

  savePoint(name: string, image: StateImage): Promise<RestorePoint> {
    return this.kept.save(name, (folder, order) => this.fill(image, folder, { order }));
  }

  async loadPoint(name: string): Promise<WorldState | undefined> {
    const kept = this.kept.find(name);
    if (!kept) return undefined;
    try {
      const { state } = await readOrigin(kept);
      this.given.set(state, { kept });
      return state;
    } catch (error) {
      // It went while it was read: it was replaced or removed.
      if (this.kept.find(name) !== kept) return this.loadPoint(name);
      throw error;
    }
  }

  removePoint(name: string): Promise<boolean> {
    return this.kept.remove(name);
  }

  async loadStart(): Promise<WorldState> {
    const directory = startOf(this.place);
    const kept = keptOriginIn(directory);
    if (!kept) throw new JournalFailure(`no line.json in ${directory}`);
    const { state } = await readOrigin(kept).catch((error) => {
      // A removal of the world takes its folder away while it is read.
      throw existsSync(directory) ? error : new JournalFailure(`${directory} was removed`);
    });
    this.given.set(state, { kept });
    return state;
  }

  async switchTo(image: StateImage) {
    const { root } = this.parts;
    const files = await this.placeLine(unfinishedIn(root), (made) =>
      this.fill(image, made, { order: 0, isSwitching: true }),
    );
    this.startFiles.leaveLine();
    // The old journal lies in a line that is about to go.
    this.current = undefined;
    this.takeOver(files);
  }

  /** Makes a folder the newest line of the world. */
  private async placeLine(made: string, fill: (made: string) => Promise<unknown>) {
    const { folders, storageOf } = this.parts;
    const { directory: world } = this.folder;
    try {
      await fill(made);
      folders.calls.makeFolder(world);
      const directory = timelineFolder(world, nextTimelineNumber(world));
      return await placeFolder({ made, directory }, folders, () => openTimeline(world, storageOf));
    } catch (error) {
      await folders.calls.remove(made).catch(() => {});
      throw error;
    }
  }

  /** Deletes the lines that the world has left; what stays is left to the next start. */
  async removeOldTimelines() {
    const { root, folders } = this.parts;
    await removeOldTimelines(root, this.place, folders.calls).catch(() => {});
  }

  /** Fills a folder with a state: with links if files hold it. */
  private async fill(
    { state, clock, isOnTimeline, reach }: StateImage,
    folder: string,
    { isSwitching = false, ...given }: Details & { isSwitching?: boolean },
  ): Promise<TimelineFile> {
    const links = new TimelineLinks(this.parts.folders);
    const details = { ...given, ...(reach && { reach }) };
    const source = this.given.get(state);
    if (source && "kept" in source && isStillOf(source.kept, state))
      return links.ofKept(source.kept, folder, { meta: state.meta(), ...details });
    const isHere = isOnTimeline || (source && "files" in source && source.files === this.files);
    if (isHere && (await reachOf(this.files)).seq <= state.seq) {
      const { files, damaged } = this;
      const openSegment = isSwitching ? "" : (this.current?.name ?? "");
      return links.ofPoint({ files, state, clock, openSegment, damaged }, folder, details);
    }
    return links.ofState(state, folder, { ...details, clock });
  }

  fork({ facts, identity, image, first }: NewFork): Promise<HeldWorld> {
    return this.parts.fork(facts, {
      items: new Map([["identity", identity]]),
      fill: (line) => this.fill(image, line, { order: 0, ...(first && { first }) }),
    });
  }

  look() {
    this.lookAt({ isWhole: true });
  }

  /** Looks whether the world's files are where it wrote them. */
  private lookAt(how?: { isWhole: boolean }) {
    if (!this.current?.look()) return;
    const loss = this.startFiles.loss(how);
    if (loss !== undefined) this.current.lose(loss);
  }

  async rewrite(state: WorldState) {
    const { folder, needed } = this;
    const { home, root, folders } = this.parts;
    const isFirst = this.facts.from === undefined;
    await home.stand();
    if (isFirst) await home.furnishAgain();
    const ofState = (line: string) => new TimelineLinks(folders).ofState(state, line, { order: 0 });
    const stands = isFirst ? this.place : timelineFileOf(startOf(this.place));
    if (existsSync(stands)) {
      await writeFacts(this.parts, folder, needed);
      this.takeOver(await this.placeLine(unfinishedIn(root), ofState));
    } else {
      // A reset of a fork that lost its beginning comes back to this state.
      const use = () => openTimeline(this.place, this.parts.storageOf);
      const filling = { items: needed, fill: ofState, use, replaces: true };
      this.takeOver(await makeWorld(this.parts, folder, filling));
    }
    this.startFiles.forgetAll();
    this.kept.forgetGone();
  }

  async release(end: { seq?: number; summary?: StoppedWorld; documents: string[] }) {
    const { home, options, storageOf } = this.parts;
    const { seq, summary, documents } = end;
    this.leaveHome();
    try {
      if (seq === undefined) return;
      try {
        this.files.journals.noteEnd(seq, options);
      } catch (error) {
        this.owner?.alarm(`the stop was not noted: ${error}`);
      }
      // A second close must not describe a world that another process may have changed by then.
      if (!summary || home.trouble() !== undefined) return;
      const facts = encodeChecked("summary", { ...summary, documents });
      await storageOf(this.place)
        .setItemRaw("summary", facts)
        .catch((error) => {
          // The first world is opened without them.
          if (this.facts.from !== undefined) throw error;
        });
    } finally {
      this.parts.released(this.facts.name);
    }
  }

  async remove() {
    this.leaveHome();
    await this.parts.remove(this.facts.name);
  }
}

/**
 * Whether a state is still the kept one, but for its branch and its clock, and its files are there:
 * another call may have replaced or removed them since they were read.
 */
const isStillOf = ({ image, directory }: KeptOrigin, state: WorldState) =>
  state.seq === image.meta.seq && existsSync(directory);
