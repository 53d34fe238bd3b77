/**
 * The part of a world's life that an id belongs to (spec/clock.md#ids). A number in the first
 * world, and a text made of its name in a fork; ids of two branches never repeat.
 */
export type Branch = number | string;

const FORKED = /^(w\.[^~]+)(?:~([0-9]+))?$/;

/** First branch of a forked world. Only its name decides it, so workers may fork in any order. */
export const branchOfFork = (world: string): Branch => `w.${world}`;

/**
 * The branch that follows a reset, a rewind or a restore. It follows the newest branch of the
 * world, not that of the state it goes back to, so it was never in use.
 */
export const nextBranch = (newest: Branch): Branch => {
  if (typeof newest === "number") return newest + 1;
  const [, name = newest, count = "0"] = FORKED.exec(newest) ?? [];
  return `${name}~${Number(count) + 1}`;
};

/** Branches of a forked world, newest first; none for the default world. */
export function* branchesOfFork(newest: Branch): Iterable<string> {
  if (typeof newest === "number") return;
  const [, name = newest, count = "0"] = FORKED.exec(newest) ?? [];
  for (let at = Number(count); at > 0; at -= 1) yield `${name}~${at}`;
  yield name;
}

/**
 * The later of the world's newest branch and that of a state it continues from. Branches of another
 * world share no id with its own.
 */
export const laterBranch = (newest: Branch, other: Branch): Branch => {
  if (typeof newest === "number")
    return typeof other === "number" ? Math.max(newest, other) : newest;
  const [, world, count = "0"] = FORKED.exec(newest) ?? [];
  const [, otherWorld, otherCount = "0"] = FORKED.exec(String(other)) ?? [];
  return world === otherWorld && Number(otherCount) > Number(count) ? other : newest;
};

/** Whether a value read from storage is a branch. */
export const isBranch = (value: unknown): value is Branch =>
  typeof value === "number"
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === "string" && FORKED.test(value);
