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
  isPaused: boolean;
  permissions: readonly string[];
  /** Actions that it may have allowed on one day. */
  aDay: number;
  /** Actions that it asked for, by their ids. */
  actions: Record<string, ActionModel>;
  /** Quotes that it asked for itself. */
  quotes: string[];
}

/** An action of an agent, as last told. */
export interface ActionModel {
  status: string;
  /** The UTC day on which it was allowed. */
  day?: string;
}

export interface CustomerModel {
  id: string;
  isDeleted: boolean;
}

/** A way to sign in to a wallet. */
export interface CredentialModel {
  walletId: string;
  type: "EMAIL_OTP" | "OAUTH" | "PASSKEY";
  isDeleted: boolean;
}

export interface SessionModel {
  walletId: string;
  credentialId: string;
  expiresAtMs: number;
  isEnded: boolean;
}

/** A first call that waits for its signed retry. */
export interface ChallengeModel {
  operation: string;
  method: string;
  path: string;
  body?: unknown;
  walletId: string;
  /** The session or credential that it is about. */
  target?: string;
  expiresAtMs: number;
  isUsed: boolean;
}

/** A challenge of a passkey. */
export interface ProofModel {
  credentialId: string;
  walletId: string;
  expiresAtMs: number;
  isUsed: boolean;
}

/** A record that is there until it is deleted, and whom it is of. */
export interface OwnedModel {
  ownerId: string;
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
  wallets: Record<string, { customerId: string }>;
  credentials: Record<string, CredentialModel>;
  sessions: Record<string, SessionModel>;
  challenges: Record<string, ChallengeModel>;
  proofs: Record<string, ProofModel>;
  documents: Record<string, OwnedModel>;
  owners: Record<string, { customerId: string }>;
  businesses: Record<string, { customerId: string }>;
  verifications: Record<string, { customerId: string }>;
  /** Bulk imports and seeds, with the number of customers that each makes. */
  jobs: Record<string, { rows: number; isSeed?: true }>;
  /** External accounts of the platform itself. */
  platformBanks: Record<string, { isDeleted: boolean }>;
  /** Webhooks that a client has taken to their receiver by itself. */
  forwarded: Record<string, true>;
  /** The newest logged request that an operator has seen. */
  lastRequest?: string;
  /** An operator has canceled a timer: what waited for it may wait forever. */
  timersTaken?: boolean;
  /** The simulator decides actions of agents by itself. */
  decidesAlone?: boolean;
  /** Receivers are trusted by a certificate beside the usual authorities. */
  trustsMore?: boolean;
  /** The UTC day on which actions were counted that clients do not know of. */
  uncountedOn?: string;
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
  wallets: {},
  credentials: {},
  sessions: {},
  challenges: {},
  proofs: {},
  documents: {},
  owners: {},
  businesses: {},
  verifications: {},
  jobs: {},
  platformBanks: {},
  forwarded: {},
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

/** Takes over that a customer was deleted: nobody signs in, and its agents are paused. */
export const endCustomer = ({ wallets, sessions, agents }: WorldModel, customerId: string) => {
  for (const session of Object.values(sessions))
    if (wallets[session.walletId]?.customerId === customerId) session.isEnded = true;
  for (const agent of Object.values(agents))
    if (agent.customerId === customerId) agent.isPaused = true;
};
