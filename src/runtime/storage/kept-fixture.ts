import type { Storage } from "unstorage";
import type { Fixture } from "../../contract/platform/fixtures.ts";
import { readImage, StateDamage, storeImage } from "./image.ts";

const PLACE = { kind: "fixture" } as const;

/** The fixture of a world, as it is kept beside the journal. */
export interface KeptFixture {
  fixture: Fixture;
  /** Of its content; missing in state from before it was kept. */
  hash?: string;
}

const isPlainFixture = (body: unknown): body is KeptFixture =>
  typeof (body as Partial<KeptFixture>).fixture?.name === "string";

/**
 * The fixture a world began with; nothing when it began without one.
 * @throws StateDamage
 */
export const readFixture = async (
  storage: Storage,
  { file, takesPlain }: { file: string; takesPlain: boolean },
): Promise<KeptFixture | undefined> => {
  const image = await readImage<KeptFixture>(
    storage,
    PLACE,
    takesPlain ? isPlainFixture : undefined,
  );
  if (image && "found" in image)
    throw new StateDamage(
      { part: "fixture", expected: "the fixture this state began with" },
      { file, found: image.found, why: "a reset could not put it in again" },
    );
  return image?.body;
};

export const storeFixture = (storage: Storage, kept: KeptFixture): Promise<void> =>
  storeImage(storage, PLACE, kept);
