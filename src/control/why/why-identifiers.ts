import type { PartyIdentifier, Story } from "../../contract/control/why.ts";
import { defined } from "../../contract/core/defined.ts";
import { primaryIdentifier } from "../../domain/records/primary-identifier.ts";
import type { DestinationRecord, SourceRecord } from "../../domain/records/records.ts";
import type { WorldState } from "../../runtime/world-state.ts";

const identifierOf = (
  state: WorldState,
  end: Partial<SourceRecord & DestinationRecord>,
): PartyIdentifier | undefined => {
  const { accountId, umaAddress } = end as { accountId?: string; umaAddress?: string };
  if (umaAddress !== undefined) return { field: "umaAddress", value: umaAddress };
  const external = state.get("ExternalAccount", accountId ?? "");
  return external && { account: external.id, ...primaryIdentifier(external.accountInfo) };
};

/** The whole identifiers of a payment's ends outside of the platform, whose endings choose outcomes. */
export const identifiersOf = (state: WorldState, id: string): Story["identifiers"] => {
  const payment = state.get("Transaction", state.get("Quote", id)?.transactionId ?? id);
  if (!payment) return undefined;
  return defined({
    source: identifierOf(state, payment.source),
    destination: identifierOf(state, payment.destination),
  });
};
