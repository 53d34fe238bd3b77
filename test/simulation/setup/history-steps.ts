import { AGENT_CALLS, FIRST_AGENT_CALLS } from "./agent-calls.ts";
import { must } from "./breach.ts";
import type { Call } from "./call.ts";
import {
  CARD_CALLS,
  createToken,
  FIRST_CARD_CALLS,
  TOKEN_CALLS,
  withForeignToken,
  withNewestToken,
} from "./card-calls.ts";
import type { Chance } from "./chance.ts";
import { CONTROL_CALLS } from "./control-calls.ts";
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
import { OTHER_CALLS } from "./other-calls.ts";
import { FIRST_PAPER_CALLS, PAPER_CALLS } from "./paper-calls.ts";
import {
  type Client,
  doneOf,
  FIRST_CALLS,
  FOLLOWING,
  type MakeCall,
  PAYING_CALLS,
} from "./platform-calls.ts";
import { recover, settleCutOff, wake } from "./recovery.ts";
import type { Tracked } from "./tracked-world.ts";
import { FIRST_WALLET_CALLS, WALLET_CALLS } from "./wallet-calls.ts";

/** A step of a history: what it does, how often, and when it may. */
export interface Step {
  name: string;
  weight(history: History): number;
  run(history: History): Promise<void> | void;
}

export const pickWeighted = <Item>(
  items: readonly (readonly [weight: number, item: Item])[],
  chance: Chance,
): Item => {
  const total = items.reduce((sum, [weight]) => sum + weight, 0);
  let draw = chance.below(total);
  for (const [weight, item] of items) {
    draw -= weight;
    if (draw < 0) return item;
  }
  throw new Error("Expected weights above zero but found none");
};

/** A token of a world that is there, unknown to the one that is called. */
const foreignToken = (history: History, world: string): string | undefined => {
  const own = history.of(world).model.tokens;
  const others = [...history.tracked]
    .filter(([name]) => name !== world)
    .flatMap(([, { model }]) => Object.values(model.tokens))
    .filter(({ id, isDeleted }) => !isDeleted && !(id in own));
  // The newest was used last, and is remembered best.
  return others.at(-1)?.as;
};

const clientOf = (history: History, world: string): Client => ({
  world,
  model: history.of(world).model,
  chance: history.chance,
  nextKey: () => {
    history.keys += 1;
    return `key-${history.keys}`;
  },
  nowMs: () => history.world(world).engine.clock.now(),
  ids: (kind) => history.world(world).engine.state.ids(kind, "all", "").slice(),
  attempts: (id) => history.world(world).engine.state.get("Delivery", id)?.attemptCount ?? 0,
  held: (id) => Number(history.world(world).engine.state.balanceMinor(id, "USD")),
  isFull: history.swarm.full,
  keySet: () => history.keySet,
  foreignToken: () => foreignToken(history, world),
  isCalm: !history.swarm.crashes && !history.swarm.diskFaults && !history.swarm.switches,
  waitingPayments: () =>
    [...history.world(world).engine.state.each("Transaction")]
      .filter(({ type, status }) => type === "INCOMING" && status === "PENDING")
      .map(({ id }) => id),
});

type Catalogue = readonly (readonly [weight: number, make: MakeCall])[];

/** Calls of each kind of client, and how often a history of its theme makes them. */
const CLIENTS: readonly { theme?: string; calls: Catalogue; often: number; rarely: number }[] = [
  { theme: "payments", calls: PAYING_CALLS, often: 12, rarely: 3 },
  { theme: "agents", calls: AGENT_CALLS, often: 16, rarely: 1 },
  { theme: "cards", calls: CARD_CALLS, often: 12, rarely: 1 },
  { theme: "wallets", calls: WALLET_CALLS, often: 16, rarely: 1 },
  { theme: "papers", calls: PAPER_CALLS, often: 14, rarely: 1 },
  { theme: "others", calls: OTHER_CALLS, often: 8, rarely: 2 },
  { theme: "others", calls: TOKEN_CALLS, often: 6, rarely: 1 },
  { theme: "operator", calls: CONTROL_CALLS, often: 16, rarely: 2 },
];

