import type { World } from "../control/core/world.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import type { OpenWorld } from "../storage/open-world.ts";

/** The storage of a world, as its status tells of it. */
export const storageFacts = (
  { passedOver, session }: OpenWorld,
  { storage: url = "memory:", fsync = false }: SimulatorOptions,
): World["storage"] => ({
  url,
  fsync,
  passedOver,
  lost: () => session?.trouble(),
  ...(session && { directory: session.place }),
});
