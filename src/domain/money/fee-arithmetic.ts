import { MAX_BPS } from "../../contract/platform/fee-configs.ts";
import { type Rational, rational, roundHalfUp, times } from "../core/rational.ts";

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
