import { test } from "vitest";
import { runsOf } from "../setup/campaign.ts";
import { playAll, seedsFrom } from "./setup/histories.ts";

/** The second half of the histories, in a file of its own: files run at the same time. */
const HISTORIES = runsOf(10_000, 1_000);

test("no history of the second half breaks a rule", async () => {
  await playAll(seedsFrom(HISTORIES + 1, HISTORIES));
}, 3_600_000);
