import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { defined } from "../../../contract/core/defined.ts";
import { startTokenOf } from "../../../domain/platform/platform.ts";
import { makeFolders } from "../../../machine/make-folders.ts";
import { FORMAT_BEFORE } from "../../../runtime/change.ts";
import type { StateDamage } from "../../../runtime/damage.ts";
import { WorldState } from "../../../runtime/world-state.ts";
import type { SkippedFile } from "../../port/recovery.ts";
import { drawIdentity, type GivenIdentity, storeIdentity } from "../../world/identity.ts";
import { FIRST_WORLD } from "../../world/start-state.ts";
import { convertState, earlierStateIn } from "../convert/convert-format.ts";
import { completePlacing } from "../convert/placed-state.ts";
import { notesOf, RecordsMissing } from "../journal/journal-end.ts";
import { takeStateLock } from "../lock/lock-aging.ts";
import { detachSegments } from "../state/detached-segments.ts";
import { folderItems } from "../state/folder-items.ts";
import { pathOfKey } from "../state/key-files.ts";
import { encodeWorld, worldFileOf } from "../state/world-files.ts";
import { checkpointKeys } from "../timeline/checkpoint-manifest.ts";
import { machineFolders } from "../timeline/folder-calls.ts";
import { readState, type StateFiles } from "../timeline/read-state.ts";
import { openTimeline, timelineFolder } from "../timeline/timeline-folders.ts";
import { TimelineLinks } from "../timeline/timeline-links.ts";
import type { DamagedFolder } from "./folder-check.ts";
import { checkState, firstFolderOf, openStateFiles, type StateReport } from "./state-check.ts";

/** Report of a repair. */
export interface RepairReport {
  /** Number of whole changes kept. */
  kept: number;
  /** Number of changes lost: each line from the damage on counts as one. */
  givenUp: number;
  /** Folder with the parts that were damaged or cut off. */
  asideIn: string;
  /** Consequences for the simulator's users, one sentence each. */
  changes: string[];
}

const SET_ASIDE = "damaged";
/** Rounds of repair: one repair can reveal further damage, but a state has few kinds of it. */
const MAX_ROUNDS = 10;

const NEW_IDENTITY = [
  "the client secret is new: give it to every client; env prints it",
  "the webhook key is new: give it to every receiver; webhooks key prints it",
  "retired webhook keys are lost: older signatures can no longer be checked",
  "the issuer key is new: ID tokens issued before are rejected",
];

const linesFrom = (bytes: Buffer, offset: number) =>
  bytes.subarray(offset).toString("latin1").split("\n").filter(Boolean).length;

/** Parts of a lost identity that the records still hold. */
const knownOf = (state: WorldState): GivenIdentity => {
  const clientId = startTokenOf(state)?.clientId;
  return {
    seed: state.seed,
    ...defined({ clientId }),
    ...(state.clock && { clockMode: state.clock.mode, clockSpeed: state.clock.speed }),
  };
};

/** One repair of a locked state directory; nothing is deleted. */
class Repair {
  private readonly directory: string;
  private readonly aside: string;
  private givenUp = 0;
  private readonly changes: string[] = [];
  private isDone = false;
  private convertedFrom: string | undefined;

  constructor(directory: string, lockNumber: number) {
    this.directory = directory;
    this.aside = join(directory, SET_ASIDE, String(lockNumber));
  }

  private get home() {
    return firstFolderOf(this.directory);
  }

  private get files(): StateFiles {
    return openStateFiles(this.directory);
  }

  /** Repairs one thing; false when nothing is left to repair. */
  async step(report: StateReport): Promise<boolean> {
    const { damage, lost, passedOver, damagedRequests, otherFormat } = report;
    // What can be opened stays: nothing stands in for it.
    const damagedFolders = report.damagedFolders.filter(({ isOpenable }) => !isOpenable);
    if (otherFormat !== undefined) return false;
    if (damage) this.cutJournal(damage);
    else if (lost) await this.giveUp(lost);
    else if (passedOver.length > 0) this.setCheckpointsAside(passedOver);
    else if (damagedRequests) this.setRequestsAside(damagedRequests);
    else if (damagedFolders.length > 0) this.setFoldersAside(damagedFolders);
    else return false;
    this.isDone = true;
    return true;
  }

