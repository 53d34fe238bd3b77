import { hash } from "node:crypto";
import { isFileNamed } from "../../domain/customers/document-files.ts";
import { caughtUp } from "../../runtime/caught-up.ts";
import type { Change } from "../../runtime/change.ts";
import type { Engine } from "../../runtime/engine.ts";
import { isRemembered } from "../../runtime/listeners.ts";
import { type Files, JournalFailure } from "../../runtime/ports.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { StoredFiles } from "../port/session.ts";

/** Whether a change may leave a file that no record names any more. */
const mayLeaveFiles = ({ opens, put = [], del = [] }: Change) =>
  opens !== undefined ||
  put.some(([kind]) => kind === "Document") ||
  del.some(([kind]) => kind === "Document");

/** The files of one world; all worlds of a process share one store. */
export interface WorldFiles extends Files {
  /** The same files for a fork of the world, whose records name some of them. */
  forFork(engine: Engine): WorldFiles;
  /** Ends the work of this world with files. */
  close(): Promise<void>;
}

/**
 * Files by their SHA-256, in a storage of their own. A file is stored before the change that names
 * it is committed, and deleted after the change that drops its last name is durable. So a kill can
 * leave an unused file, which the next sweep deletes, but never a name without its file. Sweeps and
 * commits that may name files exclude each other.
 */
export class FileStore implements WorldFiles {
  private readonly stored: StoredFiles;
  private readonly engine: Engine;
  /** Worlds whose records name files. */
  private readonly engines = new Set<Engine>();
  /** Callers that may name files soon, and callers that wait to. */
  private holders = 0;
  private waiting = 0;
  private sweeping: Promise<void> | undefined;
  /** True when something changed since the last sweep. */
  private isDue = false;
  private closed = false;
  private readonly storing = new Map<string, Promise<void>>();

  constructor(stored: StoredFiles, engine: Engine) {
    this.stored = stored;
    this.engine = engine;
    this.watch(engine);
  }

  keepFor<Done>(bytes: Uint8Array, work: (sha256: string) => Done): Promise<Done> {
    return this.keepIn(this.engine, bytes, work);
  }

  forFork(engine: Engine): WorldFiles {
    this.watch(engine);
    return {
      keepFor: (bytes, work) => this.keepIn(engine, bytes, work),
      hold: () => this.hold(),
      forFork: (next) => this.forFork(next),
      close: async () => {
        this.engines.delete(engine);
        this.sweepSoon();
      },
    };
  }

  private watch(engine: Engine) {
    this.engines.add(engine);
    engine.listeners.add({
      changed: (change) => {
        if (mayLeaveFiles(change)) this.sweepSoon();
      },
    });
  }

  private isNamed(sha256: string) {
    const names = (state: WorldState) => isFileNamed(state, sha256);
    for (const { state, listeners } of this.engines)
      if (names(state) || isRemembered(listeners, names)) return true;
    return false;
  }

  private async keepIn<Done>(
    engine: Engine,
    bytes: Uint8Array,
    work: (sha256: string) => Done,
  ): Promise<Done> {
    const release = await this.hold();
    try {
      const sha256 = hash("sha256", bytes, "hex");
      await this.keep(sha256, bytes);
      await caughtUp(engine);
      return work(sha256);
    } catch (error) {
      this.isDue = true;
      throw error;
    } finally {
      release();
    }
  }

  async hold(): Promise<() => void> {
    this.waiting += 1;
    while (this.sweeping) await this.sweeping;
    this.waiting -= 1;
    this.holders += 1;
    return () => {
      this.holders -= 1;
      this.sweepIfDue();
    };
  }

  /** Waits for work under way; nothing is stored or deleted afterwards. */
  async close() {
    this.closed = true;
    await this.sweeping;
  }

  /** Stores new bytes once; a second caller with the same bytes waits for the first. */
  private async keep(sha256: string, bytes: Uint8Array) {
    try {
      if (this.closed) throw new Error("it is closed");
      const storing = this.storing.get(sha256) ?? this.store(sha256, bytes);
      this.storing.set(sha256, storing);
      await storing;
    } catch (error) {
      throw new JournalFailure(`storage failed: ${(error as Error).message}`);
    } finally {
      this.storing.delete(sha256);
    }
  }

  /** Stores the bytes, also where a file has that name: it may be damaged, or its name not synced. */
  private async store(sha256: string, bytes: Uint8Array) {
    await this.stored.put(sha256, Buffer.from(bytes));
  }

  private sweepSoon() {
    this.isDue = true;
    this.sweepIfDue();
  }

  private sweepIfDue() {
    const isBusy = this.holders > 0 || this.waiting > 0 || this.sweeping !== undefined;
    if (!this.isDue || isBusy || this.closed) return;
    this.isDue = false;
    this.sweeping = this.sweep()
      // A file that could not be deleted does no harm.
      .catch(() => {})
      .finally(() => {
        this.sweeping = undefined;
        this.sweepIfDue();
      });
  }

  /** Deletes unused files once the changes that freed them are durable. */
  private async sweep() {
    const { engines, stored } = this;
    const kept = await stored.list();
    const unnamed = kept.filter((sha256) => !this.isNamed(sha256));
    if (unnamed.length === 0) return;
    await Promise.all([...engines].map(({ journal, state }) => journal.reached(state.seq)));
    const elsewhere = await stored.namedAtRest();
    if (!elsewhere) return;
    for (const sha256 of unnamed.filter((one) => !elsewhere.has(one))) {
      if (this.closed) return;
      // Uploads go first; the remaining files are deleted after them.
      if (this.waiting > 0) {
        this.isDue = true;
        return;
      }
      if (!this.isNamed(sha256)) await stored.remove(sha256);
    }
  }
}
