import type { Parsed } from "../../../setup/test-simulator.ts";

/** A policy as replies show it, and as requests send parts of it. */
export interface Policy {
  permissions: string[];
  defaultExecutionMode: string;
  spendingLimits: {
    currency: string;
    perTransactionLimit: number;
    dailyLimit?: number | null;
    dailyTransactionLimit?: number;
    monthlyLimit?: number | null;
  };
  accountRestrictions?: {
    allowedAccountIds?: string[] | null;
    accountRules?: AccountRule[];
  };
  approvalThresholds?: { currency?: string; amount?: number | null };
}

export interface AccountRule {
  accountId: string;
  executionMode?: string;
  perTransactionLimit?: number | null;
}

export type PolicyPatch = Partial<Omit<Policy, "spendingLimits">> & {
  spendingLimits?: Partial<Policy["spendingLimits"]>;
};

interface ByAgent {
  /** Position among the agents of the run. */
  agent: number;
}

interface Keyed extends ByAgent {
  /** Idempotency-Key. */
  key?: string;
}

/** A request of an agent. */
export type AgentMove =
  | (Keyed & { does: "transfer"; way: "in" | "out"; from: string; to: string; amount: number })
  | (Keyed & {
      does: "quote";
      from: string;
      to: string;
      side: "SENDING" | "RECEIVING";
      amount: number;
      isImmediate: boolean;
    })
  | (Keyed & { does: "execute"; quoteId: string });

/** A request of the platform, mostly about agents. */
export type PlatformMove =
  | (ByAgent & { does: "decide"; on: "approve" | "reject"; actionId: string; reason?: string })
  | (ByAgent & { does: "change policy"; patch: PolicyPatch })
  | (ByAgent & { does: "pause"; isPaused: boolean })
  | (ByAgent & { does: "delete" })
  | { does: "pay"; quoteId: string };

export type Move = AgentMove | PlatformMove;

export const isByAgent = (move: Move): move is AgentMove =>
  move.does === "transfer" || move.does === "quote" || move.does === "execute";

export interface Request {
  method: string;
  path: string;
  body?: object;
}

const account = (accountId: string) => ({ accountId });

/** A move as an HTTP request. */
export const requestOf = (move: Move, agentIds: readonly string[]): Request => {
  const agentId = "agent" in move ? agentIds[move.agent] : "";
  switch (move.does) {
    case "transfer": {
      const { from, to, amount } = move;
      const body = { source: account(from), destination: account(to), amount };
      return { method: "POST", path: `/agents/me/transfer-${move.way}`, body };
    }
    case "quote": {
      const body = {
        source: { sourceType: "ACCOUNT", accountId: move.from },
        destination: { destinationType: "ACCOUNT", accountId: move.to },
        lockedCurrencySide: move.side,
        lockedCurrencyAmount: move.amount,
        ...(move.isImmediate && { immediatelyExecute: true }),
      };
      return { method: "POST", path: "/agents/me/quotes", body };
    }
    case "execute":
      return { method: "POST", path: `/agents/me/quotes/${move.quoteId}/execute` };
    case "decide": {
      const path = `/agents/${agentId}/actions/${move.actionId}/${move.on}`;
      const { reason } = move;
      return { method: "POST", path, ...(reason !== undefined && { body: { reason } }) };
    }
    case "change policy":
      return { method: "PATCH", path: `/agents/${agentId}/policy`, body: move.patch };
    case "pause":
      return { method: "PATCH", path: `/agents/${agentId}`, body: { isPaused: move.isPaused } };
    case "delete":
      return { method: "DELETE", path: `/agents/${agentId}` };
    case "pay":
      return { method: "POST", path: `/quotes/${move.quoteId}/execute` };
  }
};

/** The code or reason that identifies a refusal. */
export const wordOf = ({ code, reason, details }: Parsed): string =>
  reason ?? details?.reason ?? code;

/** A short form of an answer, for the log of a run. */
export const inShort = ({ status, body }: { status: number; body: Parsed }) => {
  if (status >= 400) return `${status} ${wordOf(body)}`;
  const transaction = body.transaction ? " with a transaction" : "";
  return `${status} ${body.status ?? ""}${transaction}`.trim();
};
