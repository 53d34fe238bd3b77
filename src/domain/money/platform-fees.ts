import type { QuoteInput } from "../../contract/payments/quotes.ts";
import { MAX_BPS } from "../../contract/platform/fee-configs.ts";
import { find, type View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { type Rational, rational, roundHalfUp, times } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import type { InternalAccountRecord, OutgoingRecord } from "../records/records.ts";
import { PLATFORM_OWNER } from "../records/tables.ts";
import { hasRoom } from "./ledger.ts";
import type { QuoteTerms } from "./quote-arithmetic.ts";

/** The only currency that platforms take fees in. */
export const FEE_CURRENCY = "USD";

/** A fee as it is reckoned: a fixed part, and a share of the base. */
export interface FeeTerms {
  fixedMinor: bigint;
  rate: Rational;
}

/** The terms of a platform's fee. */
export interface PlatformFeeTerms {
  fixedMinor: number;
  variableBps: number;
}

/** A platform's fee as a part of the base. */
export const feeTermsOf = ({ fixedMinor, variableBps }: PlatformFeeTerms): FeeTerms => ({
  fixedMinor: BigInt(fixedMinor),
  rate: rational(BigInt(variableBps), BigInt(MAX_BPS)),
});

/**
 * The fees of the platform and of the service on a sending amount: both are shares of what is left
 * of it without their fixed parts, each rounded half up (spec/later-payments.md#platform-fees).
 */
export const feesOn = (
  sendingMinor: bigint,
  { platform, service }: { platform: FeeTerms; service: FeeTerms },
) => {
  const left = sendingMinor - platform.fixedMinor - service.fixedMinor;
  const base = rational(left > 0n ? left : 0n);
  return {
    platformMinor: platform.fixedMinor + roundHalfUp(times(base, platform.rate)),
    serviceMinor: service.fixedMinor + roundHalfUp(times(base, service.rate)),
  };
};

type Pair = Pick<QuoteTerms, "sending" | "receiving" | "isInternal">;

/** Tells whether a pair converts: USD and USDB inside the platform count as one value. */
const isCrossCurrency = ({ sending, receiving, isInternal = false }: Pair) =>
  sending !== receiving && !(isInternal && receiving === "USDB");

/** The standing fee on a pair of currencies; nothing where the platform has none. */
export const standingFee = (view: View, pair: Pair): PlatformFeeTerms | undefined => {
  if (pair.sending !== FEE_CURRENCY || !isCrossCurrency(pair)) return undefined;
  if (!isChanged(view, "platformFees")) return undefined;
  const row = platformConfig(view).feeConfigs?.find(
    ({ sourceCurrency }) => sourceCurrency === pair.sending,
  );
  return row && { fixedMinor: row.fixedMinor, variableBps: row.variableFeeBps };
};

const FIELD = "platformFeeOverride";

/** The fee on a quote: the one that it asks for, or the standing one; refuses a fee out of place. */
export const quotedFee = (
  view: View,
  { platformFeeOverride: override }: Pick<QuoteInput, "platformFeeOverride">,
  pair: Pair,
): PlatformFeeTerms | undefined => {
  if (!override) return standingFee(view, pair);
  const { platformFixedFee: fixed, platformVariableFeeBps: variableBps } = override;
  const { sending } = pair;
  if (sending !== FEE_CURRENCY)
    refuse(
      "INVALID_INPUT",
      { field: FIELD, value: sending },
      "Only a quote that sends USD has one",
    );
  if (fixed.currency !== sending)
    refuse(
      "INVALID_INPUT",
      { field: `${FIELD}.platformFixedFee.currency`, value: fixed.currency },
      `Expected ${sending}, the sending currency`,
    );
  const isNone = fixed.amount === 0 && variableBps === 0;
  if (!isNone && !isCrossCurrency(pair))
    refuse("INVALID_INPUT", { field: FIELD }, "A quote in one currency has no fee of the platform");
  return isNone ? undefined : { fixedMinor: fixed.amount, variableBps };
};

/** The account of the platform that a fee is credited to, while it can take it. */
export const feeAccount = (
  view: View,
  { sendingCurrency: currency, platformFeesMinor = 0 }: OutgoingRecord,
): InternalAccountRecord | undefined =>
  find(view, "InternalAccount", ["byOwner", PLATFORM_OWNER]).find(
    (account) =>
      account.currency === currency &&
      account.status === "ACTIVE" &&
      hasRoom(view, { account: account.id, currency, amountMinor: BigInt(platformFeesMinor) }),
  );
