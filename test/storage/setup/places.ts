import { join } from "node:path";

/** Something in the folder of the first world of a state directory. */
export const inFirstWorld = (root: string, ...path: string[]) =>
  join(root, "worlds", "sandbox", ...path);

/** Something in the folder of its first timeline. */
export const inFirstLine = (root: string, ...path: string[]) =>
  inFirstWorld(root, "line-0", ...path);
