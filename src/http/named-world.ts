import { isName } from "../contract/control/names.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { WorldSet } from "./served-world.ts";

/**
 * The world of a name that a caller with a checked credential gave: an existing one, or one that
 * is opened for it (spec/worlds.md#modes). Refuses a text that is no name of a world.
 */
export const worldFor = <World>(name: string, worlds: WorldSet<World>): World | Promise<World> => {
  const there = worlds.named(name);
  if (there !== undefined) return there;
  if (!isName(name)) return refuse("WORLD_NAME", { world: name });
  return worlds.opened(name);
};
