import type { Storage } from "unstorage";
import { readManifests, storeManifest } from "./checkpoint-manifest.ts";
import { readFixture, storeFixture } from "./kept-fixture.ts";

/**
 * Rewrites images from before images had checksums. The journal records this only afterwards. After
 * a kill in between both forms exist, and a start still reads both.
 * @throws StateDamage
 */
export const addChecksums = async (storage: Storage, fixtureFile: string): Promise<void> => {
  const mode = { takesPlain: true };
  const fixture = await readFixture(storage, { file: fixtureFile, ...mode });
  if (fixture) await storeFixture(storage, fixture);
  for (const manifest of (await readManifests(storage, mode)).manifests)
    await storeManifest(storage, manifest);
};
