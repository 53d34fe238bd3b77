import type { EventType } from "../library/contract-types.ts";
import type { Simulator } from "../library/simulator.ts";

/** Webhooks that a test expects: those of a type, or as many as `count` says. */
export type ExpectedWebhook =
  | EventType
  | {
      type: EventType;
      /** Id of the record that it tells of. */
      about?: string;
      /** Exactly this many; at least one by default. */
      count?: number;
      /** Longest wait, wall milliseconds; 1,000 by default. */
      timeoutMs?: number;
    };

/** Verdict of a matcher, as vitest and jest take it. */
interface Verdict {
  pass: boolean;
  message(): string;
}

const DEFAULT_WAIT_MS = 1_000;
/** The shortest wait: for webhooks that are not to come. */
const NO_WAIT_MS = 1;
/** Most webhooks that a failure lists. */
const MOST_LISTED = 20;

const requireSimulator = (value: unknown, matcher: string): Simulator => {
  if (typeof value === "object" && value !== null && "webhooks" in value && "ledger" in value)
    return value as Simulator;
  throw new TypeError(`${matcher} expects a simulator: expect(sim).${matcher}(…)`);
};

const wantedOf = (expected: ExpectedWebhook) =>
  typeof expected === "string" ? { type: expected } : expected;

type Wanted = ReturnType<typeof wantedOf> & {
  about?: string;
  count?: number;
  timeoutMs?: number;
};

/** Counts the webhooks that came, after a wait for as many as are wanted. */
const countOf = (sim: Simulator, { type, about, count }: Wanted, timeoutMs: number) =>
  sim.webhooks.count({ type, timeoutMs, count: Math.max(count ?? 1, 1), ...(about && { about }) });

const listOf = async (sim: Simulator) => {
  const { data } = await sim.webhooks.list({ limit: MOST_LISTED });
  const lines = data.map(({ type, about, state }) => `  ${type} about ${about ?? "-"}, ${state}`);
  return lines.length === 0
    ? "It has no webhooks."
    : ["Its webhooks, newest first:", ...lines].join("\n");
};

const nameOf = ({ type, about, count }: Wanted) =>
  [
    count === undefined ? "" : `${count} × `,
    type,
    about === undefined ? "" : ` about ${about}`,
  ].join("");

const isAsWanted = (total: number, { count }: Wanted) =>
  count === undefined ? total > 0 : total === count;

/** Whether a world's webhooks were accepted or, without an endpoint, collected. */
export async function toHaveReceived(
  this: { isNot?: boolean },
  received: unknown,
  expected: ExpectedWebhook,
): Promise<Verdict> {
  const sim = requireSimulator(received, "toHaveReceived");
  const wanted: Wanted = wantedOf(expected);
  const isPatient = this.isNot !== true && wanted.count !== 0;
  const waitMs = isPatient ? (wanted.timeoutMs ?? DEFAULT_WAIT_MS) : NO_WAIT_MS;
  const total = await countOf(sim, wanted, waitMs);
  const pass = isAsWanted(total, wanted);
  // Asked for only where the message will be read.
  const list = pass === (this.isNot === true) ? await listOf(sim) : "";
  const not = this.isNot ? "not " : "";
  return {
    pass,
    message: () =>
      `Expected world ${sim.world} ${not}to have received ${nameOf(wanted)} but found ${total}.\n${list}`,
  };
}

/** Whether the balances of a world's ledger add up to zero in every currency. */
export async function toBalance(received: unknown): Promise<Verdict> {
  const sim = requireSimulator(received, "toBalance");
  const { totals } = await sim.ledger({ limit: 1 });
  const wrong = Object.entries(totals).filter(([, total]) => total !== 0);
  const shown = wrong.map(([currency, total]) => `${total} ${currency}`).join(", ");
  return {
    pass: wrong.length === 0,
    message: () =>
      wrong.length === 0
        ? `Expected the ledger of world ${sim.world} not to balance but every total is 0`
        : `Expected the ledger of world ${sim.world} to balance but found ${shown}`,
  };
}
