import { must } from "./breach.ts";
import { type Call, loosened, type UnderWay } from "./call.ts";
import type { History } from "./history.ts";
import { type Contents, contentsOf, differenceOf } from "./replica.ts";
import { DISK_FAULTS } from "./simulated-disk.ts";
import type { KeptSnapshot, Tracked } from "./tracked-world.ts";
import { copyOf, type WorldModel } from "./world-model.ts";

/** A call that takes a world to another state, and what is known of that state. */
export interface Turning {
  world: string;
  /** The world's branch before it: another one proves that it happened. */
  branch: string;
  model: WorldModel;
  /** Points of the past that stay in reach. */
  past: Tracked["past"];
}

const control = (world: string, call: Omit<Call, "surface" | "world" | "expects">): Call => ({
  surface: "control",
  world,
  expects: [200, 201, 204, 400, 404, 409],
  ...call,
});

export const branchOf = (history: History, world: string) =>
  JSON.stringify(history.world(world).engine.state.branch);

/** Takes over that a world has gone to another state. */
export const turned = (history: History, { world, model, past }: Turning) => {
  const tracked = history.of(world);
  tracked.model = copyOf(model);
  tracked.past = [...past];
  // A call without an answer may have come before: sent again, it finds another world.
  history.cutOff = history.cutOff.map((call) => (call.world === world ? loosened(call) : call));
};

/** Records that a fork has of its own, or that a reset leaves behind. */
const IS_OWN = /^(PlatformConfig|Event|Delivery|DeliveryEnd|Timer webhook\.)/;

const sameBut = (name: string) => !IS_OWN.test(name);

const ofImport = (name: string) => sameBut(name) && !name.startsWith("ApiToken");

/** Whether time moves by itself, so that a world changes while it is compared. */
const isRunning = ({ swarm: { clock } }: History) => clock === "real" || clock === "60x";

/** Has the disk fail at times while a call about a whole world is under way. */
const meetFault = ({ swarm, chance, disk, counts }: History) => {
  if (!swarm.diskFaults || !chance.oneIn(3)) return;
  counts.note("disk faults in calls about worlds");
  // A refusal comes from the first calls, what is half done from later ones.
  const from = 1 + chance.below(chance.oneIn(2) ? 4 : 24);
  disk.failWith(chance.pick(DISK_FAULTS), { from, calls: 1 + chance.below(3) });
};

const forget = (history: History, call: Call) => {
  history.cutOff = history.cutOff.filter((one) => one !== call);
};

/** Learns what a call without a success has done: refused for a disk that fails, nothing. */
const notTurned = (
  history: History,
  { turning, call, answer }: { turning: Turning; call: Call; answer: UnderWay["answer"] },
) => {
  // A stopped world tells at its next start where it is.
  if (history.world(call.world).engine.stopped) return;
  history.turning = undefined;
  const isTurned = branchOf(history, call.world) !== turning.branch;
  const isRefused = answer && "status" in answer;
  must(!isTurned || !isRefused, () => `${call.operation} of ${call.world} was refused and done`);
  forget(history, call);
  if (isTurned) turned(history, turning);
};

/** Sends a call that takes a world elsewhere, and compares where it is then. */
const turn = async (
  history: History,
  call: Call,
  { turning, contents, passes }: { turning: Turning; contents: Contents; passes?: typeof sameBut },
) => {
  history.turning = turning;
  meetFault(history);
  const answer = await history.answerTo(call);
  if (history.disk.isKilled) return;
  const isDone = answer && "text" in answer && answer.status < 300;
  if (!isDone) return notTurned(history, { turning, call, answer });
  history.turning = undefined;
  history.counts.note(`${call.operation} done`);
  turned(history, turning);
  // A reset may open the world again, which loads nothing.
  const isOpened = call.operation === "reset";
  if (isOpened) await history.letBe();
  if (history.disk.isKilled) return;
  const { state } = history.world(call.world).engine;
  const found = isOpened ? contentsOf(state) : history.replicaOf(call.world).base.contents;
  if (isRunning(history)) return;
  const difference = differenceOf(found, contents, passes);
  must(difference === undefined, () => `${call.operation} of ${call.world}: ${difference}`);
};

/** Lets calls and attempts end, so that nothing changes the worlds meanwhile. */
export const settled = async (history: History) => {
  const { receivers, disk } = history;
  await history.settle();
  if (!disk.isKilled) await history.letBe();
  while (!disk.isKilled && receivers.underWay.length > 0) {
    receivers.end(history.chance.pick(receivers.underWay));
    await history.letBe();
  }
  return !disk.isKilled && history.isHealthy() && history.cutOff.length === 0;
};

/** Goes back to a point that the model knows, by its instant. */
export const rewind = async (history: History, world: string) => {
  if (!(await settled(history))) return;
  const { past } = history.of(world);
  const points = past.filter(({ atMs, nextAtMs }) => nextAtMs !== undefined && nextAtMs > atMs);
  if (points.length === 0) return;
  const point = history.chance.pick(points);
  const call = control(world, {
    operation: "rewind",
    method: "POST",
    path: "/clock/rewind",
    body: { to: new Date(point.atMs).toISOString() },
  });
  const turning = {
    world,
    branch: branchOf(history, world),
    model: point.model,
    past: past.filter(({ seq }) => seq < point.seq),
  };
  await turn(history, call, { turning, contents: point.contents });
};

