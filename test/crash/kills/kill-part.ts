import type { Part } from "../part.ts";
import { runKills } from "./kill-runs.ts";
import { measureLargeRestart } from "./large-restart.ts";

/** Kills of one state directory before it is settled and the next one begins. */
const KILLS_OF_A_STATE = 20;
/** Options of the starts of a state: never synced, always, and in turn. */
const OPTIONS = [["--fsync"], [""], ["", "--fsync"]];
const LARGE = { customers: 5_000, quotes: 5_000 };
const LARGE_RESTARTS = 7;
const RESTART_MS = 1_000;
/** An empty program takes longer only where a machine is too busy to judge a restart. */
const IDLE_EMPTY_MS = 80;

/**
 * Kills of the built command line; each state has a seed of its own. A third of them sync, a third
 * do in every second life, and half of them are killed only when payments are under way.
 */
export const killPart: Part = async ({ runs, seed, count, fail, tell }) => {
  for (let done = 0, own = seed; done < runs; done += KILLS_OF_A_STATE, own += 1) {
    const kills = Math.min(KILLS_OF_A_STATE, runs - done);
    const report = await runKills({
      seed: own,
      kills,
      options: OPTIONS[own % OPTIONS.length] ?? [],
      ...(own % 4 > 1 && { isBusy: true }),
    });
    for (const [moment, times] of Object.entries(report.byMoment))
      count(`kills at ${moment}`, times);
    count("acknowledged writes checked", report.acknowledged);
    count("answers repeated", report.replays);
    count("events accepted", report.events);
    count("longest restart, ms", report.longestRestartMs, "highest");
    for (const wrong of report.wrong)
      fail(wrong, `npm run crash -- --only kills --seed ${own} --runs ${KILLS_OF_A_STATE}`);
    tell(`${done + kills} of ${runs} kills`);
  }
  const measured = await measureLargeRestart(LARGE, LARGE_RESTARTS);
  const { customers, quotes, tookMs, settledMs, emptyMs } = measured;
  const fastest = Math.min(...tookMs);
  count("restart with 10,000 customers and quotes, fastest, ms", fastest, "highest");
  count("the same with a checkpoint, fastest, ms", Math.min(...settledMs), "highest");
  const emptiest = Math.min(...emptyMs);
  count("an empty program beside it, fastest, ms", emptiest, "highest");
  if (fastest > RESTART_MS && emptiest < IDLE_EMPTY_MS)
    fail(
      `${customers + quotes} records took ${tookMs.join(", ")} ms to restart`,
      `npm run crash -- --only kills --seed ${seed} --runs 1`,
    );
};
