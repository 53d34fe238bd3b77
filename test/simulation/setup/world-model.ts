import type { Chance } from "./chance.ts";

/** An answer that its caller has seen. */
export interface Seen {
  status: number;
  text: string;
}

/** A call with an idempotency key, and the answer that the key has from then on. */
export interface KeyedAnswer extends Seen {
  operation: string;
  method: string;
  path: string;
  body: unknown;
  key: string;
  as: string;
  atMs: number;
}

export interface TokenModel {
  id: string;
  as: string;
  permissions: readonly string[];
  isDeleted: boolean;
}

export interface AgentModel {
  id: string;
  customerId: string;
  as?: string;
  code?: string;
  isDeleted: boolean;
  permissions: readonly string[];
}

export interface CustomerModel {
  id: string;
  isDeleted: boolean;
}

/**
 * All that clients were told of one world, in plain data: who exists, what was paid in, what a key
 * answers, what a token may. It has no rules of its own for prices: it takes amounts from replies.
 */
export interface WorldModel {
  customers: Record<string, CustomerModel>;
  /** USD accounts of customers, with all that was credited to them from outside by a call. */
  accounts: Record<string, { customerId: string; fundedMinor: number }>;
  payees: Record<string, { customerId: string; isDeleted: boolean }>;
  banks: Record<string, { customerId: string; isDeleted: boolean }>;
  quotes: Record<string, { transactionId: string; isExecuted: boolean; totalMinor: number }>;
  /** Statuses as last seen, by id. */
  statuses: Record<string, string>;
  cards: Record<string, { accountId: string; transactions: string[] }>;
  tokens: Record<string, TokenModel>;
  agents: Record<string, AgentModel>;
  invitations: Record<string, string>;
  keyed: KeyedAnswer[];
}

export const emptyModel = (): WorldModel => ({
  customers: {},
  accounts: {},
  payees: {},
  banks: {},
  quotes: {},
  statuses: {},
  cards: {},
  tokens: {},
  agents: {},
  invitations: {},
  keyed: [],
});

export const copyOf = (model: WorldModel): WorldModel => structuredClone(model);

/** One of the keys of a record; nothing when there is none. */
export const oneOf = (record: Record<string, unknown>, chance: Chance): string | undefined => {
  const keys = Object.keys(record);
  return keys.length === 0 ? undefined : chance.pick(keys);
};

/** One of the keys whose values pass a test. */
export const oneThat = <Value>(
  record: Record<string, Value>,
  chance: Chance,
  passes: (value: Value) => boolean,
): string | undefined => {
  const keys = Object.keys(record).filter((key) => passes(record[key] as Value));
  return keys.length === 0 ? undefined : chance.pick(keys);
};
