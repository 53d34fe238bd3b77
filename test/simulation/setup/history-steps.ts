import { advanceCall } from "./advance-call.ts";
import { noteRepeated } from "./agent-limits.ts";
import { must } from "./breach.ts";
import type { Call } from "./call.ts";
import { createToken, withForeignToken, withNewestToken } from "./card-calls.ts";
import { loseFolder } from "./folder-steps.ts";
import {
  exportAndImport,
  fork,
  lookBack,
  remove,
  reset,
  restore,
  rewind,
  save,
} from "./going-back.ts";
import type { History } from "./history.ts";
import { clientOf, goOn, inTime, nextCall } from "./next-call.ts";
import { doneOf } from "./platform-calls.ts";
import { recover, settleCutOff, wake } from "./recovery.ts";
import { DISK_FAULTS } from "./simulated-disk.ts";
import type { Tracked } from "./tracked-world.ts";
import { leaveRows } from "./watched-rows.ts";

/** A step of a history: what it does, how often, and when it may. */
export interface Step {
  name: string;
  weight(history: History): number;
  run(history: History): Promise<void> | void;
}

const anyWorld = (history: History) => history.chance.pick([...history.tracked.keys()]);

/** One call, or a few at once; a keyed one may be sent twice at the same time. */
const callOnce: Step = {
  name: "call",
  weight: () => 60,
  run: async (history) => {
    const { chance, swarm } = history;
    const world = anyWorld(history);
    for (let many = 1 + chance.below(3); many > 0; many -= 1) {
      const call = nextCall(history, world);
      if (!call) continue;
      history.send(call);
      if (call.isAlone || !swarm.concurrent) await history.settle();
      if (call.isAlone) await goOn(history, call);
      if (history.disk.isKilled) return;
      if (call.key !== undefined && swarm.concurrent && chance.oneIn(4)) {
        history.counts.note("concurrent duplicates");
        history.send(call);
      }
      for (let turns = chance.below(4); turns > 0; turns -= 1) await history.host.turn();
    }
    if (!swarm.concurrent || chance.oneIn(2)) await history.settle();
  },
};

/** An earlier call with its key again. */
const replay: Step = {
  name: "replay",
  weight: () => 6,
  run: async (history) => {
    const world = anyWorld(history);
    const { model } = history.of(world);
    const { keyed } = model;
    if (keyed.length === 0) return;
    const { operation, method, path, body, key, as } = history.chance.pick(keyed);
    const done = doneOf(operation, path);
    history.counts.note("replays");
    noteRepeated(model, operation, history.world(world).engine.clock.now());
    history.send({
      surface: "platform",
      world,
      operation,
      method,
      path,
      key,
      ...(body !== undefined && { body }),
      ...(as !== "" && { as }),
      expects: [200, 201, 400, 401, 403, 404, 409, 422],
      ...(done && { done }),
    });
    await history.settle();
  },
};

const SPANS = ["1ms", "1s", "90s", "6m", "6m", "1h", "1d"];

/** Instants at which something ends that a client holds, as the client was told. */
const endsOf = ({ model }: Tracked, nowMs: number): number[] =>
  [model.sessions, model.challenges, model.proofs]
    .flatMap((record) => Object.values(record).map(({ expiresAtMs }) => expiresAtMs))
    .filter((atMs) => atMs > nowMs);

/** Time passes by a span, or exactly until something ends. */
const anyAdvance = (history: History, world: string): Call => {
  const { chance } = history;
  const ends = endsOf(history.of(world), history.world(world).engine.clock.now());
  const isByDays = history.swarm.theme === "agents" && chance.oneIn(2);
  const call = advanceCall(world, isByDays ? "1d" : chance.pick(SPANS));
  if (ends.length === 0 || chance.oneIn(3)) return call;
  const body = { to: new Date(chance.pick(ends)).toISOString(), budgetMs: 600_000 };
  return inTime(history, { ...call, body });
};

