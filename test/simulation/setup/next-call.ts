import { AGENT_CALLS, FIRST_AGENT_CALLS } from "./agent-calls.ts";
import { type Call, loosened } from "./call.ts";
import { CARD_CALLS, FIRST_CARD_CALLS, TOKEN_CALLS } from "./card-calls.ts";
import type { Chance } from "./chance.ts";
import { CONTROL_CALLS } from "./control-calls.ts";
import type { History } from "./history.ts";
import { OTHER_CALLS } from "./other-calls.ts";
import { FIRST_PAPER_CALLS, PAPER_CALLS } from "./paper-calls.ts";
import {
  type Client,
  FIRST_CALLS,
  FOLLOWING,
  type MakeCall,
  PAYING_CALLS,
} from "./platform-calls.ts";
import { FIRST_WALLET_CALLS, WALLET_CALLS } from "./wallet-calls.ts";

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

export const clientOf = (history: History, world: string): Client => ({
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

/** A call as time lets it end. */
export const inTime = ({ swarm }: History, call: Call): Call =>
  swarm.clock === "manual" ? call : loosened(call);

/** Makes calls until one fits the world. */
export const nextCall = (history: History, world: string): Call | undefined => {
  const { theme } = history.swarm;
  const kinds = CLIENTS.map(
    ({ calls, ...one }) => [one.theme === theme ? one.often : one.rarely, calls] as const,
  );
  for (let tries = 0; tries < 6; tries += 1) {
    const calls = pickWeighted(kinds, history.chance);
    const call = pickWeighted(calls, history.chance)(clientOf(history, world));
    const isAlone = ALONE.includes(calls) || (call?.isAlone ?? false);
    const isUncertain = history.underWay.length > 0 || history.cutOff.length > 0;
    if (call && !(isAlone && isUncertain)) return { ...inTime(history, call), isAlone };
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
    if (call) history.send(inTime(history, call));
    await history.settle();
  }
};

/** Has the client continue, where one thing leads to another. */
export const goOn = async (
  history: History,
  { operation, world }: Call,
  { isSure = false } = {},
) => {
  const { chance, disk, cutOff } = history;
  const make = FOLLOWING.get(operation);
  if (!make || disk.isKilled || cutOff.length > 0 || history.underWay.length > 0) return;
  if (!isSure && chance.oneIn(2)) return;
  const call = make(clientOf(history, world));
  if (!call) return;
  history.send(inTime(history, call));
  await history.settle();
};
