import { must } from "./breach.ts";
import type { Call } from "./call.ts";
import type { History } from "./history.ts";
import { differenceOf, isReplicated } from "./replica.ts";
import type { SimulatedProcess, WatchedWorld } from "./simulated-process.ts";

const listCall: Call = {
  surface: "control",
  world: "sandbox",
  operation: "worlds",
  method: "GET",
  path: "/worlds",
  expects: [200],
};

const loadCall = (world: string): Call => ({
  surface: "platform",
  world,
  operation: "listTokens",
  method: "GET",
  path: "/tokens",
  expects: [200],
});

/** Waits for a promise of the program while the history lets things happen. */
const ended = async <Done>(history: History, work: Promise<Done>, what: string) => {
  let result: { done?: Done; failure?: Error } | undefined;
  work.then(
    (done) => {
      result = { done };
    },
    (failure: Error) => {
      result = { failure };
    },
  );
  await history.turnUntil(() => result !== undefined, what);
  return result as { done?: Done; failure?: Error };
};

/** Points at which worlds are found by a start on bytes that are whole. */
const wholeSeqs = async (history: History): Promise<ReadonlyMap<string, number>> => {
  const { disk } = history;
  const kept = disk.copy();
  const process = history.beginTrial(() => {});
  await ended(history, process.open(), "a start that is looked at");
  const seqs = new Map<string, number>();
  for (const name of history.tracked.keys()) {
    await ended(history, process.fetch(loadCall(name)), "the load of a world");
    if (process.world(name)) seqs.set(name, history.replicaOf(name, process).born.seq);
  }
  await history.endTrial();
  disk.restore(kept);
  return seqs;
};

/** Compares the worlds that a start on damaged bytes serves with what they were. */
const compare = async (
  history: History,
  process: SimulatedProcess,
  {
    seqs,
    alarms,
    file,
  }: {
    seqs: ReadonlyMap<string, number>;
    alarms: string[];
    file: string;
  },
): Promise<"refused" | "told" | "equal"> => {
  const { done: listed } = await ended(history, process.fetch(listCall), "a list of worlds");
  let verdict: "refused" | "told" | "equal" = "equal";
  for (const name of history.tracked.keys()) {
    const { done: seen } = await ended(
      history,
      process.fetch(loadCall(name)),
      "the load of a world",
    );
    const isServed = seen !== undefined && seen.status === 200;
    const isNamed = `${seen?.text} ${listed?.text} ${alarms.join()}`.includes(name);
    if (!isServed) {
      must(isNamed, () => `a bit of ${file} is flipped, and ${name} is gone without a word`);
      verdict = "refused";
      continue;
    }
    const isTold = alarms.length > 0;
    if (isTold && verdict === "equal") verdict = "told";
    const found = history.replicaOf(name, process).born;
    const { branch } = (process.world(name) as WatchedWorld).engine.state;
    const wanted = history.lives.at(name, { seq: found.seq, branch });
    const isEarlier = found.seq < (seqs.get(name) ?? 0);
    const difference = wanted && differenceOf(found.contents, wanted, isReplicated);
    must(
      difference === undefined,
      () => `a bit of ${file} is flipped, and ${name} is served differently: ${difference}`,
    );
    must(
      !isEarlier || isTold,
      () => `a bit of ${file} is flipped, and ${name} lost its end quietly`,
    );
  }
  return verdict;
};

/**
 * Flips a bit of one file, starts on it, and puts the disk back as it was. The start refuses it by
 * name, heals it and says so, or serves what was there.
 */
export const tryFlippedBit = async (history: History) => {
  const { receivers } = history;
  const heard = [...receivers.heard];
  await tryOne(history);
  // The next process may tell of the same, and lose it.
  receivers.heard.clear();
  for (const id of heard) receivers.heard.add(id);
};

const tryOne = async (history: History) => {
  const { disk, chance, counts } = history;
  const seqs = await wholeSeqs(history);
  const kept = disk.copy();
  const file = disk.flip(chance);
  if (file === undefined) return;
  const alarms: string[] = [];
  const process = history.beginTrial((message) => alarms.push(message));
  const { failure } = await ended(history, process.open(), "a start on a flipped bit");
  if (failure) {
    must(
      failure.name !== "TypeError" && failure.name !== "SyntaxError",
      () => `a bit of ${file} is flipped, and the start fails with ${failure.stack}`,
    );
    counts.note("flipped bits refused");
  } else {
    const verdict = await compare(history, process, { seqs, alarms, file });
    counts.note(`flipped bits ${verdict}`);
  }
  await history.endTrial();
  disk.restore(kept);
};
