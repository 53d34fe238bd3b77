import { NO_DELIVERIES } from "../../src/control/seed/seed-dry-run.ts";
import type { Rule } from "../../src/domain/core/draft.ts";
import { setTimer } from "../../src/domain/core/schedule.ts";
import { openPlatform } from "../../src/domain/platform/platform.ts";
import { Advance } from "../../src/runtime/advance.ts";
import { Engine } from "../../src/runtime/engine.ts";
import { NoJournal } from "../../src/runtime/journal.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { processorMsOf } from "./processor-time.ts";

/** 2026-01-05T09:00:00Z */
const START_MS = 1_767_603_600_000;
const PER_CHANGE = 1_000;
const BUDGET_MS = 600_000;
const CAUSE = { cause: "bench", by: "bench" };

/** A world without HTTP and files, whose clock stands still. */
const openBare = () => {
  const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
  const engine = new Engine({ wall: machineWall, journal: new NoJournal(), clock });
  const token = { clientId: "sandbox", secretHash: "" };
  const opens = { world: "sandbox", seed: "bench", branch: 1 };
  engine.open((draft, _input, moment) => openPlatform(draft, token, moment), opens, clock);
  return engine;
};

/** Sets timers about payments that are not there, one a millisecond. */
const setTimers: Rule<{ from: number; count: number }, void> = (draft, { from, count }, moment) => {
  for (let at = from; at < from + count; at += 1)
    setTimer(
      draft,
      { name: "payment.settle", subject: `Transaction:${at}`, dueAtMs: moment.atMs + at + 1 },
      moment,
    );
};

/** CPU milliseconds of each of many timers that come due in one advance and change nothing. */
export const bareTimerMs = async (count: number): Promise<number> => {
  const engine = openBare();
  for (let from = 0; from < count; from += PER_CHANGE)
    engine.commit(setTimers, { from, count: Math.min(PER_CHANGE, count - from) }, CAUSE);
  const advance = new Advance(engine, NO_DELIVERIES, machineWall);
  let fired = 0;
  const tookMs = await processorMsOf(async () => {
    const target = { byMs: count + 1 };
    ({ firedCount: fired } = await advance.to({ target, budgetMs: BUDGET_MS }));
  });
  engine.close();
  if (fired !== count) throw new Error(`Expected ${count} timers to fire but found ${fired}`);
  return tookMs / count;
};