/** Goes back to the beginning, at times with calls under way. */
export const reset = async (history: History, world: string) => {
  if (history.chance.oneIn(2) && !(await settled(history))) return;
  if (!history.isHealthy()) return;
  const { start, startContents } = history.of(world);
  const call = control(world, { operation: "reset", method: "POST", path: "/reset" });
  const turning = { world, branch: branchOf(history, world), model: start, past: [] };
  await turn(history, call, { turning, contents: startContents, passes: sameBut });
};

export const save = async (history: History, world: string) => {
  if (!(await settled(history))) return;
  const { model, snapshots } = history.of(world);
  const name = history.chance.pick(["a", "b"]);
  const kept = {
    model: copyOf(model),
    contents: contentsOf(history.world(world).engine.state),
    // An attempt that ends meanwhile changes its delivery before the snapshot or after it.
    isExact: history.receivers.underWay.length === 0,
  };
  // Until it is answered nobody knows which of the two is there.
  snapshots.delete(name);
  const call = control(world, {
    operation: "saveSnapshot",
    method: "PUT",
    path: `/snapshots/${name}`,
  });
  meetFault(history);
  if ((await history.ask(call)) === undefined) return;
  history.counts.note("snapshots saved");
  snapshots.set(name, kept);
};

export const restore = async (history: History, world: string) => {
  if (!(await settled(history))) return;
  const { snapshots } = history.of(world);
  const names = [...snapshots.keys()];
  if (names.length === 0) return;
  const name = history.chance.pick(names);
  const { model, contents, isExact } = snapshots.get(name) as KeptSnapshot;
  const call = control(world, {
    operation: "restoreSnapshot",
    method: "POST",
    path: `/snapshots/${name}/restore`,
  });
  const turning = { world, branch: branchOf(history, world), model, past: [] };
  // A file's token takes the secret of the world that takes it in.
  const passes = name === COPY ? ofImport : isExact ? undefined : sameBut;
  await turn(history, call, { turning, contents, ...(passes && { passes }) });
};

/** Makes a world that begins as another one is; a client tries again after a refusal. */
export const fork = async (history: History, from: string) => {
  for (let tries = 1; tries <= 3; tries += 1) {
    if (!(await settled(history))) return;
    if (await forkOnce(history, from)) return;
    if (history.disk.isKilled) return;
    await history.writable();
  }
};

/** @returns false when it was refused */
const forkOnce = async (history: History, from: string): Promise<boolean> => {
  history.names += 1;
  const name = `w${history.names}`;
  const { model } = history.of(from);
  const contents = contentsOf(history.world(from).engine.state);
  history.forks.set(name, copyOf(model));
  const call = control("sandbox", {
    operation: "createWorld",
    method: "POST",
    path: "/worlds",
    body: { name, from: `world:${from}` },
  });
  meetFault(history);
  const answer = await history.answerTo(call);
  if (history.disk.isKilled || !answer || !("status" in answer)) return true;
  if (answer.status >= 300) {
    // Refused is not there, so nothing has to be learned.
    history.forks.delete(name);
    forget(history, call);
    return false;
  }
  history.counts.note("forks");
  history.track(name, model);
  history.forks.delete(name);
  if (isRunning(history)) return true;
  const difference = differenceOf(history.replicaOf(name).born.contents, contents, sameBut);
  must(difference === undefined, () => `the fork ${name} of ${from}: ${difference}`);
  return true;
};

/** Removes a world with everything in it. */
export const remove = async (history: History, name: string) => {
  if (name === "sandbox" || !(await settled(history))) return;
  const { tracked } = history;
  history.forks.set(name, history.of(name).model);
  tracked.delete(name);
  const call = control("sandbox", {
    operation: "removeWorld",
    method: "DELETE",
    path: `/worlds/${name}`,
  });
  meetFault(history);
  if ((await history.ask(call)) === undefined) return;
  history.counts.note("worlds removed");
  history.forks.delete(name);
  history.process?.forget(name);
};

/** Takes a snapshot out of a world and into it again, under another name. */
export const exportAndImport = async (history: History, world: string) => {
  if (!(await settled(history))) return;
  const { snapshots } = history.of(world);
  const name = [...snapshots.keys()].find((one) => one !== COPY);
  if (name === undefined) return;
  const kept = snapshots.get(name) as KeptSnapshot;
  const path = `/snapshots/${name}/export`;
  const ask = { operation: "exportSnapshot", method: "GET", path, isText: true };
  const file = await history.askText(control(world, ask));
  if (history.disk.isKilled || file === undefined) return;
  snapshots.delete(COPY);
  const taken = control(world, {
    operation: "importSnapshot",
    method: "POST",
    path: "/snapshots/import",
    body: { file, name: COPY },
  });
  if ((await history.ask(taken)) === undefined) return;
  history.counts.note("snapshots imported");
  snapshots.set(COPY, kept);
};

const COPY = "taken-in";

/** Removes a snapshot, or says in what a world differs from it. */
export const lookBack = async (history: History, world: string) => {
  if (!(await settled(history))) return;
  const { snapshots } = history.of(world);
  const names = [...snapshots.keys()];
  if (names.length === 0) return;
  const name = history.chance.pick(names);
  if (!history.chance.oneIn(3)) {
    const path = `/diff?from=snapshot:${name}`;
    await history.ask(control(world, { operation: "diff", method: "GET", path }));
    return;
  }
  snapshots.delete(name);
  const path = `/snapshots/${name}`;
  await history.ask(control(world, { operation: "removeSnapshot", method: "DELETE", path }));
};
