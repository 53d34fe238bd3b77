import type { DeclineCode } from "../../contract/cards/card-transactions.ts";
import { seconds } from "../core/durations.ts";

/** The issuer's treatment of a new card (spec/cards.md#issue-outcomes). */
export interface CardIssueOutcome {
  says: string;
  /** Absent: the card stays PENDING_ISSUE. */
  timer?: "card.activate" | "card.reject";
  afterMs: number;
}

/** Fate of a new card, by the last three characters of platformCardId, else of cardholderId. */
export const CARD_ISSUE_OUTCOMES = {
  "001": { says: "stays PENDING_ISSUE", afterMs: 0 },
  "002": { says: "the issuer rejects it", timer: "card.reject", afterMs: 0 },
  "005": {
    says: "provisioned after about 30 seconds",
    timer: "card.activate",
    afterMs: seconds(30),
  },
  otherwise: { says: "provisioned at once", timer: "card.activate", afterMs: 0 },
} as const satisfies Record<string, CardIssueOutcome>;

/**
 * Fitness of an account to fund a card, by the last three characters of its id
 * (spec/cards.md#source-endings).
 */
export const FUNDING_SOURCE_OUTCOMES = {
  "002": { says: "its balance is too small (002)", isEligible: false },
  "003": { says: "it is closed (003)", isEligible: false },
  otherwise: { says: "funds the card", isEligible: true },
} as const satisfies Record<string, { says: string; isEligible: boolean }>;

/** The effect of an authorization's row on its pull. */
export interface PullOutcome {
  says: string;
  /**
   * Declines the authorization, whatever its sources hold; a FROZEN card declines with its own
   * code.
   */
  declines?: DeclineCode;
  /** Delay of the confirmation; it applies to a pull at clearing too. */
  pendingMs?: number;
  /** The pull fails: nothing is taken, and the transaction is an EXCEPTION. */
  fails?: true;
}

/**
 * Outcome of an authorization, by the last three characters of the merchant's descriptor
 * (spec/card-transactions.md#authorization-outcomes).
 */
export const CARD_AUTHORIZATION_OUTCOMES = {
  "002": { says: "declined: INSUFFICIENT_FUNDS", declines: "INSUFFICIENT_FUNDS" },
  "003": { says: "declined: CARD_PAUSED", declines: "CARD_PAUSED" },
  "005": { says: "approved, its pull confirmed after about 30 seconds", pendingMs: seconds(30) },
  "006": { says: "its pull is reported as failed: EXCEPTION", fails: true },
  otherwise: { says: "approved" },
} as const satisfies Record<string, PullOutcome>;

/** The last three characters of a text, which choose the row. */
export const lastThree = (text: string) => text.slice(-3);
