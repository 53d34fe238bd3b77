import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../../machine/make-folders.ts";
import { nextAside, OF_THE_WORLD, releasedLock } from "../state/set-aside.ts";
import { FINISHED } from "../state/state-folder.ts";
import type { Folders } from "../timeline/timeline-links.ts";

const SUFFIX = ".new";
/** Moved last: while it is not there, the old state may still stand in the directory. */
const WORLDS = "worlds";

/** Means to place a state. */
export type Placing = Pick<Folders, "calls" | "fsync"> & { lock: { number: number } };

/** Whether a conversion has come to its deciding rename and was cut off then. */
export const isPlacing = (root: string) => readdirSync(root).some((name) => FINISHED.test(name));

/**
 * Puts a finished state in the place of the one in the directory, which is set aside whole. The
 * rename here decides; what comes after it is completed by the next start.
 * @returns the folder with the old state
 */
export const placeState = async (root: string, made: string, placing: Placing): Promise<string> => {
  const finished = join(root, `${nextAside(readdirSync(root))}${SUFFIX}`);
  await placing.calls.rename(made, finished);
  if (placing.fsync) await placing.calls.syncName(finished);
  return complete(root, finished, placing);
};

/**
 * Completes a placing that was cut off, before anything else looks at the directory. Only the
 * lock's owner may call it.
 * @returns the folder with the old state; nothing where there was nothing to complete
 */
export const completePlacing = async (
  root: string,
  placing: Placing,
): Promise<string | undefined> => {
  const name = readdirSync(root).find((one) => FINISHED.test(one));
  return name === undefined ? undefined : complete(root, join(root, name), placing);
};

/** Makes the next start tell of a conversion once more: this one could not tell of it. */
export const tellAgain = (oldIn: string) => {
  try {
    makeFolders(`${oldIn}${SUFFIX}`);
  } catch {
    // The failure of the start is what the operator has to read.
  }
};

const complete = async (root: string, finished: string, placing: Placing): Promise<string> => {
  const { calls } = placing;
  const oldIn = finished.slice(0, -SUFFIX.length);
  if (existsSync(join(finished, WORLDS))) {
    if (!existsSync(oldIn)) await setOldAside(root, oldIn, placing);
    const others = readdirSync(finished).filter((name) => name !== WORLDS);
    for (const name of [...others, WORLDS])
      await calls.rename(join(finished, name), join(root, name));
    if (placing.fsync) await calls.syncName(join(root, WORLDS));
  }
  await calls.remove(finished);
  return oldIn;
};

const setOldAside = async (root: string, oldIn: string, { calls, fsync, lock }: Placing) => {
  const partial = `${oldIn}.part`;
  const lockFile = `lock.${lock.number}`;
  calls.makeFolder(partial);
  for (const name of readdirSync(root).filter((one) => OF_THE_WORLD.test(one)))
    await calls.rename(join(root, name), join(partial, name));
  await calls.remove(join(partial, lockFile));
  await calls.write(join(partial, lockFile), Buffer.from(releasedLock()));
  if (fsync) await calls.syncName(join(partial, lockFile));
  await calls.rename(partial, oldIn);
  if (fsync) await calls.syncName(oldIn);
};
