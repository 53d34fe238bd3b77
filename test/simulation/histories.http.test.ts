import { beforeAll, describe, expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { FAILED_SEEDS } from "./seeds.ts";
import { Counts } from "./setup/counts.ts";
import { findBug } from "./setup/mutants.ts";
import { PLANTED_BUGS } from "./setup/planted-bugs.ts";
import { playHistory } from "./setup/play.ts";
import { loadProduct, type Product } from "./setup/product.ts";

/** `npm run simulate -- --runs 100000` for a campaign. */
const HISTORIES = runsOf(20_000, 2_000);

/** What a run of this many histories must not lack. */
const HAPPENS = [
  "kills",
  "power cuts",
  "starts cut off",
  "alarms of storage",
  "forks",
  "rewind done",
  "reset done",
  "restoreSnapshot done",
  "concurrent duplicates",
  "retries after a cut-off answer",
  "full outboxes",
];

let product: Product;

beforeAll(async () => {
  product = await loadProduct();
});

test(
  "no history breaks a rule",
  async () => {
    const counts = new Counts();
    for (const seed of FAILED_SEEDS) await playHistory(product, seed, { counts });
    for (let seed = 1; seed <= HISTORIES; seed += 1) await playHistory(product, seed, { counts });
    expect(HAPPENS.filter((what) => counts.of(what) === 0)).toEqual([]);
  },
  60 * 60_000,
);

test("the same seed plays the same history", async () => {
  for (const seed of [3, 11, 23]) {
    const first = await playHistory(product, seed, { counts: new Counts() });
    expect(await playHistory(product, seed, { counts: new Counts() })).toBe(first);
  }
});

describe("a planted bug is found by the seed that first found it", () => {
  test.each(PLANTED_BUGS)("$name", async (bug) => {
    expect(await findBug(bug, [bug.foundBy])).toBeDefined();
  });
});
