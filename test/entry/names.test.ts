import { expect, test } from "vitest";
import { leavingNames, NAME_DOORS, NAMED, NAMES } from "./setup/names.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED, shareOf } from "./setup/share.ts";

test("each name is tried at each door", () => {
  expect(NAMED.length).toBe(NAMES.length * NAME_DOORS.length);
  expect(new Set(NAME_DOORS.map(({ says }) => says)).size).toBe(NAME_DOORS.length);
});

// spec/worlds.md#names
test(`no name of a world, snapshot, fixture or document is a path (seed ${SEED})`, async () => {
  expect(await leavingNames(PRODUCT, shareOf(NAMED, 200))).toEqual([]);
});
