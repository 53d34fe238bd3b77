import type { Figure, Found } from "./figure.ts";
import { control, createQuotes, executeQuotes, payerBodies } from "./payers.ts";
import { wallMsOf } from "./processor-time.ts";
import { sharesOf } from "./ratios.ts";
import { type ReceiverProcess, startReceiver } from "./receiver-process.ts";
import { type SimulatorProcess, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const PAYERS = 50;
const PAYMENTS = 2_000;
/** Of the quote, of its execution, of the account and of the settled payment. */
const WEBHOOKS_EACH = 4;
const WANTED_PER_SECOND = 1_000;
const MS_PER_SECOND = 1000;

interface Setting {
  workplace: Workplace;
  simulator: SimulatorProcess;
  receiver: ReceiverProcess;
  bodies: readonly object[];
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
  return { workplace, simulator, receiver, bodies: await payerBodies(simulator, PAYERS) };
};

/** Holds the webhooks back meanwhile, so that each stage has its own time. */
const stagesOf = async ({ workplace, simulator, receiver, bodies }: Setting): Promise<Stages> => {
  await control(simulator, "/webhooks/troubles", { do: "hold" });
  const ids = await createQuotes(workplace, simulator, { bodies, count: PAYMENTS });
  await receiver.forget();
  const execute = (await executeQuotes(workplace, simulator, ids)) * MS_PER_SECOND;
  const settle = await wallMsOf(() => control(simulator, "/clock/advance", { by: "6m" }));
  const webhooks = await wallMsOf(async () => {
    await control(simulator, "/webhooks/release", {});
    await receiver.accepted(PAYMENTS * WEBHOOKS_EACH);
  });
  return { execute, settle, webhooks };
};

const wholeMs = ({ execute, settle, webhooks }: Stages) => execute + settle + webhooks;

const stagesByRound = async (workplace: Workplace): Promise<Stages[]> => {
  const setting = await set(workplace);
  const rounds: Stages[] = [];
  for (let round = -1; round < workplace.of({ short: 2, usual: 5 }); round += 1) {
    const stages = await stagesOf(setting);
    if (round >= 0) rounds.push(stages);
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
const measuredRounds = new WeakMap<Workplace, Stages[]>();

const measureRounds = async (workplace: Workplace) => {
  const rounds = await stagesByRound(workplace);
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
    floor: "1,000/s",
    unit: "/s",
    target: { atLeast: 1 },
    from: "short",
    measure: async (workplace): Promise<Found> => {
      const rounds = await measureRounds(workplace);
      const pairs = rounds.map((stages) => ({
        measured: PAYMENTS / (wholeMs(stages) / MS_PER_SECOND),
        floor: WANTED_PER_SECOND,
      }));
      return { pairs, notes: rounds.map(sentenceOf) };
    },
  },
  {
    name: "the longest stage of such payments",
    floor: "all stages",
    unit: "ms",
    target: { atMost: 0.5 },
    from: "short",
    measure: async (workplace) => {
      const rounds = takeRounds(workplace) ?? (await stagesByRound(workplace));
      return rounds.map((stages) => ({
        measured: Math.max(...Object.values(stages)),
        floor: wholeMs(stages),
      }));
    },
  },
];
