import { amountFor } from "./adversary-amounts.ts";
import type { Chance } from "./adversary-chance.ts";
import { mostWithin } from "./adversary-money.ts";
import type { AgentMove, Move } from "./adversary-moves.ts";
import { PATCHES, PERMISSIONS } from "./adversary-policies.ts";
import type { ModelAgent } from "./adversary-state.ts";
import {
  type AccountName,
  type AdversaryWorld,
  CUSTOMER_OF_AGENT,
  INSIDE_NAMES,
} from "./adversary-world.ts";

const AGENTS = [0, 0, 0, 0, 1, 1, 2] as const;
/** Nearly always an account of the agent's own customer. */
const whose = (chance: Chance, agent: number) => {
  const own = CUSTOMER_OF_AGENT[agent] as number;
  return chance.odds(4) ? 1 - own : own;
};

const PAIRS: Record<"in" | "out", readonly [AccountName, AccountName][]> = {
  out: [
    ["usd", "bank"],
    ["usd", "bank"],
    ["savings", "bank"],
    ["usd", "refusing bank"],
    ["usd", "slowly failing bank"],
    ["eur", "euro bank"],
    ["vnd", "vnd bank"],
    ["usdc", "usdc wallet"],
    ["usd", "mexican"],
    ["usd", "savings"],
  ],
  in: [
    ["bank", "usd"],
    ["bank", "usd"],
    ["bank", "savings"],
    ["refusing bank", "usd"],
    ["slowly failing bank", "savings"],
    ["euro bank", "eur"],
    ["vnd bank", "vnd"],
    ["usdc wallet", "usdc"],
  ],
};

const keyed = (chance: Chance) => (chance.odds(20) ? { key: chance.one(["k1", "k2"]) } : {});

type Maker = (world: AdversaryWorld, chance: Chance, agent: number) => Promise<Move | undefined>;

const transfer: Maker = async (world, chance, agent) => {
  const way = chance.one(["out", "out", "in"] as const);
  const [source, target] = chance.one(PAIRS[way]);
  const from = await world.account(whose(chance, agent), source);
  const to = await world.account(whose(chance, agent), target);
  const amount = amountFor(world, chance, { agent, account: from.isInside ? from : to });
  return { does: "transfer", agent, way, from: from.id, to: to.id, amount, ...keyed(chance) };
};

const SOURCES = ["usd", "usd", "savings", "usdc", "bank", "refusing bank", "eur"] as const;

const quote: Maker = async (world, chance, agent) => {
  const from = await world.account(whose(chance, agent), chance.one(SOURCES));
  const target = chance.one([
    ...INSIDE_NAMES,
    "mexican",
    "mexican",
    "failing mexican",
    "bank",
  ] as const);
  const to = await world.account(whose(chance, agent), target);
  const side = chance.one(["SENDING", "SENDING", "RECEIVING"] as const);
  const sent = amountFor(world, chance, { agent, account: from });
  const { rates } = world.state;
  const amount =
    side === "SENDING"
      ? sent
      : Number(mostWithin({ minor: BigInt(sent), currency: from.currency }, to.currency, rates));
  const isImmediate = chance.odds(40);
  return {
    does: "quote",
    agent,
    from: from.id,
    to: to.id,
    side,
    amount,
    isImmediate,
    ...keyed(chance),
  };
};

const execute: Maker = async (world, chance, agent) => {
  const { quotes } = world.state;
  const own = quotes.filter((one) => one.agent === agent && !one.isExecuted);
  const made = chance.odds(80) ? chance.maybe(own.slice(-2)) : chance.maybe(quotes);
  return made && { does: "execute", agent, quoteId: made.id, ...keyed(chance) };
};

const decide: Maker = async ({ state }, chance, agent) => {
  const waiting = state.actions.filter(({ status }) => status === "PENDING_APPROVAL");
  const action = chance.odds(85) ? chance.maybe(waiting) : chance.maybe(state.actions);
  if (action?.id === undefined) return undefined;
  const on = chance.odds(85) ? "approve" : "reject";
  const reason = chance.odds(50) ? { reason: "No" } : {};
  const by = chance.odds(92) ? action.agent : agent;
  return { does: "decide", agent: by, on, actionId: action.id, ...(on === "reject" && reason) };
};

const changePolicy: Maker = async (world, chance, agent) => {
  const patch = await chance.one(PATCHES)(world, chance, agent);
  return { does: "change policy", agent, patch };
};

const pause: Maker = async ({ state }, _chance, agent) => ({
  does: "pause",
  agent,
  isPaused: !state.agents[agent]?.isPaused,
});

