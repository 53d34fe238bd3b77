import { expect, test } from "vitest";
import { leavingNames, NAME_USES, NAMED, NAMES } from "./setup/names.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED, shareOf } from "./setup/share.ts";

test("each name is tried in each use", () => {
  expect(NAMED.length).toBe(NAMES.length * NAME_USES.length);
  expect(new Set(NAME_USES.map(({ says }) => says)).size).toBe(NAME_USES.length);
});

// spec/worlds.md#names
test(`no name of a world, snapshot, fixture or document is a path (seed ${SEED})`, async () => {
  expect(await leavingNames(PRODUCT, shareOf(NAMED, 200))).toEqual([]);
});
