import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import { WHOLE_CODE } from "./setup/engine-code.ts";
import { type Happened, SharedHistory } from "./setup/shared-history.ts";

test("two processes share worlds of an engine in trouble, and lose or double nothing", async () => {
  const sums: Partial<Happened> = {};
  for (let seed = 1; seed <= runsOf(1_000, 8); seed += 1) {
    const history = new SharedHistory(WHOLE_CODE, { seed });
    expect({ seed, problems: await history.play() }).toEqual({ seed, problems: [] });
    for (const [what, count] of Object.entries(history.happened) as [keyof Happened, number][])
      sums[what] = (sums[what] ?? 0) + count;
  }
  expect(Object.entries(sums).filter(([, count]) => count === 0)).toEqual([]);
});
