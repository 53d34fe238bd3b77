import type { Fixture } from "../../contract/platform/fixtures.ts";
import { StateDamage } from "../../runtime/damage.ts";
import { readItem, storeItem } from "../format/checked-file.ts";
import type { Items, ReadItems } from "../port/items.ts";

/** The fixture of a world, kept beside its records. */
export interface KeptFixture {
  fixture: Fixture;
  /** Hash of its content. */
  hash: string;
}

/**
 * The fixture that a world began with; nothing when it had none.
 * @throws StateDamage
 */
export const readFixture = async (items: ReadItems): Promise<KeptFixture | undefined> => {
  const image = await readItem<KeptFixture>(items, "fixture");
  if (image && "found" in image)
    throw new StateDamage(
      { part: "fixture", expected: "the fixture this state began with" },
      {
        file: items.placeOf("fixture"),
        found: image.found,
        why: "a reset could not put it in again",
      },
    );
  return image?.body;
};

/** Keeps the fixture that a world begins with. */
export const storeFixture = (items: Items, kept: KeptFixture): Promise<void> =>
  storeItem(items, "fixture", kept);