  /** Tells of a conversion, which is all that a whole state needs. */
  converted(oldIn: string) {
    this.changes.push(`the state was converted to this version; as it was it stands in ${oldIn}`);
    this.convertedFrom = oldIn;
  }

  report(kept: number): RepairReport | undefined {
    const { givenUp, aside, changes, convertedFrom } = this;
    const asideIn = this.isDone ? aside : convertedFrom;
    return asideIn === undefined ? undefined : { kept, givenUp, asideIn, changes };
  }

  private giveUp(lost: StateDamage) {
    const { part, file } = lost;
    if (lost instanceof RecordsMissing) return this.keepShorter(lost, this.files);
    if (part === "identity") return this.renewIdentity(file);
    if (part === "checkpoint") return this.giveUpWorld();
    if (part === "line") return this.giveUpLine(file);
    if (part === "world") return this.giveUpWrong();
    this.moveAside(file);
    this.changes.push("the fixture is lost: a reset brings back the world without it");
    return undefined;
  }

  /** Keeps the records of a journal whose last ones are missing. */
  private keepShorter({ records, missing }: RecordsMissing, { journals }: StateFiles, of = "") {
    this.givenUp += missing;
    for (const note of notesOf(journals.path)) this.copyAside(note);
    journals.noteShorterEnd(records);
    const lost = missing === 1 ? "the last change" : `the last ${missing} changes`;
    this.changes.push(`${lost}${of} ${missing === 1 ? "is" : "are"} lost`);
  }

  private async renewIdentity(file: string) {
    const { state } = await readState(this.files, { isLookOnly: true });
    this.moveAside(file);
    await storeIdentity(folderItems(this.home), drawIdentity(knownOf(state)));
    this.changes.push(
      ...NEW_IDENTITY,
      `the seed is kept, from the records: ${state.seed}`,
      ...(state.clock?.mode === "real"
        ? ["an instant given with --now is lost: a reset begins at the system clock's time"]
        : []),
    );
  }

  /**
   * Moves everything aside when the checkpoint is lost: the rest of the journal is useless alone.
   */
  private async giveUpWorld() {
    const { directory, storage, journals } = this.files;
    const newest = (await checkpointKeys(storage)).sort().at(-1);
    const inCheckpoint = Number(/^checkpoint:([0-9]+)-/.exec(newest ?? "")?.[1] ?? 0);
    const beginsAt = journals.beginsAt() ?? 1;
    const names = journals.names();
    const lines = names.reduce((sum, name) => sum + linesFrom(journals.bytesOf(name), 0), 0);
    this.givenUp += Math.max(inCheckpoint, beginsAt - 1 + lines);
    for (const name of names) this.moveAside(join(journals.path, name));
    for (const note of notesOf(journals.path)) this.moveAside(note);
    this.moveAside(join(directory, "checkpoint"));
    this.moveAside(pathOfKey(this.home, "requests"));
    this.changes.push("the world is lost: the next start begins a new one");
  }

  /** Moves the lines of the first world aside when the beginning of the newest one is lost. */
  private async giveUpLine(file: string) {
    if (file === worldFileOf(this.home)) return this.describeAgain(file);
    for (const name of readdirSync(this.home).filter((one) => /^line-[0-9]+$/.test(one)))
      this.moveAside(join(this.home, name));
    this.moveAside(pathOfKey(this.home, "requests"));
    await this.beginAnew();
    this.changes.push("the world is lost: the next start begins a new one");
  }

