import type { World } from "../control/core/world.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import { shownStorage } from "../storage/world/storage-url.ts";

/** The storage of a world, as its status tells of it. */
export const storageFacts = (
  { passedOver, session }: OpenWorld,
  { storage: url = "memory:", fsync = false }: SimulatorOptions,
): World["storage"] => ({
  url: shownStorage(url),
  // A database whose commits do not reach the disk is refused at the start.
  fsync: fsync || url.startsWith("postgres"),
  passedOver,
  lost: () => session?.trouble(),
  ...(session && url.startsWith("file:") && { directory: session.place }),
});
