import { expect, test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { NOTATIONS, PLAIN_V6, writtenAddresses } from "./setup/addresses.ts";
import { PRODUCT } from "./setup/product.ts";
import { SEED, shareOf } from "./setup/share.ts";
import {
  followedRedirects,
  REBINDING_NAMES,
  takenEndpoints,
  wronglyConnected,
  wronglyJudged,
} from "./setup/target-calls.ts";

const WRITTEN = [...writtenAddresses(SEED, runsOf(500, 20)), ...PLAIN_V6];

test("each notation has addresses of each outcome", () => {
  for (const notation of Object.keys(NOTATIONS))
    for (const outcome of ["never", "local", "open"])
      expect(
        WRITTEN.filter((row) => row.notation === notation && row.outcome === outcome).length,
        `${notation}, ${outcome}`,
      ).toBeGreaterThan(3);
});

// spec/webhooks.md#targets
test(`an address is judged alike in every notation (seed ${SEED})`, () => {
  expect(wronglyJudged(PRODUCT, WRITTEN)).toEqual([]);
});

test("an endpoint that writes out an address that is never called is refused", async () => {
  expect(await takenEndpoints(PRODUCT, shareOf(WRITTEN, 300))).toEqual([]);
});

test("a name is judged by the one look-up that it is connected by", async () => {
  expect(await wronglyConnected(PRODUCT, REBINDING_NAMES)).toEqual([]);
});

test("no redirect is followed", async () => {
  expect(await followedRedirects(PRODUCT)).toEqual([]);
});
