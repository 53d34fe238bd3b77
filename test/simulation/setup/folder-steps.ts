import { advanceCall } from "./advance-call.ts";
import { settled } from "./going-back.ts";
import type { History } from "./history.ts";
import { DIRECTORY } from "./history-options.ts";
import type { Step } from "./history-steps.ts";
import { nextCall } from "./next-call.ts";
import { wake } from "./recovery.ts";
import { contentsOf } from "./replica.ts";
import { DiskFolder } from "./simulated-disk.ts";
import { copyOf } from "./world-model.ts";

/** One history in seven: the others are what they were before there was this step. */
const losesFolders = ({ seed, swarm }: History) => seed % 7 === 0 && swarm.diskFaults;

/** Prepares the model of a world whose folder is about to go. */
const expectLoss = (history: History) => {
  for (const [name, tracked] of history.tracked) {
    tracked.snapshots.clear();
    tracked.past = [];
    if (name === "sandbox") continue;
    // The state that a fork began with is gone: a reset comes back to the present one.
    tracked.start = copyOf(tracked.model);
    tracked.startContents = contentsOf(history.world(name).engine.state);
  }
};

const call = async (history: History, world: string) => {
  const next = nextCall(history, world);
  if (next) history.send(next);
  await history.settle();
};

/**
 * The state folder is removed, moved away or replaced while the process runs. What was acknowledged
 * is in memory, and is written again.
 */
export const loseFolder: Step = {
  name: "lose the folder",
  weight: (history) => (losesFolders(history) ? 12 : 0),
  run: async (history) => {
    const { chance, disk, counts, tracked } = history;
    if (!(await settled(history))) return;
    await wake(history);
    if (disk.isKilled || !(await settled(history))) return;
    expectLoss(history);
    // A process that is killed before it has written anything again takes its memory along.
    disk.killAfter(0);
    disk.takeAway(DIRECTORY);
    counts.note("state folders taken away");
    if (chance.oneIn(3)) disk.put(DIRECTORY, new DiskFolder());
    const anyWorld = () => chance.pick([...tracked.keys()]);
    for (let many = 1 + chance.below(3); many > 0; many -= 1) await call(history, anyWorld());
    // Refusals and reads write nothing, so nobody notices by them.
    for (const world of tracked.keys()) await history.ask(advanceCall(world, "1ms"));
    await history.writable();
    for (let many = chance.below(3); many > 0; many -= 1) await call(history, anyWorld());
  },
};
