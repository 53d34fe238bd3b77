import type { DeclineCode } from "../../contract/cards/card-transactions.ts";
import { seconds } from "../core/durations.ts";

/** What the issuer does with a new card (wallets digest 9.1). */
export interface CardIssueOutcome {
  says: string;
  /** Nothing: it stays PENDING_ISSUE. */
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

/** Why an account cannot fund a card, by the last three characters of its id (digest 9.1). */
export const FUNDING_SOURCE_OUTCOMES = {
  "002": { says: "its balance is too small (002)", isEligible: false },
  "003": { says: "it is closed (003)", isEligible: false },
  otherwise: { says: "funds the card", isEligible: true },
} as const satisfies Record<string, { says: string; isEligible: boolean }>;

/** Endings of the pull that an authorization asks for. */
export interface PullOutcome {
  says: string;
  /** Declined, whatever its sources are like; a FROZEN card declines with its own code. */
  declines?: DeclineCode;
  /** Confirmed only so much later; a post-hoc pull is, too. */
  pendingMs?: number;
  /** Nothing is taken: the transaction is an EXCEPTION. */
  fails?: true;
}

/** Outcome of an authorization, by the last three characters of the merchant's descriptor. */
export const CARD_AUTHORIZATION_OUTCOMES = {
  "002": { says: "declined: INSUFFICIENT_FUNDS", declines: "INSUFFICIENT_FUNDS" },
  "003": { says: "declined: CARD_PAUSED", declines: "CARD_PAUSED" },
  "005": { says: "approved, its pull confirmed after about 30 seconds", pendingMs: seconds(30) },
  "006": { says: "its pull is reported as failed: EXCEPTION", fails: true },
  otherwise: { says: "approved" },
} as const satisfies Record<string, PullOutcome>;

/** The row a text's last three characters choose. */
export const lastThree = (text: string) => text.slice(-3);
