import { hash } from "node:crypto";
import type { Storage } from "unstorage";
import { isFileNamed } from "../../domain/customers/document-files.ts";
import { caughtUp } from "../caught-up.ts";
import type { Change } from "../change.ts";
import type { Engine } from "../engine.ts";
import { type Files, JournalFailure } from "../ports.ts";

/** Whether records may have ceased to name a file by it. */
const mayLeaveFiles = ({ opens, put = [], del = [] }: Change) =>
  opens !== undefined ||
  put.some(([kind]) => kind === "Document") ||
  del.some(([kind]) => kind === "Document");

/**
 * Files by their SHA-256, in a storage of their own. One is stored before the change that names it
 * is committed, and taken away after the change that drops its last name is durable: a kill can
 * leave a file that nobody names, which the next sweep takes away, but no name without its file.
 * While anybody may be about to name files there is no sweep, and the other way round.
 */
export class FileStore implements Files {
  private readonly storage: Storage;
  private readonly engine: Engine;
  /** Who may be about to name files, and who waits to. */
  private holders = 0;
  private waiting = 0;
  private sweeping: Promise<void> | undefined;
  /** Something happened since the last sweep. */
  private isDue = false;
  private closed = false;
  private readonly storing = new Map<string, Promise<void>>();

  constructor(storage: Storage, engine: Engine) {
    this.storage = storage;
    this.engine = engine;
    engine.listeners.add({
      changed: (change) => {
        if (mayLeaveFiles(change)) this.sweepSoon();
      },
    });
  }

  async keepFor<Done>(bytes: Uint8Array, work: (sha256: string) => Done): Promise<Done> {
    const release = await this.hold();
    try {
      const sha256 = hash("sha256", bytes, "hex");
      await this.keep(sha256, bytes);
      await caughtUp(this.engine);
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

  /** Ends what is under way; nothing is stored or taken away afterwards. */
  async close() {
    this.closed = true;
    await this.sweeping;
  }

  /** Stores bytes that are not there yet; whoever brings the same ones meanwhile waits for it. */
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

  /** Compares bytes that are already there, since they may be damaged. */
  private async store(sha256: string, bytes: Uint8Array) {
    const kept = (await this.storage.getItemRaw(sha256)) as Uint8Array | null;
    if (kept !== null && Buffer.compare(kept, bytes) === 0) return;
    await this.storage.setItemRaw(sha256, Buffer.from(bytes));
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
      // A file that could not be taken away does no harm.
      .catch(() => {})
      .finally(() => {
        this.sweeping = undefined;
        this.sweepIfDue();
      });
  }

  /** Takes away the files that no record names, once that no record does is durable. */
  private async sweep() {
    const { engine, storage } = this;
    const kept = await storage.getKeys();
    const unnamed = kept.filter((sha256) => !isFileNamed(engine.state, sha256));
    if (unnamed.length === 0) return;
    await engine.journal.reached(engine.state.seq);
    for (const sha256 of unnamed) {
      if (this.closed) return;
      // Uploads go first; the rest of them is taken away after it.
      if (this.waiting > 0) {
        this.isDue = true;
        return;
      }
      if (!isFileNamed(engine.state, sha256)) await storage.removeItem(sha256);
    }
  }
}
