import { type RefusalRow, row } from "../core/refusal-row.ts";

/**
 * Errors of cards and of their simulated transactions (spec/cards.md#issue, spec/cards.md#update).
 */
export const CARD_REFUSALS = {
  CARDHOLDER_KYC_NOT_APPROVED: row(
    "CARDHOLDER_KYC_NOT_APPROVED",
    "The cardholder is {customerStatus}, not APPROVED",
    "Issue cards to customers whose KYC or KYB status is APPROVED",
  ),
  FUNDING_SOURCE_INELIGIBLE: row(
    "FUNDING_SOURCE_INELIGIBLE",
    "{value} cannot fund this card: {why}",
    "Use ACTIVE accounts of the cardholder, all in one currency that cards accept",
  ),
  PLATFORM_CARD_ID_EXISTS: row(
    "INVALID_INPUT",
    "The platformCardId {value} is used by another card; closed cards keep theirs",
    "Choose another one, or omit it to get a new one",
  ),
  CARD_TRANSACTION_STATE: row(
    "INVALID_INPUT",
    "The transaction {value} is {transactionStatus}: {why}",
    "Simulate a new authorization",
  ),
  WRONG_STATUS: row(
    "INVALID_INPUT",
    "The transaction {value} is {transactionStatus}: {why}",
    "GET /transactions lists the transactions of the card with their statuses",
  ),
  INVALID_STATE_TRANSITION: row(
    "INVALID_STATE_TRANSITION",
    "The card {id} is {cardState} and cannot become {wanted}",
    "Freeze or close an ACTIVE card; unfreeze or close a FROZEN one",
  ),
  CARD_ALREADY_CLOSED: row(
    "CARD_ALREADY_CLOSED",
    "The card {id} is CLOSED already",
    "Leave out this call: the card stays closed",
  ),
  THREE_D_SECURE_UNSUPPORTED: row(
    "INVALID_INPUT",
    "The card programmes here take no threeDSecurePassword: only those of the EU do",
    "Leave it out",
  ),
  CARD_NOT_MUTABLE: row(
    "CARD_NOT_MUTABLE",
    "The card {id} is CLOSED and cannot be changed",
    "Issue a new card with other funding sources",
  ),
} as const satisfies Record<string, RefusalRow>;
