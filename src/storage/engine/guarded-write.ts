import type { HostTime } from "../../machine/host-time.ts";
import { Fenced, StoreTrouble } from "../port/store-trouble.ts";
import { answeredWithin, backoff } from "./engine-trouble.ts";
import type { Holding, StoreEngine, Writing } from "./store-engine.ts";

/** Wait for the answer to a write, which may be larger than a flush. */
const WRITE_MS = 10_000;

/** Item of a world that says which of its writes was the last one. */
export const LAST_WRITE = "last-write";

/** An engine whose rows are written, and the time of the process. */
export interface GuardedEngine {
  engine: Pick<StoreEngine, "write" | "find" | "take" | "items">;
  time: HostTime;
}

/** A write that is to be done once, and the text by which it is known. */
interface Marked {
  writing: Writing;
  mark: string;
}

/**
 * Writes rows of a world, once, and notes in the holding the fence that counts afterwards. When the
 * answer is lost, the world is taken again: its fence rises, and a late first try changes nothing.
 * Then an item tells if the write was done before. It may take as long as a trouble lasts: who writes
 * waits no longer than `WorldWrites` says.
 * @throws Fenced, NameTaken; StoreTrouble when the write was certainly not done
 */
export const guardedWrite = async (
  guarded: GuardedEngine,
  holding: Holding,
  writing: Writing,
): Promise<void> => {
  const { engine, time } = guarded;
  const marked = markedWrite(holding, writing);
  for (let tries = 0; ; tries += 1) {
    try {
      // A copy: what is sent must not change with the fence.
      await answeredWithin(engine.write({ ...holding }, marked.writing), WRITE_MS, time);
      holding.fence += 1;
      return;
    } catch (error) {
      if (!(error instanceof StoreTrouble) || !error.mayBeDone) throw error;
    }
    if (await isDone(guarded, holding, marked)) return;
    await backoff(tries, time);
  }
};

/** The fence rises with each write, so that owner and fence name one. */
const markedWrite = ({ name, owner, fence }: Holding, writing: Writing): Marked => {
  const mark = `${owner} ${fence}`;
  if (writing.remove) return { mark, writing };
  const item = { holder: `world:${name}`, name: LAST_WRITE, bytes: Buffer.from(mark) };
  return { mark, writing: { ...writing, items: [...(writing.items ?? []), item] } };
};

/** Makes certain what became of a write without an answer. */
const isDone = async (
  { engine, time }: GuardedEngine,
  holding: Holding,
  { writing, mark }: Marked,
): Promise<boolean> => {
  const { name, owner } = holding;
  const row = await answered(() => engine.find(name), time);
  if (!row && writing.remove) return true;
  if (row && row.owner === undefined && writing.release) {
    holding.fence = row.fence;
    return true;
  }
  if (row?.owner !== owner) throw new Fenced(name, row?.owner);
  const taken = await answered(() => engine.take(name, owner), time);
  if (!taken && writing.remove) return true;
  if (taken?.owner !== owner) throw new Fenced(name, taken?.owner);
  holding.fence = taken.fence;
  // A release that came in meanwhile was undone by the take.
  if (writing.remove || writing.release) return false;
  const items = await answered(() => engine.items(`world:${name}`), time);
  return items[LAST_WRITE]?.toString() === mark;
};

/** Asks until there is an answer: what is asked does no harm when it is done twice. */
const answered = async <Answer>(ask: () => Promise<Answer>, time: HostTime): Promise<Answer> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await answeredWithin(ask(), WRITE_MS, time);
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      await backoff(tries, time);
    }
};