/** Mends obstacles that last, so that later moves of a run can still succeed. */
const mend: Maker = async ({ state }, chance) => {
  const ofSome = (hinders: (agent: ModelAgent) => boolean) =>
    state.agents.findIndex((agent) => !agent.isDeleted && hinders(agent));
  const paused = ofSome(({ isPaused }) => isPaused);
  if (paused >= 0) return { does: "pause", agent: paused, isPaused: false };
  const agent = ofSome(({ policy }) =>
    PERMISSIONS.some((one) => !policy.permissions.includes(one)),
  );
  const patch = { permissions: PERMISSIONS };
  return agent < 0 || chance.odds(50) ? undefined : { does: "change policy", agent, patch };
};

const pay: Maker = async ({ state }, chance) => {
  const made = chance.maybe(state.quotes);
  return made && { does: "pay", quoteId: made.id };
};

/** Sends a request again under its key, unchanged or with another amount. */
const repeat: Maker = async ({ facts }, chance) => {
  const sent = facts.map(({ move }) => move).filter((move): move is AgentMove => "key" in move);
  const move = chance.maybe(sent);
  if (!move || move.does === "execute" || chance.odds(60)) return move;
  return { ...move, amount: move.amount + 1 };
};

const ONE_BY_ONE: [Maker, number][] = [
  [transfer, 30],
  [quote, 18],
  [execute, 14],
  [decide, 18],
  [changePolicy, 9],
  [pause, 3],
  [mend, 9],
  [repeat, 5],
  [pay, 2],
  [async (_world, chance, agent) => (chance.odds(40) ? { does: "delete", agent } : undefined), 2],
];

const WEIGHED = ONE_BY_ONE.flatMap(([maker, weight]) => Array<Maker>(weight).fill(maker));

/** One event of a run. */
interface Command {
  name: string;
  weight: number;
  run(world: AdversaryWorld, chance: Chance): Promise<unknown>;
}

const single = async (world: AdversaryWorld, chance: Chance) => {
  const move = await chance.one(WEIGHED)(world, chance, chance.one(AGENTS));
  if (move) await world.play(move);
};

/** Two to five requests at once, most of them of one agent. */
const batch = async (world: AdversaryWorld, chance: Chance) => {
  const agent = chance.one(AGENTS);
  const size = 2 + chance.below(4);
  const moves: Move[] = [];
  while (moves.length < size) {
    const last = moves.at(-1);
    if (last && chance.odds(25)) moves.push(last);
    else {
      const move = await chance.one(WEIGHED)(
        world,
        chance,
        chance.odds(85) ? agent : chance.one(AGENTS),
      );
      if (move) moves.push(move);
      else if (chance.odds(20)) break;
    }
  }
  if (moves.length > 0) await world.play(...moves);
};

/** Changes the world while an action waits, then approves the action. */
const approveTooLate = async (world: AdversaryWorld, chance: Chance) => {
  const { state } = world;
  const waiting = state.actions.filter(({ status }) => status === "PENDING_APPROVAL");
  const action = chance.maybe(waiting);
  if (action?.id === undefined) return single(world, chance);
  const { agent, id: actionId } = action;
  const between = chance.one([changePolicy, changePolicy, pause, transfer, execute]);
  const move = await between(world, chance, agent);
  if (move) await world.play(move);
  await world.advance(world.state.nowMs + 1);
  return world.play({ does: "decide", agent, on: "approve", actionId });
};

const DAY_MS = 86_400_000;

/** Instants at which counters may reset, and a few ordinary ones. */
const later = ({ state }: AdversaryWorld, chance: Chance): number => {
  const { nowMs } = state;
  const midnightMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const now = new Date(nowMs);
  const nextMonthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const expiry = state.quotes
    .map(({ expiresAtMs }) => expiresAtMs)
    .filter((atMs) => atMs > nowMs + 1);
  return chance.one([
    nowMs + 1000,
    nowMs + 31_000,
    midnightMs - 1,
    midnightMs,
    midnightMs,
    midnightMs + 3_600_000,
    nextMonthMs,
    nextMonthMs - 1,
    nowMs + DAY_MS,
    ...(expiry.length > 0 ? [chance.one(expiry), chance.one(expiry) - 1] : []),
  ]);
};

const RATES = {
  EUR: ["0.92", "0.93", "0.5", "1.07", "1/3"],
  USDC: ["1", "0.9997", "1.01"],
  VND: ["24500", "25000.5"],
  MXN: ["17.25", "20", "0.5"],
} as const;

export const COMMANDS: Command[] = [
  { name: "one request", weight: 60, run: single },
  { name: "several at once", weight: 20, run: batch },
  { name: "approval too late", weight: 10, run: approveTooLate },
  {
    name: "time continues",
    weight: 14,
    run: async (world, chance) => {
      const toMs = later(world, chance);
      if (toMs > world.state.nowMs) await world.advance(toMs);
    },
  },
  {
    name: "rates move",
    weight: 6,
    run: (world, chance) => {
      const currency = chance.one(["EUR", "USDC", "VND", "MXN"] as const);
      return world.setRates({ [currency]: chance.one<string>(RATES[currency]) });
    },
  },
];
