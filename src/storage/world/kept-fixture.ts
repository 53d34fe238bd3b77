import type { Storage } from "unstorage";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import { StateDamage } from "../../runtime/damage.ts";
import { readChecked, storeChecked } from "../format/checked-file.ts";

const PLACE = { kind: "fixture" } as const;

/** The fixture of a world, kept beside the journal. */
export interface KeptFixture {
  fixture: Fixture;
  /** Hash of its content; missing in state from before it was kept. */
  hash?: string;
}

/**
 * The fixture that a world began with; nothing when it had none.
 * @throws StateDamage
 */
export const readFixture = async (
  storage: Storage,
  file: string,
): Promise<KeptFixture | undefined> => {
  const image = await readChecked<KeptFixture>(storage, PLACE);
  if (image && "found" in image)
    throw new StateDamage(
      { part: "fixture", expected: "the fixture this state began with" },
      { file, found: image.found, why: "a reset could not put it in again" },
    );
  return image?.body;
};

export const storeFixture = (storage: Storage, kept: KeptFixture): Promise<void> =>
  storeChecked(storage, PLACE, kept);
