import { noteRepeated, repeated } from "./agent-limits.ts";
import { must } from "./breach.ts";
import type { Call } from "./call.ts";
import { tryFlippedBit } from "./flipped-bits.ts";
import { branchOf, turned } from "./going-back.ts";
import type { History } from "./history.ts";
import { foundIn } from "./model-checks.ts";
import { differenceOf, isReplicated } from "./replica.ts";
import type { CrashMode } from "./simulated-disk.ts";

/** Compares what a start has read with what the processes before it had at the same point. */
const compareWithLives = (history: History) => {
  const { lives, counts } = history;
  for (const name of history.tracked.keys()) {
    const { seq, contents } = history.replicaOf(name).born;
    const point = { seq, branch: history.world(name).engine.state.branch };
    const read = lives.readAfter(name, point);
    must(read === undefined, () => `${name} was read up to ${read} once, and now to ${seq}`);
    const wanted = lives.at(name, point);
    if (!wanted) continue;
    const lost = lives.toldAfter(name, point);
    must(lost === undefined, () => `a receiver was told of ${lost}, which was lost`);
    counts.note("recoveries compared");
    const difference = differenceOf(contents, wanted, isReplicated);
    must(difference === undefined, () => `${name} was recovered at ${seq}: ${difference}`);
  }
  lives.forget();
};

const worldCall = (world: string): Call => ({
  surface: "platform",
  world,
  operation: "listTokens",
  method: "GET",
  path: "/tokens",
  expects: [200],
});

const amountOf = ({ body }: Call): number =>
  Number((body as { amount?: number } | undefined)?.amount ?? Number.POSITIVE_INFINITY);

/** Learns which calls without a key happened, then sends those with a key again. */
const retry = async (history: History) => {
  // The largest credit first: what an account holds tells then which of several has come.
  const calls = history.cutOff
    .splice(0)
    .toSorted((a, b) => (amountOf(a) === amountOf(b) ? 0 : amountOf(b) - amountOf(a)));
  for (const call of calls) {
    const tracked = history.tracked.get(call.world);
    if (!tracked) continue;
    noteRepeated(tracked.model, call.operation, history.world(call.world).engine.clock.now());
    if (call.key === undefined)
      call.learn?.(tracked.model, foundIn(history.world(call.world).engine, tracked.model));
  }
  for (const call of calls)
    if (call.key !== undefined && history.tracked.has(call.world)) {
      history.counts.note("retries after a cut-off answer");
      history.send(repeated(call));
      if (history.chance.oneIn(2)) await history.settle();
    }
  await history.settle();
};

/** Learns from the world's branch whether it went elsewhere, and drops points that were lost. */
const learnTurn = (history: History) => {
  const { turning } = history;
  history.turning = undefined;
  if (turning && history.tracked.has(turning.world))
    if (branchOf(history, turning.world) !== turning.branch) turned(history, turning);
  for (const [name, tracked] of history.tracked) {
    const { seq } = history.replicaOf(name).born;
    tracked.past = tracked.past.filter((point) => point.seq <= seq);
  }
};

/** Takes over the worlds that are there: none that was acknowledged is missing. */
const findWorlds = async (history: History): Promise<boolean> => {
  const call = {
    surface: "control",
    world: "sandbox",
    operation: "worlds",
    method: "GET",
    path: "/worlds",
    expects: [200],
  } as const;
  const listed = await history.ask(call);
  if (history.disk.isKilled || !listed) return false;
  must(listed.damaged === undefined, () => `damaged: ${JSON.stringify(listed.damaged)}`);
  const names = new Set<string>(listed.data.map(({ name }: { name: string }) => name));
  for (const name of history.tracked.keys())
    must(names.has(name), () => `the world ${name} was acknowledged and is missing`);
  for (const name of names) {
    if (history.tracked.has(name)) continue;
    const model = history.forks.get(name);
    must(model !== undefined, () => `the world ${name} is there, and nobody made it`);
    history.adopt(name, model);
  }
  history.forks.clear();
  return true;
};

/** Starts again after the process has ended, and compares the worlds with all that is known. */
export const recover = async (history: History, mode: CrashMode) => {
  await history.crash(mode);
  const { chance, swarm, disk } = history;
  if (swarm.flips && chance.oneIn(3)) await tryFlippedBit(history);
  // A start may be cut off as anything else.
  if (swarm.crashes && chance.oneIn(5)) disk.killAfter(1 + chance.below(14));
  await history.open();
  if (!(await findWorlds(history))) return;
  await wake(history);
  if (history.disk.isKilled) return;
  compareWithLives(history);
  learnTurn(history);
  await retry(history);
  await history.letBe();
  history.check();
};

/** Has every world of the directory loaded. */
export const wake = async (history: History) => {
  for (const name of history.tracked.keys()) {
    await history.ask(worldCall(name));
    if (history.disk.isKilled) return;
  }
  history.trackAdopted();
};

/** Settles calls that met a fault without the end of the process. */
export const settleCutOff = async (history: History) => {
  if (history.cutOff.length === 0 || !history.isHealthy()) return;
  await retry(history);
};
