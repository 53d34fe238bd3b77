import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  WithdrawalFeeEstimate,
  WithdrawalFeeInput,
  WithdrawalNetwork,
} from "../../contract/money/withdrawal-fees.ts";
import type { Reading, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";

/** A stablecoin of six decimals, worth a dollar, or bitcoin. */
type Coin = "stablecoin" | "BTC";

const COIN_OF_CURRENCY: Readonly<Partial<Record<CurrencyCode, Coin>>> = {
  USDC: "stablecoin",
  USDT: "stablecoin",
  USDB: "stablecoin",
  BTC: "BTC",
};

/** The fees of a network for one withdrawal (spec/withdrawal-fees.md#network-fees). */
interface WithdrawalNetworkRow {
  /** The chain's own fee, in the smallest unit of `networkFeeAsset`. */
  networkFee: number;
  networkFeeAsset: string;
  /**
   * The fee in the smallest unit of the withdrawn coin; coins that are absent cannot be withdrawn.
   */
  feeMinor: Readonly<Partial<Record<Coin, number>>>;
}

const WITHDRAWAL_NETWORK_FEES = {
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
const WITHDRAWAL_APPLICATION_FEE_MINOR = 0;

const FIELD = "internalAccountId";

/**
 * The internal account to withdraw from; it must hold crypto
 * (spec/withdrawal-fees.md#eligible-accounts).
 */
const cryptoAccount = (view: View, value: string) => {
  const expected = "an internal account that holds crypto";
  if (view.get("ExternalAccount", value))
    refuse("ACCOUNT_KIND_NOT_ALLOWED", {
      field: FIELD,
      value,
      found: "an external account",
      expected,
    });
  const account = view.get("InternalAccount", value);
  if (!account) return refuse("ACCOUNT_NOT_FOUND", { field: FIELD, value });
  const coin = COIN_OF_CURRENCY[account.currency];
  if (coin) return { currency: account.currency, coin };
  const found = `an account in ${account.currency}`;
  return refuse("ACCOUNT_KIND_NOT_ALLOWED", { field: FIELD, value, found, expected });
};

const requireCurrency = (currency: CurrencyCode, asked: string) => {
  if (asked !== currency)
    refuse(
      "INVALID_CURRENCY",
      { field: "currency", currency: asked, expected: currency },
      { says: `The account holds ${currency}, not ${asked}`, next: `Use ${currency}` },
    );
};

/**
 * Fee of a network for a coin, in that coin; refuses a network that does not carry it
 * (spec/withdrawal-fees.md#network-fees).
 */
const networkFeeMinor = (
  network: WithdrawalNetwork,
  { currency, coin }: { currency: CurrencyCode; coin: "stablecoin" | "BTC" },
): number => {
  const { feeMinor }: WithdrawalNetworkRow = WITHDRAWAL_NETWORK_FEES[network];
  return (
    feeMinor[coin] ??
    refuse(
      "INVALID_INPUT",
      { field: "cryptoNetwork", value: network },
      `${currency} cannot be withdrawn over ${network}`,
    )
  );
};

/**
 * POST /crypto/estimate-withdrawal-fee: the part of an amount that would arrive
 * (spec/withdrawal-fees.md#net-amount). Nothing is withdrawn or held, and the balance is not
 * checked.
 */
export const estimateWithdrawalFee: Reading<{ body: WithdrawalFeeInput }, WithdrawalFeeEstimate> = (
  view,
  { body },
) => {
  const { internalAccountId, currency, cryptoNetwork, amount: amountMinor } = body;
  const account = cryptoAccount(view, internalAccountId);
  requireCurrency(account.currency, currency);
  const feeMinor = networkFeeMinor(cryptoNetwork, account);
  const totalMinor = feeMinor + WITHDRAWAL_APPLICATION_FEE_MINOR;
  if (amountMinor > MAX_AMOUNT_MINOR || amountMinor < totalMinor)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "amount", value: amountMinor, min: totalMinor, max: MAX_AMOUNT_MINOR },
      amountMinor < totalMinor
        ? `${amountMinor} does not cover the fee of ${totalMinor} over ${cryptoNetwork}`
        : undefined,
    );
  const { networkFee, networkFeeAsset } = WITHDRAWAL_NETWORK_FEES[cryptoNetwork];
  return {
    networkFee,
    networkFeeAsset,
    applicationFee: WITHDRAWAL_APPLICATION_FEE_MINOR,
    totalFee: totalMinor,
    netAmount: amountMinor - totalMinor,
  };
};
