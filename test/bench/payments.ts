import { type BareProcess, startBareServer } from "./bare-process.ts";
import { bareWebhookSeconds } from "./bare-webhooks.ts";
import type { Figure, Found } from "./figure.ts";
import { CONNECTIONS, control, createQuotes, executeQuotes, payerBodies } from "./payers.ts";
import { wallMsOf } from "./processor-time.ts";
import { sharesOf } from "./ratios.ts";
import { type Accepted, type ReceiverProcess, startReceiver } from "./receiver-process.ts";
import { requestLoop } from "./request-loop.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const PAYERS = 50;
const PAYMENTS = 2_000;
/** Of the quote, of its execution, of the account and of the settled payment. */
const WEBHOOKS_EACH = 4;
/** About the length of an executed quote. */
const BARE_ANSWER = JSON.stringify({ id: "x".repeat(900) });
const MS_PER_SECOND = 1000;

interface Setting {
  workplace: Workplace;
  simulator: SimulatorProcess;
  receiver: ReceiverProcess;
  bare: BareProcess;
  bodies: readonly object[];
}

/** A round of payments, and the same calls and webhooks without a payments platform. */
interface Round {
  stages: Stages;
  bareMs: number;
}

/** Milliseconds of each stage of some payments. */
interface Stages extends Record<string, number> {
  execute: number;
  settle: number;
  webhooks: number;
}

const set = async (workplace: Workplace): Promise<Setting> => {
  const receiver = await startReceiver(workplace);
  const options = ["--clock", "manual", "--webhook-endpoint", receiver.url];
  const simulator = await startSimulator(workplace, ["--storage", "file:state", ...options]);
  const bare = await startBareServer(workplace, { status: 200, text: BARE_ANSWER });
  return { workplace, simulator, receiver, bare, bodies: await payerBodies(simulator, PAYERS) };
};

const bareMsOf = async ({ workplace, receiver, bare }: Setting, last: Accepted) => {
  const count = PAYMENTS * WEBHOOKS_EACH;
  const { seconds } = await requestLoop(workplace, {
    origin: new URL(bare.url).origin,
    headers: {},
    requests: [{ method: "POST", path: "/" }],
    connections: CONNECTIONS,
    total: PAYMENTS,
  });
  const sent = await bareWebhookSeconds(workplace, receiver.url, { last, count });
  return (seconds + sent) * MS_PER_SECOND;
};

/** Holds the webhooks back meanwhile, so that each stage has its own time. */
const measureRound = async (setting: Setting): Promise<Round> => {
  const { workplace, simulator, receiver, bodies } = setting;
  await control(simulator, "/webhooks/troubles", { do: "hold" });
  const ids = await createQuotes(workplace, simulator, { bodies, count: PAYMENTS });
  await receiver.forget();
  const execute = (await executeQuotes(workplace, simulator, ids)) * MS_PER_SECOND;
  const settle = await wallMsOf(() => control(simulator, "/clock/advance", { by: "6m" }));
  let last: Accepted = { connections: 0, body: "" };
  const webhooks = await wallMsOf(async () => {
    await control(simulator, "/webhooks/release", {});
    last = await receiver.accepted(PAYMENTS * WEBHOOKS_EACH);
  });
  return { stages: { execute, settle, webhooks }, bareMs: await bareMsOf(setting, last) };
};

const wholeMs = ({ execute, settle, webhooks }: Stages) => execute + settle + webhooks;

const roundsOf = async (workplace: Workplace): Promise<Round[]> => {
  const setting = await set(workplace);
  const rounds: Round[] = [];
  for (let count = -1; count < workplace.of({ short: 2, usual: 5 }); count += 1) {
    const round = await measureRound(setting);
    if (count >= 0) rounds.push(round);
  }
  return rounds;
};

const sentenceOf = (stages: Stages) => {
  const shares = Object.entries(sharesOf<string>(stages)).map(
    ([name, share]) => `${name} ${Math.round(share * 100)} %`,
  );
  return `stages of ${Math.round(wholeMs(stages))} ms: ${shares.join(", ")}`;
};

/** Rounds of a run that the figure of the longest stage takes over. */
const measuredRounds = new WeakMap<Workplace, Round[]>();

const measureRounds = async (workplace: Workplace) => {
  const rounds = await roundsOf(workplace);
  measuredRounds.set(workplace, rounds);
  return rounds;
};

const takeRounds = (workplace: Workplace) => {
  const rounds = measuredRounds.get(workplace);
  measuredRounds.delete(workplace);
  return rounds;
};

/** Payments from their execution to the last of their webhooks. */
export const paymentFigures: readonly Figure[] = [
  {
    name: `payments executed, settled, ${WEBHOOKS_EACH} webhooks accepted`,
    floor: "as many bare calls and requests",
    unit: "/s",
    target: { atLeast: 0.5 },
    from: "short",
    measure: async (workplace): Promise<Found> => {
      const rounds = await measureRounds(workplace);
      const pairs = rounds.map(({ stages, bareMs }) => ({
        measured: PAYMENTS / (wholeMs(stages) / MS_PER_SECOND),
        floor: PAYMENTS / (bareMs / MS_PER_SECOND),
      }));
      return { pairs, notes: rounds.map(({ stages }) => sentenceOf(stages)) };
    },
  },
  {
    name: "the longest stage of such payments",
    floor: "all stages",
    unit: "ms",
    target: { atMost: 0.5 },
    from: "short",
    measure: async (workplace) => {
      const rounds = takeRounds(workplace) ?? (await roundsOf(workplace));
      return rounds.map(({ stages }) => ({
        measured: Math.max(...Object.values(stages)),
        floor: wholeMs(stages),
      }));
    },
  },
];
