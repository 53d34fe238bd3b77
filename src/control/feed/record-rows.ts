import type {
  AgentRow,
  ExternalAccountRow,
  InternalAccountRow,
  PurchaseRow,
} from "../../contract/control/record-rows.ts";
import { defined } from "../../contract/core/defined.ts";
import { instant } from "../../domain/core/draft.ts";
import { primaryIdentifier } from "../../domain/records/primary-identifier.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { customerName } from "../why/why-facts.ts";

/** The customer that a record belongs to. */
const holderOf = (state: WorldState, customerId: string | undefined) => {
  if (customerId === undefined) return undefined;
  const customer = state.get("Customer", customerId);
  const { platformCustomerId } = customer ?? {};
  return { id: customerId, ...defined({ name: customerName(customer), platformCustomerId }) };
};

const common = (state: WorldState, { id, createdAtMs }: { id: string; createdAtMs: number }) => ({
  id,
  version: state.seq,
  createdAt: instant(createdAtMs),
});

/** An internal account as lists show it. */
export const internalAccountRow = (
  state: WorldState,
  id: string,
): InternalAccountRow | undefined => {
  const account = state.get("InternalAccount", id);
  if (!account) return undefined;
  const { type, status, currency, customerId } = account;
  return {
    ...common(state, account),
    type,
    status,
    balance: { amount: Number(state.balanceMinor(id, currency)), currency },
    ...defined({ holder: holderOf(state, customerId) }),
  };
};

/** Beneficiary and bank, where the account's type has them. */
const partiesOf = (info: object) => {
  const { beneficiary, bankName } = info as {
    beneficiary?: { fullName?: string; legalName?: string };
    bankName?: string;
  };
  return defined({ beneficiary: beneficiary?.fullName ?? beneficiary?.legalName, bank: bankName });
};

/** An external account as lists show it. */
export const externalAccountRow = (
  state: WorldState,
  id: string,
): ExternalAccountRow | undefined => {
  const account = state.get("ExternalAccount", id);
  if (!account) return undefined;
  const { accountInfo, status, currency, customerId } = account;
  const { field, value } = primaryIdentifier(accountInfo);
  return {
    ...common(state, account),
    type: accountInfo.accountType,
    status,
    currency,
    ...partiesOf(accountInfo),
    identifier: `${field} …${value.slice(-4)}`,
    ...defined({ holder: holderOf(state, customerId) }),
  };
};

/** A card's purchase as lists show it. */
export const purchaseRow = (state: WorldState, id: string): PurchaseRow | undefined => {
  const purchase = state.get("CardTransaction", id);
  if (!purchase) return undefined;
  const { status, merchant, currency, cardId, declineCode: reason } = purchase;
  const lastFour = state.get("Card", cardId)?.provisioned?.last4;
  return {
    ...common(state, purchase),
    status,
    merchant: merchant.descriptor,
    amount: purchase.authorizedMinor,
    currency,
    settled: purchase.settledMinor,
    refunded: purchase.refundedMinor,
    ...defined({ reason }),
    card: { id: cardId, ...defined({ lastFour }) },
  };
};

/** An agent as lists show it. */
export const agentRow = (state: WorldState, id: string): AgentRow | undefined => {
  const agent = state.get("Agent", id);
  if (!agent) return undefined;
  return {
    ...common(state, agent),
    name: agent.name,
    status: agent.isPaused ? "PAUSED" : "ACTIVE",
    ...defined({ holder: holderOf(state, agent.customerId) }),
  };
};
