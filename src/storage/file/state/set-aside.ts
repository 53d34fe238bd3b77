import { readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { directoryEntries } from "../../../machine/directory-entries.ts";
import { makeFolders } from "../../../machine/make-folders.ts";

/**
 * Entries of a state directory that belong to its worlds. Locks stay, since their owner continues;
 * so do the log, the instance file and all foreign files.
 */
export const OF_THE_WORLD =
  /^(journal|checkpoint|files|damaged|line-[0-9]+|worlds|snapshots|(identity|fixture|requests)\..*)$/;
const ASIDE = /^old-([0-9]+)(\.part|\.back|\.new)?$/;
/** A folder whose state is on its way out, or on its way back. */
const HALF_OUT = /^old-[0-9]+\.part$/;
const HALF_BACK = /^old-[0-9]+\.back$/;

const LOCK = /^lock\.[0-9]+$/;

/** A free name for a state that is set aside. */
export const nextAside = (names: readonly string[]) =>
  `old-${1 + Math.max(0, ...names.map((name) => Number(ASIDE.exec(name)?.[1] ?? 0)))}`;

/** Lock of nobody. A start on a folder set aside continues its number: no request id comes twice. */
export const releasedLock = () => JSON.stringify({ pid: 0, host: "", bootId: "", released: true });

/** Moves a world's entries into a folder, which gets its final name once all are there. */
const moveInto = (directory: string, name: string, lockNumber: number) => {
  const partial = join(directory, `${name}.part`);
  makeFolders(partial);
  for (const entry of readdirSync(directory))
    if (OF_THE_WORLD.test(entry)) renameSync(join(directory, entry), join(partial, entry));
  writeFileSync(join(partial, `lock.${lockNumber}`), releasedLock(), { mode: 0o600 });
  renameSync(partial, join(directory, name));
};

/**
 * Moves the state of a directory into a folder within it, like `old-1`, which is a state directory
 * too; nothing is deleted. Only the lock's owner may call it. An interrupted move, also one back,
 * is completed first, whatever the start asks for, because half a state cannot be used.
 * @returns the folder, when state was moved
 * @throws LeftAside when the move could not be made to last, and the state not be moved back
 */
export const moveAside = (
  directory: string,
  { lock, fsync, fresh }: { lock: { number: number }; fsync: boolean; fresh: boolean },
): string | undefined => {
  for (const name of readdirSync(directory).filter((one) => HALF_BACK.test(one)))
    moveOut(directory, name);
  const names = readdirSync(directory);
  const begun = names.find((name) => HALF_OUT.test(name));
  const hasWorld = names.some((name) => OF_THE_WORLD.test(name));
  if (begun === undefined && !(fresh && hasWorld)) return undefined;
  const name = begun?.replace(/\.part$/, "") ?? nextAside(names);
  moveInto(directory, name, lock.number);
  const asideIn = join(directory, name);
  try {
    if (fsync) directoryEntries.keepNow(join(asideIn, `lock.${lock.number}`), asideIn);
  } catch (failure) {
    moveBack(asideIn, failure, { fsync });
    throw failure;
  }
  return asideIn;
};

/** Moves a world's entries out of a folder within its directory, and removes the folder. */
const moveOut = (directory: string, name: string) => {
  const from = join(directory, name);
  for (const entry of readdirSync(from))
    if (OF_THE_WORLD.test(entry)) renameSync(join(from, entry), join(directory, entry));
    else if (LOCK.test(entry)) rmSync(join(from, entry), { force: true });
  // A foreign file keeps its folder.
  if (readdirSync(from).length === 0) rmdirSync(from);
};

/** Raised when a start failed and the state that it had moved aside could not be moved back. */
export class LeftAside extends Error {
  override readonly name = "LeftAside";
  /** Folder with the earlier state. */
  readonly asideIn: string;

  constructor(asideIn: string, why: { failure: unknown; moving: unknown }) {
    super(
      `${textOf(why.failure)}; the earlier state is still in ${asideIn}, since moving it back ` +
        `failed: ${textOf(why.moving)}`,
      { cause: why.failure },
    );
    this.asideIn = asideIn;
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Moves back a state that a start set aside, because its new world could not begin. The new world
 * was shown to nobody and is dropped. Only the lock's owner may call it.
 * @param failure reason why the new world could not begin
 * @throws LeftAside
 */
export const moveBack = (asideIn: string, failure: unknown, { fsync }: { fsync: boolean }) => {
  const directory = dirname(asideIn);
  const name = `${basename(asideIn)}.back`;
  try {
    for (const entry of readdirSync(directory))
      if (OF_THE_WORLD.test(entry)) rmSync(join(directory, entry), { recursive: true });
    renameSync(asideIn, join(directory, name));
    moveOut(directory, name);
  } catch (moving) {
    throw new LeftAside(asideIn, { failure, moving });
  }
  try {
    if (fsync) directoryEntries.keepNow(asideIn);
  } catch {
    // The state is back: only a power cut could take it away once more.
  }
};
