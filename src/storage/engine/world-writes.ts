import { hostTime } from "../../machine/host-time.ts";
import { Fenced, StoreTrouble } from "../port/store-trouble.ts";
import type { EngineJournal } from "./engine-journal.ts";
import type { EngineParts } from "./engine-parts.ts";
import { ANSWER_MS } from "./engine-trouble.ts";
import { guardedWrite } from "./guarded-write.ts";
import type { Holding, Writing } from "./store-engine.ts";

/** Wait for a write whose outcome may have to be settled first, wall milliseconds. */
export const SETTLED_MS = 12_000;

/** Parts of a process that a write needs. */
type WritingParts = Pick<EngineParts, "engine" | "flusher" | "lease">;

/** A write that somebody waits for. */
interface Awaited {
  /** True once it may be in the engine. */
  isSent: boolean;
  /** True once nobody waits for it: it is not sent any more. */
  isLeft: boolean;
}

/** Writes of one world's rows, one after the other, each by the journal that is open then. */
export class WorldWrites {
  /** The world as it was taken; fence and last change are those of the journal, once there is one. */
  readonly holding: Holding;
  current: EngineJournal | undefined;
  private readonly parts: WritingParts;
  private lane: Promise<unknown> = Promise.resolve();
  /** The write under way, while it is one without a journal. */
  private direct: Promise<void> | undefined;

  constructor(parts: WritingParts, holding: Holding) {
    this.parts = parts;
    this.holding = holding;
  }

  /** Writes by a journal from now on. */
  continueBy(journal: EngineJournal) {
    const { direct, holding } = this;
    this.current = journal;
    // It flushes nothing before that write has ended, and continues with its fence.
    if (direct)
      void journal
        .between(async (own) => {
          await direct.catch(() => {});
          own.fence = holding.fence;
        })
        .catch(() => {});
  }

  /**
   * Writes rows of the world, between two flushes of its journal. The caller waits for 2 s, or longer
   * where it says so and nothing is wrong; what was sent by then is settled behind its back (`later` of
   * the trouble).
   * @param written called before the next write, once this one is done
   * @throws StoreTrouble, Fenced, NameTaken
   */
  run<Done>(
    writing: () => Writing,
    written: () => Done | Promise<Done>,
    mostMs = ANSWER_MS,
  ): Promise<Done> {
    const write: Awaited = { isSent: false, isLeft: false };
    const waitMs = this.trouble() ? ANSWER_MS : mostMs;
    const done = this.lane.then(async () => {
      await this.write(writing, write);
      return written();
    });
    this.lane = done.catch(() => {});
    return new Promise((resolve, reject) => {
      const leave = () => {
        write.isLeft = true;
        const { isSent: mayBeDone } = write;
        reject(
          new StoreTrouble(this.seen(waitMs), { mayBeDone, ...(mayBeDone && { later: done }) }),
        );
      };
      const timer = hostTime.setTimeout(leave, waitMs).unref();
      done.finally(() => hostTime.clearTimeout(timer)).then(resolve, reject);
    });
  }

  private trouble() {
    const { flusher, lease } = this.parts;
    return flusher.trouble() ?? lease.trouble();
  }

  private seen(waitMs: number) {
    return this.trouble()?.why ?? `The store has not answered for ${waitMs / 1000} s`;
  }

  private async write(writing: () => Writing, write: Awaited) {
    const guarded = { engine: this.parts.engine, time: hostTime };
    const requireAwaited = () => {
      if (write.isLeft) throw new StoreTrouble("Nobody waits for it", { mayBeDone: false });
    };
    const act = async (holding: Holding) => {
      requireAwaited();
      write.isSent = true;
      try {
        await guardedWrite(guarded, holding, writing());
      } finally {
        const { fence, seq } = holding;
        Object.assign(this.holding, { fence, seq });
      }
    };
    const { current } = this;
    try {
      requireAwaited();
      if (current && !current.isLost) return await current.between(act);
      this.direct = act(this.holding).finally(() => {
        this.direct = undefined;
      });
      await this.direct;
    } catch (error) {
      // What is in memory may be old.
      if (error instanceof Fenced) this.current?.lose(error.message);
      throw error;
    }
  }
}

/**
 * Frees a world that its holder still owns, without a word about how it was: another process has it
 * at once. Where that fails, it is free when the lease has ended.
 */
export const freeWorld = async ({ engine }: WritingParts, holding: Holding): Promise<void> => {
  await guardedWrite({ engine, time: hostTime }, holding, { release: {} }).catch(() => {});
};
