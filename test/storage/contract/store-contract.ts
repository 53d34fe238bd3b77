import { afterAll, beforeAll, describe, test } from "vitest";
import { CHECKPOINT_CASES } from "./checkpoint-cases.ts";
import { DAMAGE_CASES } from "./damage-cases.ts";
import { FORK_CASES } from "./fork-cases.ts";
import { ITEM_CASES } from "./item-cases.ts";
import { JOURNAL_CASES } from "./journal-cases.ts";
import { POINT_CASES } from "./point-cases.ts";
import { type StoreCase, StoreScene } from "./store-scene.ts";
import type { StoreKind } from "./test-store.ts";

/** All promises of a store. */
export const STORE_CASES: readonly StoreCase[] = [
  ...JOURNAL_CASES,
  ...CHECKPOINT_CASES,
  ...POINT_CASES,
  ...FORK_CASES,
  ...ITEM_CASES,
  ...DAMAGE_CASES,
];

/**
 * Declares the tests that every store has to pass, each in a place of its own.
 * @param what names it, as in "folders"
 */
export const storeContract = (what: string, open: () => Promise<StoreKind>): void => {
  describe(what, () => {
    let kind: StoreKind;
    beforeAll(async () => {
      kind = await open();
    });
    afterAll(() => kind?.close());

    for (const { name, needs, run } of STORE_CASES)
      test(name, async ({ skip }) => {
        skip(needs !== undefined && !kind.can.has(needs), `needs ${needs}`);
        const store = await kind.make();
        try {
          const scene = new StoreScene(store);
          await run(scene);
          await scene.close();
        } finally {
          await store.close();
        }
      });
  });
};
