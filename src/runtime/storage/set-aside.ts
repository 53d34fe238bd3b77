import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryEntries } from "./directory-entries.ts";

/**
 * Entries of a state directory that belong to its world. Locks stay, since their owner goes on;
 * so do the log, the instance file, and everything that is not ours.
 */
const OF_THE_WORLD = /^(journal|checkpoint|files|damaged|identity\..*|fixture\..*)$/;
const ASIDE = /^old-([0-9]+)(\.part)?$/;

const nextNumber = (names: readonly string[]) =>
  1 + Math.max(0, ...names.map((name) => Number(ASIDE.exec(name)?.[1] ?? 0)));

/** Moves a world's entries into a folder, which gets its final name when they are all there. */
const moveInto = (directory: string, name: string, lockNumber: number) => {
  const partial = join(directory, `${name}.part`);
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(directory))
    if (OF_THE_WORLD.test(entry)) renameSync(join(directory, entry), join(partial, entry));
  // A start on that folder counts its locks on from here, so that no request id comes twice.
  const lock = { pid: 0, host: "", bootId: "", released: true };
  writeFileSync(join(partial, `lock.${lockNumber}`), JSON.stringify(lock), { mode: 0o600 });
  renameSync(partial, join(directory, name));
};

/**
 * Moves the state of a directory into a folder within it, `old-1`, which is a state directory
 * itself; nothing is deleted. Only the owner of the directory's lock may call it. A move that was
 * interrupted is completed first, whatever the start asks for: half a state is none.
 * @returns the folder, when state was moved
 */
export const moveAside = (
  directory: string,
  { lock, fsync, fresh }: { lock: { number: number }; fsync: boolean; fresh: boolean },
): string | undefined => {
  const names = readdirSync(directory);
  const begun = names.find((name) => name.endsWith(".part") && ASIDE.test(name));
  const hasWorld = names.some((name) => OF_THE_WORLD.test(name));
  if (begun === undefined && !(fresh && hasWorld)) return undefined;
  const name = begun?.replace(/\.part$/, "") ?? `old-${nextNumber(names)}`;
  moveInto(directory, name, lock.number);
  const asideIn = join(directory, name);
  if (fsync) directoryEntries.keepNow(join(asideIn, `lock.${lock.number}`), asideIn);
  return asideIn;
};
