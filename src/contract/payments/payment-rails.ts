import { enumOf } from "../core/named-shape.ts";

/** Ways to choose a rail: the service did, or the request named one. */
export const RailSelectionMode = enumOf("RailSelectionMode", ["AUTO", "MANUAL"]);

/**
 * Seconds between the creation of a payment and its settlement, by rail; 0 is an instant one
 * (spec/later-payments.md#settlement-forecasts). A rail without a row settles in an unknown time.
 */
const SETTLEMENT_SECONDS: Readonly<Record<string, number>> = {
  RTP: 0,
  FEDNOW: 0,
  SEPA_INSTANT: 0,
  PIX: 0,
  UPI: 0,
  SPEI: 0,
  FASTER_PAYMENTS: 0,
  FAST: 0,
  PAYNOW: 0,
  INSTAPAY: 0,
  BRE_B: 0,
  MOBILE_MONEY: 0,
  UNIONPAY: 0,
  ACH: 86_400,
  SEPA: 86_400,
  BANK_TRANSFER: 86_400,
  ACH_COLOMBIA: 86_400,
  WIRE: 14_400,
  NEFT: 7_200,
  RTGS: 3_600,
  PESONET: 43_200,
  CIPS: 86_400,
  SWIFT: 172_800,
};

/** Seconds to settlement over a rail; nothing where there is no rail, or none of the table. */
export const settlementSecondsOf = (rail: string | undefined): number | undefined =>
  rail === undefined ? undefined : SETTLEMENT_SECONDS[rail];