  /** Says again which world the folder of the first one holds. */
  private describeAgain(file: string) {
    this.moveAside(file);
    writeFileSync(file, encodeWorld({ name: FIRST_WORLD, order: 0 }), { mode: 0o600, flush: true });
    this.changes.push("the description of the first world was written again");
  }

  /** Gives the first world a line that has no change yet. */
  private async beginAnew() {
    const folders = { calls: machineFolders, fsync: false, tellCopies: () => {} };
    await new TimelineLinks(folders).ofNothing(new WorldState(), timelineFolder(this.home, 0));
  }

  /** Moves the whole first world aside: its files are in order, and what they say is not. */
  private giveUpWrong() {
    return this.giveUpLine("");
  }

  private setFoldersAside(folders: readonly DamagedFolder[]) {
    for (const { what, directory, missing } of folders) {
      if (missing) {
        this.keepShorter(missing, openTimeline(directory), ` of the ${what}`);
        continue;
      }
      this.moveAside(directory);
      this.changes.push(`the ${what} is lost: its folder was moved aside`);
    }
  }

  private setCheckpointsAside(passedOver: readonly SkippedFile[]) {
    for (const folder of new Set(passedOver.map(({ file }) => dirname(file))))
      this.moveAside(folder);
    this.changes.push("a damaged checkpoint was moved aside: no change needed it");
  }

  private setRequestsAside({ file }: SkippedFile) {
    this.moveAside(file);
    this.changes.push("the requests of earlier runs are lost: their file was moved aside");
  }

  /** Copies the damaged segment aside and cuts it; moves later ones aside whole. */
  private cutJournal({ file, offset, wholeRecords }: NonNullable<StateReport["damage"]>) {
    const { journals } = this.files;
    const names = journals.names();
    const later = names.slice(names.indexOf(basename(file)) + 1);
    this.givenUp += linesFrom(journals.bytesOf(basename(file)), offset);
    // Kept states may link the file, so it is replaced and not cut.
    this.copyAside(file);
    const cut = `${file}.tmp-${process.pid}`;
    writeFileSync(cut, readFileSync(file).subarray(0, offset), { mode: 0o600, flush: true });
    renameSync(cut, file);
    for (const name of later) {
      this.givenUp += linesFrom(journals.bytesOf(name), 0);
      this.moveAside(join(journals.path, name));
    }
    journals.noteShorterEnd(wholeRecords);
  }

  private copyAside(path: string) {
    if (existsSync(path)) copyFileSync(path, this.freePlace(basename(path)));
  }

  private moveAside(path: string) {
    if (existsSync(path)) renameSync(path, this.freePlace(basename(path)));
  }

  /** A free path in the folder for damaged parts; nothing there is overwritten. */
  private freePlace(name: string): string {
    makeFolders(this.aside);
    for (let count = 1; ; count += 1) {
      const place = join(this.aside, count === 1 ? name : `${name}.${count}`);
      if (!existsSync(place)) return place;
    }
  }
}

/**
 * Repairs a damaged state so that a simulator can start on it. It cuts the journal at its damage,
 * moves unreadable files aside, and draws a lost identity again.
 * @returns nothing when there was no damage
 * @throws StateLocked while a simulator owns the directory
 */
export const repairState = async (directory: string): Promise<RepairReport | undefined> => {
  const { lock } = await takeStateLock(directory);
  try {
    const placing = { calls: machineFolders, fsync: false, lock, tellCopies: () => {} };
    let convertedFrom = await completePlacing(directory, placing);
    if (lock.mayBeShared) detachSegments(directory, { fsync: false });
    if (earlierStateIn(directory)?.version === FORMAT_BEFORE)
      convertedFrom = await convertState(directory, placing, { isDamageKept: true });
    const repair = new Repair(directory, lock.number);
    if (convertedFrom !== undefined) repair.converted(convertedFrom);
    let report = await checkState(directory);
    for (let round = 0; round < MAX_ROUNDS && (await repair.step(report)); round += 1)
      report = await checkState(directory);
    return repair.report(report.records);
  } finally {
    lock.release();
  }
};
