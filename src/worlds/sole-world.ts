import type { World, Worlds } from "../control/core/world.ts";
import { refuse } from "../domain/core/refusal.ts";

const noOther = () => refuse("UNAVAILABLE", { why: "it is a copy on which a fixture is tried" });

/** A set with one world in it, for a copy that nobody but the fixture on trial can reach. */
export const soleWorld = (world: World): Worlds => ({
  starting: world,
  startingHere: () => world,
  shared: undefined,
  drain: { forMs: 0, isOn: false },
  names: () => [world.name],
  present: (name) => (name === world.name ? world : undefined),
  requireWhole: () => {},
  requireNoneRemoved: () => {},
  loading: () => undefined,
  named: (name) => (name === world.name ? world : undefined),
  all: () => [world],
  opened: async () => noOther(),
  list: async () => [],
  damages: () => [],
  create: async () => noOther(),
  remove: async () => noOther(),
  removedElsewhere: () => {},
});
