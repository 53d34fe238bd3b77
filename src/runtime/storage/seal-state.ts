import type { Storage } from "unstorage";
import { readManifests, storeManifest } from "./checkpoint-manifest.ts";
import { readFixture, storeFixture } from "./kept-fixture.ts";

/**
 * Rewrites the images of a state from before images had checksums. The journal says that this is
 * done only afterwards: a kill in between finds both forms, and both are read once more.
 * @throws StateDamage
 */
export const sealImages = async (storage: Storage, fixtureFile: string): Promise<void> => {
  const mode = { takesPlain: true };
  const fixture = await readFixture(storage, { file: fixtureFile, ...mode });
  if (fixture) await storeFixture(storage, fixture);
  for (const manifest of (await readManifests(storage, mode)).manifests)
    await storeManifest(storage, manifest);
};
