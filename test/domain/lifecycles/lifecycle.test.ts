import { describe, expect, test } from "vitest";
import { AGENT_ACTION_STATUSES } from "../../../src/contract/agents/agent-actions.ts";
import { CARD_STATES } from "../../../src/contract/cards/card-states.ts";
import { CARD_TRANSACTION_STATUSES } from "../../../src/contract/cards/card-transactions.ts";
import { QUOTE_STATUSES } from "../../../src/contract/payments/quotes.ts";
import {
  OUTGOING_STATUSES,
  REFUND_STATUSES,
  TRANSACTION_STATUSES,
} from "../../../src/contract/payments/transactions.ts";
import { INVITATION_STATUSES } from "../../../src/contract/platform/invitations.ts";
import { EVENT_TYPES } from "../../../src/contract/webhooks/events.ts";
import { agentActionLifecycle } from "../../../src/domain/lifecycles/agent-action.ts";
import { cardLifecycle } from "../../../src/domain/lifecycles/card.ts";
import { cardTransactionLifecycle } from "../../../src/domain/lifecycles/card-transaction.ts";
import { incomingPaymentLifecycle } from "../../../src/domain/lifecycles/incoming-payment.ts";
import { invitationLifecycle } from "../../../src/domain/lifecycles/invitation.ts";
import type { Lifecycle } from "../../../src/domain/lifecycles/lifecycle.ts";
import { outgoingPaymentLifecycle } from "../../../src/domain/lifecycles/outgoing-payment.ts";
import { quoteLifecycle } from "../../../src/domain/lifecycles/quote.ts";
import { refundLifecycle } from "../../../src/domain/lifecycles/refund.ts";

type AnyLifecycle = Lifecycle<string, string>;

const LIFECYCLES: { name: string; table: AnyLifecycle; statuses: readonly string[] }[] = [
  {
    name: "outgoing payment",
    table: outgoingPaymentLifecycle as AnyLifecycle,
    statuses: OUTGOING_STATUSES,
  },
  {
    name: "incoming payment",
    table: incomingPaymentLifecycle as AnyLifecycle,
    // No incoming payment is ever CREATED or EXPIRED here
    // (spec/transactions.md#incoming-lifecycle).
    statuses: TRANSACTION_STATUSES.filter((one) => one !== "CREATED" && one !== "EXPIRED"),
  },
  {
    name: "invitation",
    table: invitationLifecycle as AnyLifecycle,
    statuses: INVITATION_STATUSES,
  },
  { name: "quote", table: quoteLifecycle as AnyLifecycle, statuses: QUOTE_STATUSES },
  { name: "refund", table: refundLifecycle as AnyLifecycle, statuses: REFUND_STATUSES },
  {
    name: "card",
    table: cardLifecycle as AnyLifecycle,
    // Only approved customers get a card, so no card waits for KYC (spec/cards.md#states).
    statuses: CARD_STATES.filter((one) => one !== "PENDING_KYC"),
  },
  {
    name: "card transaction",
    table: cardTransactionLifecycle as AnyLifecycle,
    // A declined transaction is born DECLINED.
    statuses: CARD_TRANSACTION_STATUSES.filter((one) => one !== "DECLINED"),
  },
  {
    name: "agent's action",
    table: agentActionLifecycle as AnyLifecycle,
    statuses: AGENT_ACTION_STATUSES,
  },
];

const reachable = ({ starts, moves }: AnyLifecycle) => {
  const found = new Set([starts]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { from, to } of moves) if (found.has(from)) found.add(to);
  }
  return [...found].sort();
};

describe.each(LIFECYCLES)("the table of the $name", ({ table, statuses }) => {
  test("names only published statuses", () => {
    const named = [
      table.starts,
      ...table.ends,
      ...table.moves.flatMap(({ from, to }) => [from, to]),
    ];
    for (const status of named) expect(statuses).toContain(status);
  });

  test("has no move out of a final status", () => {
    expect(table.moves.filter(({ from }) => table.ends.includes(from))).toEqual([]);
  });

  test("has a move from every status that is not final", () => {
    const stuck = statuses.filter(
      (status) => !table.ends.includes(status) && !table.moves.some(({ from }) => from === status),
    );
    expect(stuck).toEqual([]);
  });

  test("reaches every status from its start", () => {
    expect(reachable(table)).toEqual([...statuses].sort());
  });

  test("has at most one move for a state and a trigger", () => {
    const pairs = table.moves.map(({ from, on }) => `${on} in ${from}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  // spec/events.md#causes
  test("sends only published events", () => {
    const sent = [table.startEmits, ...table.moves.map(({ emits }) => emits)];
    for (const type of sent) if (type !== undefined) expect(EVENT_TYPES).toContain(type);
  });
});
