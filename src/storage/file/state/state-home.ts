import { resolve } from "node:path";
import { JournalFailure } from "../../../runtime/ports.ts";
import { completePlacing } from "../convert/placed-state.ts";
import { takeStateLock } from "../lock/lock-aging.ts";
import type { StateLock } from "../lock/state-lock.ts";
import { machineFolders } from "../timeline/folder-calls.ts";
import { detachSegments } from "./detached-segments.ts";
import { Rounds } from "./rounds.ts";
import { moveAside } from "./set-aside.ts";

/** Worlds that look at their files each second; of more, each comes in its turn. */
const MOST_WORLDS_A_LOOK = 20;

/** An open world of a state directory. */
export interface HomeWorld {
  /** Looks whether its files are where it wrote them: at all of them, or at a few each time. */
  look(how?: { isWhole: boolean }): void;
  /** Drops it: another process has the directory. */
  drop(why: string): void;
}

/**
 * The state directory of a process: its lock, and the folder that is made again when another one
 * is there, or none (decisions/folders-that-go-away.md).
 */
export class StateHome {
  readonly directory: string;
  /** Writes again what worlds share beside their records. */
  readonly furnish = new Set<() => unknown>();
  /** Tells that the folder was removed or replaced meanwhile; nothing where it was not. */
  lost: string | undefined;
  private lock: StateLock;
  private readonly fsync: boolean;
  private readonly residents = new Set<HomeWorld>();
  private readonly rounds = new Rounds();
  private making: Promise<void> | undefined;
  private isFurnished = true;

  constructor(lock: StateLock, { fsync }: { fsync: boolean }) {
    this.directory = resolve(lock.directory);
    this.lock = lock;
    this.fsync = fsync;
    this.follow(lock);
  }

  /** Number in the names of new segments. */
  get number() {
    return this.lock.number;
  }

  taken(): string | undefined {
    return this.lock.taken();
  }

  isOverdue() {
    return this.lock.isOverdue();
  }

  release() {
    this.lock.release();
  }

  /** Takes a world in until the returned function is called. */
  join(resident: HomeWorld): () => void {
    this.residents.add(resident);
    return () => void this.residents.delete(resident);
  }

  /** The reason why the process may not change the folder; nothing while it holds it. */
  trouble(): string | undefined {
    const takenBy = this.lock.taken();
    if (takenBy !== undefined || this.lock.isInPlace()) return takenBy;
    return `${this.directory} was removed or replaced while the simulator ran`;
  }

  /** @throws JournalFailure when the folder may not be changed */
  requireHeld() {
    const trouble = this.trouble();
    if (trouble !== undefined) throw new JournalFailure(trouble);
  }

  /** Tells the operator what happened to the folder; nothing where it is there. */
  told(): string | undefined {
    return this.trouble() ?? this.lost;
  }

  /**
   * Makes the folder again, unless it stands there.
   * @throws StateLocked when another simulator uses what stands there
   */
  async stand() {
    if (this.isFurnished && this.lock.isInPlace()) return;
    this.making ??= this.makeAgain().finally(() => {
      this.making = undefined;
    });
    await this.making;
  }

  private async makeAgain() {
    const { directory, fsync } = this;
    if (!this.lock.isInPlace()) {
      const { lock } = await takeStateLock(directory, { fsync });
      this.isFurnished = false;
      this.lock.release();
      this.lock = lock;
      this.follow(lock);
      await completePlacing(directory, { calls: machineFolders, fsync, lock });
      if (lock.mayBeShared) detachSegments(directory, { fsync });
      const asideIn = moveAside(directory, { lock, fsync, fresh: true });
      const aside = asideIn === undefined ? "" : `; what stood there is in ${asideIn}`;
      this.lost =
        `${directory} was removed or replaced while the simulator ran; the worlds in memory were ` +
        `written there again, without snapshots, documents and worlds that were not loaded${aside}`;
    }
    await this.furnishAgain();
    this.isFurnished = true;
    for (const resident of [...this.residents]) resident.look({ isWhole: true });
  }

  /** Writes what worlds share beside their records: it may be what was lost. */
  async furnishAgain() {
    for (const write of this.furnish) await write();
  }

  private follow(lock: StateLock) {
    lock.whenTaken.add((why) => {
      for (const resident of [...this.residents]) resident.drop(why);
    });
    lock.whenRenewed.add(() => {
      const some = this.rounds.next([...this.residents], MOST_WORLDS_A_LOOK);
      for (const resident of some) resident.look();
    });
  }
}
