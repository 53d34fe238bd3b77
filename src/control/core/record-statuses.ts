import {
  EXTERNAL_ACCOUNT_STATUSES,
  OWNERSHIP_STATUSES,
} from "../../contract/accounts/external-accounts.ts";
import { INTERNAL_ACCOUNT_STATUSES } from "../../contract/accounts/internal-accounts.ts";
import { AGENT_ACTION_STATUSES } from "../../contract/agents/agent-actions.ts";
import { CARD_STATES } from "../../contract/cards/card-states.ts";
import { CARD_TRANSACTION_STATUSES } from "../../contract/cards/card-transactions.ts";
import { namesOf } from "../../contract/choices.ts";
import { BULK_JOB_STATUSES } from "../../contract/customers/bulk-customers.ts";
import { ANY_CUSTOMER_STATUSES } from "../../contract/customers/customer-statuses.ts";
import { VERIFICATION_STATUSES } from "../../contract/customers/verifications.ts";
import { QUOTE_STATUSES } from "../../contract/payments/quotes.ts";
import { OUTGOING_STATUSES, TRANSACTION_STATUSES } from "../../contract/payments/transactions.ts";
import { INVITATION_STATUSES } from "../../contract/platform/invitations.ts";
import { DELEGATED_KEY_STATUSES } from "../../contract/wallets/delegated-keys.ts";
import { DELIVERY_STATES } from "../../contract/webhooks/delivery-states.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { Kind, Records } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import type { WorldState } from "../../runtime/world-state.ts";

type StatusOf<R> = R extends { status: infer S extends string }
  ? S
  : R extends { state: infer S extends string }
    ? S
    : R extends { kycStatus?: infer S }
      ? S
      : never;

/** Kinds whose records have a status. */
type KindWithStatus = {
  [K in Kind]: [StatusOf<Records[K]>] extends [never] ? never : K;
}[Kind];

const INCOMING_STATUSES = TRANSACTION_STATUSES.filter(
  (status) => status !== "CREATED" && status !== "EXPIRED",
);

/** Statuses that the records of a kind may have; the compiler asks for each kind. */
const STATUSES: Readonly<Record<KindWithStatus, readonly string[]>> = {
  AgentAction: AGENT_ACTION_STATUSES,
  BeneficialOwner: ANY_CUSTOMER_STATUSES,
  Card: CARD_STATES,
  CardTransaction: CARD_TRANSACTION_STATUSES,
  Customer: ANY_CUSTOMER_STATUSES,
  DelegatedKey: DELEGATED_KEY_STATUSES,
  Delivery: DELIVERY_STATES,
  ExternalAccount: [...EXTERNAL_ACCOUNT_STATUSES, ...OWNERSHIP_STATUSES],
  InternalAccount: [...INTERNAL_ACCOUNT_STATUSES, "FAILED"],
  Invitation: INVITATION_STATUSES,
  Job: BULK_JOB_STATUSES,
  Quote: QUOTE_STATUSES,
  Transaction: TRANSACTION_STATUSES,
  Verification: VERIFICATION_STATUSES,
};

/** Every status that some record may have. */
export const ALL_STATUSES: readonly string[] = [...new Set(Object.values(STATUSES).flat())].sort();

const hasStatus = (kind: Kind): kind is KindWithStatus => Object.hasOwn(STATUSES, kind);

/** Statuses that a record may have: none for a record without a status. */
const statusesOf = (state: WorldState, id: string): readonly string[] => {
  const kind = KINDS.find((one) => state.get(one, id) !== undefined);
  if (kind === undefined || !hasStatus(kind)) return [];
  if (kind !== "Transaction") return STATUSES[kind];
  return state.get("Transaction", id)?.type === "INCOMING" ? INCOMING_STATUSES : OUTGOING_STATUSES;
};

/**
 * The status to wait for. Refuses one that the record can never have
 * (spec/clock.md#advance), so that no clock moves for it.
 */
export const requireStatus = (
  state: WorldState,
  { id, status }: { id: string; status: string },
): string => {
  const statuses = statusesOf(state, id);
  if (statuses.includes(status)) return status;
  const says =
    statuses.length === 0
      ? `Expected a record with a status but found ${id}`
      : `Expected a status of ${id}, ${namesOf(statuses, status)}, but found "${status}"`;
  return refuse("INVALID_INPUT", { field: "until.status", value: status }, says);
};
