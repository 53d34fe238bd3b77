import { branchesOfFork } from "./branch.ts";
import { isDrawnIn } from "./ids.ts";
import type { WorldState } from "./world-state.ts";

/**
 * Tells whether a world drew the id of a record that it has. A fork has ids of its origin too; the
 * first world has inherited nothing.
 */
export const hasMade = ({ seed, branch }: Pick<WorldState, "seed" | "branch">, id: string) => {
  if (typeof branch === "number") return true;
  for (const one of branchesOfFork(branch)) if (isDrawnIn(id, { seed, branch: one })) return true;
  return false;
};
