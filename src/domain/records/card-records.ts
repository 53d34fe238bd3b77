import type { CardTransactionStatus, DeclineCode } from "../../contract/cards/card-transactions.ts";
import type { CardState, CardStateReason } from "../../contract/cards/cards.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { Stamped } from "./stamped.ts";

/** What the issuer gives a card when it is provisioned (decisions, Provisioned values). */
export interface ProvisionedValues {
  brand: "VISA";
  last4: string;
  expMonth: number;
  expYear: number;
  panEmbedUrl: string;
  issuerRef: string;
}

export interface CardRecord extends Stamped {
  cardholderId: string;
  platformCardId: string;
  state: CardState;
  stateReason?: CardStateReason;
  /** In the order in which they are tried; none once it was closed. */
  fundingSources: readonly string[];
  currency: CurrencyCode;
  provisioned?: ProvisionedValues;
  /** The first source it had when it closed: what declined authorizations name. */
  lastSource?: string;
}

/** How often, and how much of the funding source's currency, minor units. */
export interface CardTotals {
  count: number;
  minor: number;
}

export interface CardTransactionRecord extends Stamped {
  cardId: string;
  issuerToken: string;
  status: CardTransactionStatus;
  declineCode?: DeclineCode;
  merchant: { descriptor: string; mcc?: string; country?: string };
  /** What the merchant asks in; the three amounts below are its minor units. */
  currency: CurrencyCode;
  authorizedMinor: number;
  settledMinor: number;
  refundedMinor: number;
  /** Funding source, and its currency, which the totals below are in. */
  accountId: string;
  sourceCurrency: CurrencyCode;
  pulls: CardTotals;
  /** When each pull that the issuer has not confirmed yet will be, earliest first. */
  pendingUntilMs: readonly number[];
  refunds: CardTotals;
  settlements: CardTotals;
  /** Pulled, neither settled nor given back. */
  heldMinor: number;
  /** Its card's closing expired it: one late clearing is still taken. */
  endedByClose?: true;
  lastEventAtMs?: number;
}
