import type { HostTime } from "../../machine/host-time.ts";
import { Fenced, StoreTrouble } from "../port/store-trouble.ts";
import { answeredWithin, backoff, mayBeDone } from "./engine-trouble.ts";
import type { Holding, StoreEngine, Writing } from "./store-engine.ts";

/** Wait for the answer to a write, which may be larger than a flush. */
const WRITE_MS = 10_000;

/** An engine whose rows are written, and the time of the process. */
export interface GuardedEngine {
  engine: Pick<StoreEngine, "write" | "find" | "take">;
  time: HostTime;
}

/**
 * Writes rows of a world, once, and notes in the holding the fence that counts afterwards. When the
 * answer is lost, the world's row tells if it was done. If not, taking the world again raises its
 * fence, so that a late first try changes nothing.
 * @throws Fenced, NameTaken; StoreTrouble, whose write may be done only where nothing tells: then the
 * world must be taken again
 */
export const guardedWrite = async (
  guarded: GuardedEngine,
  holding: Holding,
  writing: Writing,
): Promise<void> => {
  const { engine, time } = guarded;
  for (let tries = 0; ; tries += 1) {
    try {
      // A copy: what is sent must not change with the fence.
      await answeredWithin(engine.write({ ...holding }, writing), WRITE_MS, time);
      holding.fence += 1;
      return;
    } catch (error) {
      if (!(error instanceof StoreTrouble) || !error.mayBeDone) throw error;
    }
    if (await isDone(guarded, holding, writing)) return;
    await backoff(tries, time);
  }
};

/** Makes certain what became of a write without an answer. */
const isDone = async (
  guarded: GuardedEngine,
  holding: Holding,
  writing: Writing,
): Promise<boolean> => {
  const { name, owner, fence } = holding;
  for (let tries = 0; ; tries += 1) {
    const row = await rowOf(guarded, name);
    if (!row && writing.remove) return true;
    const isReleased = writing.release !== undefined && row?.owner === undefined;
    const isOwn = row?.owner === owner || isReleased;
    if (!row || !isOwn || row.fence > fence + 1) throw new Fenced(name, row?.owner);
    if (row.fence === fence + 1) {
      holding.fence = row.fence;
      return true;
    }
    const done = await takeAgain(guarded, holding, writing);
    if (done !== undefined) return done;
    await backoff(tries, guarded.time);
  }
};

/**
 * Raises the fence of a world that is owned, so that a write under way is in by now or never.
 * @returns whether it is in; nothing when the fence is as it was
 */
const takeAgain = async (
  { engine, time }: GuardedEngine,
  holding: Holding,
  { remove, release }: Writing,
): Promise<boolean | undefined> => {
  const { name, owner, fence } = holding;
  try {
    const taken = await answeredWithin(engine.take(name, owner), WRITE_MS, time);
    if (!taken && remove) return true;
    if (taken?.owner !== owner) throw new Fenced(name, taken?.owner);
    holding.fence = taken.fence;
    // A release that came in just before was undone by the take.
    return taken.fence > fence + 1 && !release;
  } catch (error) {
    if (error instanceof Fenced) throw error;
    if (!mayBeDone(error)) return undefined;
    const why = `nothing tells if the world ${name} was written; it must be taken again`;
    throw new StoreTrouble(why, { mayBeDone: true });
  }
};

const rowOf = async ({ engine, time }: GuardedEngine, name: string) => {
  for (let tries = 0; ; tries += 1)
    try {
      return await answeredWithin(engine.find(name), WRITE_MS, time);
    } catch {
      await backoff(tries, time);
    }
};
