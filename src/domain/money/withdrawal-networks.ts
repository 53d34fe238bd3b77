import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { WithdrawalNetwork } from "../../contract/money/withdrawal-fees.ts";

/** A stablecoin of six decimals, worth a dollar, or bitcoin. */
type Coin = "stablecoin" | "BTC";

export const COIN_OF_CURRENCY: Readonly<Partial<Record<CurrencyCode, Coin>>> = {
  USDC: "stablecoin",
  USDT: "stablecoin",
  USDB: "stablecoin",
  BTC: "BTC",
};

/** The fees of a network for one withdrawal (spec/withdrawal-fees.md#network-fees). */
export interface WithdrawalNetworkRow {
  /** The chain's own fee, in the smallest unit of `networkFeeAsset`. */
  networkFee: number;
  networkFeeAsset: string;
  /**
   * The fee in the smallest unit of the withdrawn coin; coins that are absent cannot be withdrawn.
   */
  feeMinor: Readonly<Partial<Record<Coin, number>>>;
}

export const WITHDRAWAL_NETWORK_FEES = {
  SOLANA: { networkFee: 5_000, networkFeeAsset: "SOL", feeMinor: { stablecoin: 1_000 } },
  BASE: { networkFee: 20_000_000_000_000, networkFeeAsset: "ETH", feeMinor: { stablecoin: 5_000 } },
  POLYGON: {
    networkFee: 30_000_000_000_000_000,
    networkFeeAsset: "POL",
    feeMinor: { stablecoin: 3_000 },
  },
  ETHEREUM: {
    networkFee: 400_000_000_000_000,
    networkFeeAsset: "ETH",
    feeMinor: { stablecoin: 1_200_000 },
  },
  SPARK: { networkFee: 0, networkFeeAsset: "BTC", feeMinor: { stablecoin: 0, BTC: 0 } },
  LIGHTNING: { networkFee: 10, networkFeeAsset: "BTC", feeMinor: { BTC: 10 } },
  BITCOIN: { networkFee: 1_500, networkFeeAsset: "BTC", feeMinor: { BTC: 1_500 } },
} as const satisfies Record<WithdrawalNetwork, WithdrawalNetworkRow>;

/**
 * The platform's own fee, in the smallest unit of the withdrawn coin
 * (spec/withdrawal-fees.md#reply-fields).
 */
export const WITHDRAWAL_APPLICATION_FEE_MINOR = 0;
