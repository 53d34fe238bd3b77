import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryEntries } from "./directory-entries.ts";

/**
 * Entries of a state directory that belong to its world. Locks stay, since their owner continues;
 * so do the log, the instance file and all foreign files.
 */
const OF_THE_WORLD = /^(journal|checkpoint|files|damaged|identity\..*|fixture\..*|requests\..*)$/;
const ASIDE = /^old-([0-9]+)(\.part)?$/;

const nextNumber = (names: readonly string[]) =>
  1 + Math.max(0, ...names.map((name) => Number(ASIDE.exec(name)?.[1] ?? 0)));

/** Moves a world's entries into a folder, which gets its final name once all are there. */
const moveInto = (directory: string, name: string, lockNumber: number) => {
  const partial = join(directory, `${name}.part`);
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(directory))
    if (OF_THE_WORLD.test(entry)) renameSync(join(directory, entry), join(partial, entry));
  // A start on that folder continues the numbers of its locks, so that no request id comes twice.
  const lock = { pid: 0, host: "", bootId: "", released: true };
  writeFileSync(join(partial, `lock.${lockNumber}`), JSON.stringify(lock), { mode: 0o600 });
  renameSync(partial, join(directory, name));
};

/**
 * Moves the state of a directory into a folder within it, like `old-1`, which is a state directory
 * too; nothing is deleted. Only the lock's owner may call it. An interrupted move is completed
 * first, whatever the start asks for, because half a state cannot be used.
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