/** Clients whose expectations depend on calls that are still under way. */
const ALONE: readonly Catalogue[] = [AGENT_CALLS, TOKEN_CALLS, WALLET_CALLS, CONTROL_CALLS];

const ANY = [200, 201, 202, 204, 400, 401, 403, 404, 405, 408, 409, 410, 422, 429];

/** A call where time moves by itself: what depends on an instant may go either way. */
const loosened = ({ requires: _requires, ...call }: Call): Call => ({ ...call, expects: ANY });

/** Makes calls until one fits the world. */
const nextCall = (history: History, world: string): Call | undefined => {
  const { theme } = history.swarm;
  const kinds = CLIENTS.map(
    ({ calls, ...one }) => [one.theme === theme ? one.often : one.rarely, calls] as const,
  );
  for (let tries = 0; tries < 6; tries += 1) {
    const calls = pickWeighted(kinds, history.chance);
    const call = pickWeighted(calls, history.chance)(clientOf(history, world));
    const isAlone = ALONE.includes(calls) || (call?.isAlone ?? false);
    const isUncertain = history.underWay.length > 0 || history.cutOff.length > 0;
    if (call && !(isAlone && isUncertain))
      return { ...(history.swarm.clock === "manual" ? call : loosened(call)), isAlone };
  }
  return undefined;
};

const FIRST_OF: Readonly<Record<string, readonly MakeCall[]>> = {
  agents: FIRST_AGENT_CALLS,
  cards: FIRST_CARD_CALLS,
  wallets: FIRST_WALLET_CALLS,
  papers: FIRST_PAPER_CALLS,
};

/** Makes a customer who can pay at once: most histories begin with one. */
export const prepare = async (history: History) => {
  const { theme } = history.swarm;
  const further = FIRST_OF[theme] ?? [];
  for (const make of [...FIRST_CALLS, ...further]) {
    const call = make(clientOf(history, "sandbox"));
    if (call) history.send(call);
    await history.settle();
  }
};

const anyWorld = (history: History) => history.chance.pick([...history.tracked.keys()]);

/** What the client does next, where one thing leads to another. */
const goOn = async (history: History, { operation, world }: Call) => {
  const { chance, disk, cutOff } = history;
  const make = FOLLOWING.get(operation);
  if (!make || disk.isKilled || cutOff.length > 0 || history.underWay.length > 0) return;
  if (chance.oneIn(2)) return;
  const call = make(clientOf(history, world));
  if (!call) return;
  history.send(history.swarm.clock === "manual" ? call : loosened(call));
  await history.settle();
};

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
    const { keyed } = history.of(world).model;
    if (keyed.length === 0) return;
    const { operation, method, path, body, key, as } = history.chance.pick(keyed);
    const done = doneOf(operation, path);
    history.counts.note("replays");
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
  return { ...call, body: { to: new Date(chance.pick(ends)).toISOString(), budgetMs: 600_000 } };
};

export const advanceCall = (world: string, by: string, budgetMs = 600_000): Call => ({
  surface: "control",
  world,
  operation: "advance",
  method: "POST",
  path: "/clock/advance",
  body: { by, budgetMs },
  expects: [200],
});

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
    if (history.swarm.theme === "agents") await goOn(history, advanceCall(world, ""));
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

const FAULTS = ["ENOSPC", "EIO", "EACCES"] as const;

const diskFault: Step = {
  name: "disk fault",
  weight: ({ swarm }) => (swarm.diskFaults ? 7 : 0),
  run: ({ disk, chance, counts }) => {
    const code = chance.pick(FAULTS);
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
      if (call) history.send(history.swarm.clock === "manual" ? call : loosened(call));
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
  goingBack("save", 4, save),
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
  restartStopped,
  retryNow,
];
