import { isName } from "../../contract/control/name-form.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { WorldSet } from "./served-world.ts";

/** Refuses a malformed name of a world (spec/worlds.md#modes). */
export const requireWorldName = (name: string) => {
  if (!isName(name)) refuse("WORLD_NAME", { world: name });
};

/**
 * Finds the world of a name, or opens one (spec/worlds.md#modes). The credential of the caller must
 * have been checked before. Refuses a malformed name.
 */
export const namedOrOpened = <World>(
  name: string,
  worlds: WorldSet<World>,
): World | Promise<World> => {
  const there = worlds.named(name);
  if (there !== undefined) return there;
  requireWorldName(name);
  return worlds.opened(name);
};
