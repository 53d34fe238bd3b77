import { expect, test } from "vitest";
import { isCampaign } from "../setup/campaign.ts";
import { OTHER_RUNS, testPages, textsIn } from "./setup/guide-pages.ts";

testPages(OTHER_RUNS);

test.runIf(isCampaign)("a page has the sweep that a campaign makes", () => {
  expect(OTHER_RUNS.flatMap(textsIn).join("")).toContain(" --sweep ");
});
