import type { MinorAmount } from "./values.ts";

/** A record that belongs to a customer, with what tells that customer from its namesakes. */
interface Held {
  id: string;
  version: number;
  /** The customer, where it isn't the platform's own. */
  holder?: { id: string; name?: string; platformCustomerId?: string };
  createdAt: string;
}

/** An internal account, and what it holds. */
export interface InternalAccountRow extends Held {
  /** `EMBEDDED_WALLET`, for example. */
  type: string;
  status: string;
  balance: MinorAmount;
}

/** An external account, with the last four characters of its number. */
export interface ExternalAccountRow extends Held {
  type: string;
  status: string;
  currency: string;
  beneficiary?: string;
  bank?: string;
  /** `iban …3000`. */
  identifier: string;
}

/** A card's purchase. */
export interface PurchaseRow {
  id: string;
  version: number;
  status: string;
  merchant: string;
  amount: number;
  currency: string;
  settled: number;
  refunded: number;
  reason?: string;
  card: { id: string; lastFour?: string };
  createdAt: string;
}

/** An agent of a customer. */
export interface AgentRow extends Held {
  name: string;
  status: "ACTIVE" | "PAUSED";
}
