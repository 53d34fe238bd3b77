import type { CardState, CardStateReason } from "../../contract/cards/card-states.ts";
import type {
  CardTransactionStatus,
  DeclineReason,
} from "../../contract/cards/card-transactions.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Timestamps } from "./timestamps.ts";

/** Values that the issuer gives a provisioned card (spec/cards.md#provisioned-values). */
export interface ProvisionedValues {
  brand: "VISA";
  last4: string;
  expMonth: number;
  expYear: number;
  panEmbedUrl: string;
  issuerRef: string;
}

export interface CardRecord extends Timestamps {
  cardholderId: string;
  platformCardId: string;
  state: CardState;
  stateReason?: CardStateReason;
  /** Accounts in the order in which they are tried; empty once the card is closed. */
  fundingSources: readonly string[];
  currency: CurrencyCode;
  provisioned?: ProvisionedValues;
  /** Largest amount of one purchase, in minor units of the card's currency. */
  maxSpendMinor?: number;
  /** The first funding source at closing; declined authorizations name it. */
  lastSource?: string;
}

/** A page that shows a card's number for a while (spec/later-cards.md#reveal). */
export interface CardRevealRecord extends Timestamps {
  cardId: string;
  /** Secret part of its address. */
  code: string;
  expiresAtMs: number;
}

/** Count and sum of a card's movements, in minor units of the funding source's currency. */
export interface CardTotals {
  count: number;
  minor: number;
}

export interface CardTransactionRecord extends Timestamps {
  cardId: string;
  issuerToken: string;
  /** The row of its authorization, where a tester set it; later pulls take it too. */
  setRow?: string;
  status: CardTransactionStatus;
  declineCode?: DeclineReason;
  /** The merchant pays the cardholder (spec/later-cards.md#credits). */
  isCredit?: true;
  merchant: { descriptor: string; mcc?: string; country?: string };
  /** Currency of the merchant's request; the three amounts below are in its minor units. */
  currency: CurrencyCode;
  authorizedMinor: number;
  settledMinor: number;
  refundedMinor: number;
  /** The funding source; the totals below are in minor units of its currency. */
  accountId: string;
  sourceCurrency: CurrencyCode;
  pulls: CardTotals;
  /** Instants at which unconfirmed pulls will be confirmed, earliest first. */
  pendingUntilMs: readonly number[];
  refunds: CardTotals;
  settlements: CardTotals;
  /** Pulled, but neither settled nor given back. */
  heldMinor: number;
  /** The closing of the card expired it; one late clearing is still accepted. */
  endedByClose?: true;
  lastEventAtMs?: number;
  receiptConfirmedAtMs?: number;
}
