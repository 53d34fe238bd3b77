import { isDeepStrictEqual } from "node:util";
import type { Answer, Parsed } from "../../../setup/test-simulator.ts";
import type { Job } from "./adversary-fates.ts";
import type { Rates } from "./adversary-money.ts";
import { type Policy, wordOf } from "./adversary-moves.ts";
import type { Usage } from "./adversary-policy.ts";

export interface ModelAgent {
  id: string;
  customer: number;
  isPaused: boolean;
  isDeleted: boolean;
  policy: Policy;
  usage: Usage;
}

export interface ModelAction {
  /** Unknown at first for an immediate quote, whose answer is the quote. */
  id?: string;
  agent: number;
  job: Job;
  status: "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED";
  hasTransaction: boolean;
  /** Instant at which its payment fails after it had begun. */
  failsAtMs?: number;
}

export interface ModelQuote {
  id: string;
  agent: number;
  job: Job;
  expiresAtMs: number;
  isExecuted: boolean;
}

/** Everything that the referee knows. Policies and usage are replaced, never changed in place. */
export interface State {
  nowMs: number;
  rates: Rates;
  agents: ModelAgent[];
  actions: ModelAction[];
  quotes: ModelQuote[];
  balances: Record<string, bigint>;
  coming: { accountId: string; minor: bigint; atMs: number }[];
  answers: Map<string, { status: number; body: Parsed; untilMs: number }>;
}

export const copyOf = (state: State): State => ({
  ...state,
  agents: state.agents.map((agent) => ({ ...agent })),
  actions: state.actions.map((action) => ({ ...action })),
  quotes: state.quotes.map((quote) => ({ ...quote })),
  balances: { ...state.balances },
  coming: [...state.coming],
  answers: new Map(state.answers),
});

/** Moves the time on and applies everything that is due. */
export const passTime = (state: State, toMs: number) => {
  state.nowMs = toMs;
  for (const { accountId, minor, atMs } of state.coming)
    if (atMs <= toMs) state.balances[accountId] = (state.balances[accountId] ?? 0n) + minor;
  state.coming = state.coming.filter(({ atMs }) => atMs > toMs);
  for (const action of state.actions)
    if (action.status === "APPROVED" && (action.failsAtMs ?? toMs + 1) <= toMs)
      action.status = "FAILED";
};

/** One right answer, and the state after it. */
export interface Expected {
  status: number;
  word?: string;
  details?: Record<string, unknown>;
  /** Members of the body. */
  body?: Record<string, unknown>;
  hasTransaction?: boolean;
  keep?: (answer: Answer) => void;
}

/** The difference between an expected answer and a real one. */
export const differs = (expected: Expected, { status, body }: Answer): string | undefined => {
  const { word, details = {}, body: members = {}, hasTransaction } = expected;
  if (status !== expected.status) return `status ${expected.status}`;
  if (word !== undefined && wordOf(body) !== word) return `reason ${word}`;
  for (const [name, value] of Object.entries(details))
    if (!isDeepStrictEqual(body.details?.[name], value)) return `details.${name} ${value}`;
  for (const [name, value] of Object.entries(members))
    if (!isDeepStrictEqual(body[name], value)) return `${name} ${JSON.stringify(value)}`;
  if (hasTransaction !== undefined && hasTransaction !== (body.transaction !== undefined))
    return hasTransaction ? "a transaction" : "no transaction";
  return undefined;
};