const advance: Step = {
  name: "advance",
  weight: () => 14,
  run: async (history) => {
    const world = anyWorld(history);
    await history.settle();
    // A client sends a lost call again before its key is forgotten.
    if (history.cutOff.length > 0) return;
    const report = await history.ask(anyAdvance(history, world));
    if (!report?.complete) return;
    if (history.swarm.theme === "agents")
      await goOn(history, advanceCall(world, ""), { isSure: true });
    history.counts.note("complete advances");
    must(report.stranded === undefined, () => `an advance left ${report.stranded} to nobody`);
    must(!report.unsent, () => `a complete advance left ${report.unsent} webhooks unsent`);
    must(!report.waitingFor, () => `a complete advance waits for ${report.waitingFor} attempts`);
  },
};

const passTime: Step = {
  name: "wall",
  weight: () => 4,
  run: async (history) => {
    history.host.wall.pass(history.chance.pick([10, 300, 1_000, 5_000, 70_000]));
    for (let turns = history.chance.below(6); turns > 0; turns -= 1) await history.host.turn();
  },
};

const MOODS = [
  "healthy",
  "failing",
  "hanging",
  "resetting",
  "late",
  "dripping",
  "endless",
] as const;

const moods: Step = {
  name: "moods",
  weight: ({ swarm }) => (swarm.moods ? 8 : 0),
  run: ({ receivers, chance, counts }) => {
    const mood = chance.pick(MOODS);
    counts.note(`receivers ${mood}`);
    receivers.mood = chance.oneIn(2) ? mood : receivers.mood;
    const lane = chance.pick([...receivers.lanes, ""]);
    if (lane !== "") receivers.moods.set(lane, mood);
  },
};

const answer: Step = {
  name: "answer",
  weight: () => 5,
  run: async ({ receivers, chance, host }) => {
    if (receivers.underWay.length > 0) receivers.end(chance.pick(receivers.underWay));
    for (let turns = chance.below(6); turns > 0; turns -= 1) await host.turn();
  },
};

const crash: Step = {
  name: "crash",
  weight: ({ swarm }) => (swarm.crashes ? 5 : 0),
  run: async (history) => {
    const { chance, swarm } = history;
    const mode = swarm.powerCuts && chance.oneIn(2) ? "power" : "kill";
    await recover(history, mode);
  },
};

/** A kill at one of the next changes of the disk. */
const crashAtWrite: Step = {
  name: "crash at a write",
  weight: ({ swarm }) => (swarm.crashes ? 6 : 0),
  run: ({ disk, chance, counts }) => {
    counts.note("kills set at a write");
    disk.killAfter(1 + chance.below(chance.pick([4, 30])));
  },
};

const restart: Step = {
  name: "restart",
  weight: () => 2,
  run: async (history) => {
    await history.settle();
    if (history.disk.isKilled) return;
    history.counts.note("clean stops");
    let isOver = false;
    void history.process?.close().then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    await history.turnUntil(() => isOver || history.disk.isKilled, "a stop");
    await recover(history, history.swarm.powerCuts && !history.disk.isKilled ? "power" : "kill");
  },
};

const diskFault: Step = {
  name: "disk fault",
  weight: ({ swarm }) => (swarm.diskFaults ? 7 : 0),
  run: ({ disk, chance, counts }) => {
    const code = chance.pick(DISK_FAULTS);
    counts.note(`disk faults ${code}`);
    disk.failWith(code, { from: 1 + chance.below(6), calls: 1 + chance.below(4) });
  },
};

/** The act of an operator when a world waits for a restart. */
const restartStopped: Step = {
  name: "restart of a stopped world",
  weight: (history) => (history.hasStopped() ? 200 : 0),
  run: async (history) => {
    history.disk.lift();
    await recover(history, "kill");
  },
};

const SWITCHES = [
  { dropResponse: true },
  { closeSocket: true },
  { status: 503 },
  { latencyMs: 400 },
] as const;

/** A fault switch of the product: an answer is lost, refused or late. */
const switchOn: Step = {
  name: "fault switch",
  weight: ({ swarm }) => (swarm.switches ? 8 : 0),
  run: async (history) => {
    const fault = history.chance.pick(SWITCHES);
    const world = anyWorld(history);
    history.counts.note(`fault switches ${Object.keys(fault)[0]}`);
    await history.ask({
      surface: "control",
      world,
      operation: "addFault",
      method: "POST",
      path: "/faults",
      body: { match: { times: 1 + history.chance.below(2) }, fault },
      expects: [200, 201],
    });
  },
};

