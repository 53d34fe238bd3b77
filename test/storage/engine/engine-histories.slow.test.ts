import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import { everyRow } from "../../setup/every-row.ts";
import { type HistoryOptions, playHistory } from "./engine-history.ts";

const seeds = (count: number) => Array.from({ length: count }, (_, at) => ({ seed: at + 1 }));

test("nothing acknowledged is lost, doubled or undone while processes and engine fail", async () => {
  const sum = { acknowledged: 0, refused: 0, unknown: 0, taken: 0, fenced: 0, written: 0 };
  await everyRow(seeds(runsOf(2_000, 20)), async ({ seed }) => {
    const { counts } = await playHistory({ seed });
    for (const count of Object.keys(sum) as (keyof typeof sum)[]) sum[count] += counts[count];
  });
  expect(sum.acknowledged).toBeGreaterThan(200);
  expect(sum.taken).toBeGreaterThan(150);
  for (const count of Object.values(sum)) expect(count).toBeGreaterThan(30);
});

test("the same seed plays the same history", async () => {
  const { counts } = await playHistory({ seed: 8 });
  expect((await playHistory({ seed: 8 })).counts).toEqual(counts);
});

/** Acts that come in long after their callers gave up. */
const LATE = { lost: 0.03, late: 0.25, slow: 0.1 };

/** Bugs of an engine and of an owner, each with a seed whose history finds it. */
const BUGS: (HistoryOptions & { found: string })[] = [
  {
    seed: 1,
    rules: { countsUnknownAsWritten: true },
    found: "the acknowledged r5.1 of a is lost",
  },
  {
    seed: 62,
    rules: { trustsFenceAfterLostTake: true },
    rates: LATE,
    found: "the point of b is undefined but callers know of r5.1",
  },
  { seed: 6, plants: ["fence checked in an earlier statement"], found: "b: 1 of 0" },
  { seed: 262, plants: ["append without the fence"], rates: LATE, found: "a: 3 of 0" },
  { seed: 18, plants: ["a sweep drops a fork's pin"], found: "Expected 1 but found 2" },
  { seed: 1, plants: ["half a group is written"], found: "fork9: 5 of 4" },
];

test("a history finds the bugs that are planted in it", () =>
  everyRow(BUGS, async ({ found, ...options }) => {
    await expect(playHistory(options)).rejects.toThrow(found);
  }));

test("these histories break nothing without their bugs", () =>
  everyRow(BUGS, async ({ seed, rates }) => {
    await playHistory({ seed, ...(rates && { rates }) });
  }));
