import { isCampaign } from "../setup/campaign.ts";
import { OTHER_RUNS, testPages } from "./setup/guide-pages.ts";

testPages(OTHER_RUNS, { isSwept: isCampaign });
