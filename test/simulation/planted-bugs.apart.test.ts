import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isCampaign } from "../setup/campaign.ts";
import { findBug } from "./setup/mutants.ts";
import { PLANTED_BUGS } from "./setup/planted-bugs.ts";
import { FOLDER_BUGS } from "./setup/planted-folder-bugs.ts";
import { ROW_BUGS } from "./setup/planted-row-bugs.ts";

/** The share that is played outside of a campaign is one in N: each is a program of its own. */
const SHARE = isCampaign ? 1 : 5;
/** Histories in which a bug must show when its seed no longer finds it. */
const TO_FIND_A_BUG = 100;

const ALL_BUGS = [...PLANTED_BUGS, ...FOLDER_BUGS, ...ROW_BUGS];

test.each(ALL_BUGS)("applies: $name", (bug) => {
  for (const { file, search } of [bug, ...(bug.also ?? [])])
    expect(readFileSync(`src/${file}`, "utf8").split(search)).toHaveLength(2);
});

const played = ALL_BUGS.filter((_bug, at) => at % SHARE === 0);

test.each(played)("is found: $name", async (bug) => {
  const others = Array.from({ length: TO_FIND_A_BUG }, (_, at) => at + 1);
  expect(await findBug(bug, [bug.foundBy, ...others])).toBeDefined();
});
