import { isName } from "../../contract/control/name-form.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { WorldSet } from "./served-world.ts";

/** Refuses a text that is no name of a world (spec/worlds.md#modes). */
export const requireName = (name: string) => {
  if (!isName(name)) refuse("WORLD_NAME", { world: name });
};

/**
 * The world of a name that a caller with a checked credential gave: an existing one, or one that
 * is opened for it (spec/worlds.md#modes). Refuses what is no name.
 */
export const worldFor = <World>(name: string, worlds: WorldSet<World>): World | Promise<World> => {
  const there = worlds.named(name);
  if (there !== undefined) return there;
  requireName(name);
  return worlds.opened(name);
};
