import { must } from "./breach.ts";
import type { Call, Found } from "./call.ts";
import type { History } from "./history.ts";
import { checkModel } from "./model-checks.ts";
import { contentsOf, differenceOf, isReplicated, type Replica } from "./replica.ts";
import type { CrashMode } from "./simulated-disk.ts";
import type { WatchedWorld } from "./simulated-process.ts";

/** A look at a world for a call that does not know whether it happened. */
const foundIn = ({ engine: { state } }: WatchedWorld): Found => ({
  balanceMinor: (account) => Number(state.balanceMinor(account, "USD")),
  ids: (kind) => [...state.ids(kind as never, "all", "")],
  get: (kind, id) => state.get(kind as never, id),
});

/** Compares what a start has read with what the process before it had at the same point. */
const compareWith = (history: History, before: ReadonlyMap<string, Replica>) => {
  for (const name of history.tracked.keys()) {
    const { state } = history.world(name).engine;
    const wanted = before.get(name)?.at(state.seq);
    if (!wanted) continue;
    history.counts.note("recoveries compared");
    const difference = differenceOf(contentsOf(state), wanted, isReplicated);
    must(difference === undefined, () => `${name} was recovered at ${state.seq}: ${difference}`);
  }
};

const worldCall = (world: string): Call => ({
  surface: "platform",
  world,
  operation: "listTokens",
  method: "GET",
  path: "/tokens",
  expects: [200],
});

/** Learns which calls without a key happened, then sends those with a key again. */
const retry = async (history: History) => {
  const calls = history.cutOff.splice(0);
  for (const call of calls) {
    const tracked = history.tracked.get(call.world);
    if (!tracked) continue;
    if (call.key === undefined) call.learn?.(tracked.model, foundIn(history.world(call.world)));
  }
  for (const call of calls)
    if (call.key !== undefined && history.tracked.has(call.world)) {
      history.counts.note("retries after a cut-off answer");
      history.send(call);
      if (history.chance.oneIn(2)) await history.settle();
    }
  await history.settle();
};

/** Starts again after the process has ended, and compares the worlds with all that is known. */
export const recover = async (history: History, mode: CrashMode) => {
  const before = history.replicasNow();
  history.crash(mode);
  await history.open();
  await wake(history);
  if (history.disk.isKilled) return;
  compareWith(history, before);
  await retry(history);
  history.check();
};

/** Has every world of the directory loaded. */
export const wake = async (history: History) => {
  for (const name of history.tracked.keys()) {
    const one = history.send(worldCall(name));
    await history.settle();
    if (history.disk.isKilled) return;
    void one;
  }
};

/** Settles calls that met a fault without the end of the process. */
export const settleCutOff = async (history: History) => {
  if (history.cutOff.length === 0) return;
  await retry(history);
};

/** Compares the model of one world with it, without a failure. */
export const fits = (model: Parameters<typeof checkModel>[0], world: WatchedWorld) => {
  try {
    checkModel(model, world.engine);
    return true;
  } catch {
    return false;
  }
};
