/** Payment rails (spec/external-accounts.md#rails-by-field). */
export const PAYMENT_RAILS = [
  "ACH",
  "BANK_TRANSFER",
  "FAST",
  "FASTER_PAYMENTS",
  "FEDNOW",
  "MOBILE_MONEY",
  "PAYNOW",
  "PIX",
  "RTP",
  "SEPA",
  "SEPA_INSTANT",
  "SPEI",
  "SWIFT",
  "UPI",
  "WIRE",
] as const;

/** Rails that a change brought (spec/later-accounts.md#rails). */
export const LATER_RAILS = [
  "ACH_COLOMBIA",
  "BRE_B",
  "CIPS",
  "INSTAPAY",
  "NEFT",
  "PESONET",
  "RTGS",
  "UNIONPAY",
] as const;

export type PaymentRail = (typeof PAYMENT_RAILS)[number] | (typeof LATER_RAILS)[number];

/** Form of one member of `accountInfo`. */
export interface FieldRule {
  /** Name of the form, if several members have it. */
  name?: string;
  pattern?: RegExp;
  minLength?: number;
  maxLength?: number;
  values?: readonly string[];
}

const matching = (pattern: RegExp): FieldRule => ({ pattern });
const sized = (minLength: number, maxLength: number): FieldRule => ({ minLength, maxLength });

/** Field rules that several account types share (spec/external-accounts.md#shared-fields). */
export const FIELD = {
  matching,
  sized,
  name: sized(1, 255),
  accountNumber: sized(1, 34),
  phone: matching(/^\+[0-9]{6,14}$/),
  swift: { name: "SwiftCode", pattern: /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ },
  iban: { name: "Iban", pattern: /^[A-Z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/ },
  bankAccountType: { name: "BankAccountType", values: ["CHECKING", "SAVINGS"] },
  evmAddress: { name: "EvmAddress", pattern: /^0x[0-9a-fA-F]{40}$/ },
} as const;