/** The keys of an issuer change, or it does not answer. */
const keysChange: Step = {
  name: "keys",
  weight: ({ swarm }) => (swarm.theme === "wallets" ? 6 : 0),
  run: (history) => {
    history.keySet = history.chance.pick([["key-a"], ["key-b"], ["key-b", "key-a"], undefined]);
    history.counts.note(history.keySet ? "key sets changed" : "key sets fail");
  },
};

/** A token that one world has made is used there, and then in another one. */
const foreignCall: Step = {
  name: "foreign token",
  weight: ({ tracked }) => (tracked.size > 1 ? 14 : 0),
  run: async (history) => {
    const names = [...history.tracked.keys()];
    const [home, other] = history.chance.oneIn(2) ? names : names.reverse();
    if (home === undefined || other === undefined) return;
    for (const [world, make] of [
      [home, createToken],
      [home, withNewestToken],
      [other, withForeignToken],
    ] as const) {
      await history.settle();
      if (history.disk.isKilled || history.cutOff.length > 0) return;
      const call = make(clientOf(history, world));
      if (call) history.send(inTime(history, call));
    }
    await history.settle();
  },
};

const UNLOADED_AFTER_MS = 15 * 60_000;

/** Nobody calls for so long that worlds leave memory; calls come while they do. */
const unload: Step = {
  name: "unload",
  weight: ({ swarm, tracked }) => (swarm.unloads && tracked.size > 1 ? 12 : 0),
  run: async (history) => {
    await history.settle();
    if (history.disk.isKilled) return;
    leaveRows(history);
    history.host.wall.pass(UNLOADED_AFTER_MS);
    for (let turns = history.chance.below(12); turns > 0; turns -= 1) await history.host.turn();
    await wake(history);
  },
};

const retryNow: Step = {
  name: "retry",
  weight: ({ cutOff }) => (cutOff.length > 0 ? 30 : 0),
  run: settleCutOff,
};

/** A step that takes a world elsewhere. */
const goingBack = (
  name: string,
  weight: number,
  run: (history: History, world: string) => Promise<void>,
): Step => ({
  name,
  weight: ({ swarm }) => (swarm.goesBack ? weight : 0),
  run: (history) => run(history, anyWorld(history)),
});

const QUIET_MS = 300;

const callAndWait = async (history: History, world: string) => {
  const call = nextCall(history, world);
  if (call) history.send(call);
  await history.settle();
};

/** A disk fails behind a new segment, while a checkpoint is due; the process ends a call later. */
const saveAndFail = async (history: History, world: string) => {
  const { swarm, chance, disk, host, counts } = history;
  if (!swarm.diskFaults) return save(history, world);
  await callAndWait(history, world);
  if (disk.isKilled) return;
  await save(history, world);
  if (disk.isKilled) return;
  counts.note("disk faults behind a snapshot");
  disk.failWith(chance.pick(DISK_FAULTS), { from: 1 + chance.below(6), calls: 1 });
  // The world is quiet for long enough to begin its checkpoint.
  host.wall.pass(QUIET_MS);
  await history.letBe();
  if (disk.isKilled) return;
  for (let many = 1 + chance.below(3); many > 0 && !disk.isKilled; many -= 1)
    await callAndWait(history, world);
  if (swarm.crashes && !disk.isKilled) await recover(history, "kill");
};

const MAX_WORLDS = 4;

const forkStep: Step = {
  name: "fork",
  weight: ({ swarm, tracked }) => (swarm.worlds && tracked.size < MAX_WORLDS ? 7 : 0),
  run: (history) => fork(history, anyWorld(history)),
};

const removeStep: Step = {
  name: "remove",
  weight: ({ tracked }) => (tracked.size > 1 ? 2 : 0),
  run: (history) => remove(history, anyWorld(history)),
};

export const STEPS: readonly Step[] = [
  forkStep,
  removeStep,
  goingBack("rewind", 10, rewind),
  goingBack("reset", 3, reset),
  goingBack("save", 5, saveAndFail),
  goingBack("restore", 8, restore),
  goingBack("export", 3, exportAndImport),
  goingBack("look back", 3, lookBack),
  callOnce,
  replay,
  advance,
  passTime,
  moods,
  answer,
  crash,
  crashAtWrite,
  restart,
  diskFault,
  switchOn,
  keysChange,
  foreignCall,
  unload,
  loseFolder,
  restartStopped,
  retryNow,
];
